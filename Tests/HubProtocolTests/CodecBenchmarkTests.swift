import Foundation
import HubProtocol
import Testing

/// Reports what decoding and encoding cost on this machine. Times are printed, never asserted: only
/// an optimised build (`swift test -c release`) says anything.
@Suite("Cost of the codec against Foundation", .serialized)
struct CodecBenchmarkTests {
  private static let text = """
    Shipping the recovery change tonight: positions are taken from events and from subscribe \
    replies only, see the notes 👍
    """

  private struct SendDTO: Codable {
    var id: Int
    var op: String
    var channel: String
    var text: String
    var key: String?
  }

  private struct EventDTO: Codable {
    var ev: String
    var channel: String
    var seq: Int
    var user: String
    var ts: Int
    var text: String
  }

  @Test("a message.send of 200 bytes")
  func decodeSend() throws {
    let channel = try #require(ChannelName("room:swift-server"))
    let send = MessageSend(
      channel: channel, content: MessageContent(text: Self.text), key: "c1-1700000000-17")
    let bytes = RequestEncoder.encode(
      Request(id: RequestID(123_456), operation: .messageSend(send)))
    let ours = nanoseconds {
      let inbound = bytes.withUnsafeBytes { RequestDecoder.decode($0) }
      guard case .request = inbound else { return 0 }
      return 1
    }
    let data = Data(bytes)
    let decoder = JSONDecoder()
    let theirs = nanoseconds {
      ((try? decoder.decode(SendDTO.self, from: data))?.text.utf8.count).map { _ in 1 } ?? 0
    }
    report("decode message.send", bytes.count, ours, theirs)
  }

  @Test("small requests")
  func decodeSmall() throws {
    for text in [
      #"{"op":"ping","id":7}"#, #"{"id":8,"op":"typing","channel":"room:swift","on":true}"#,
      #"{"id":9,"op":"read","channel":"room:swift","seq":41234}"#,
      #"{"id":9,"op":"inbox.list","states":["unseen"],"limit":4}"#,
      #"{"id":9,"op":"ping","aa":1,"bb":2,"cc":3,"dd":4,"ee":5,"ff":6,"gg":7,"hh":8}"#,
    ] {
      let bytes = [UInt8](text.utf8)
      let ours = nanoseconds {
        let inbound = bytes.withUnsafeBytes { RequestDecoder.decode($0) }
        guard case .request = inbound else { return 0 }
        return 1
      }
      print("decode \(bytes.count) bytes of \(text): \(ours) ns")
    }
  }

  @Test("a message event")
  func encodeMessage() throws {
    let channel = try #require(ChannelName("room:swift-server"))
    let user = try #require(UserID("user-1234"))
    let message = Message(
      channel: channel, seq: 41_234, user: user,
      ts: Timestamp(milliseconds: 1_763_692_800_123), content: MessageContent(text: Self.text))
    var encoder = WireEncoder(capacity: 4_096)
    let event = Event.message(message, toSender: false)
    let ours = nanoseconds {
      encoder.begin(reserving: 4)
      encoder.encode(event)
      return encoder.bytes.count
    }
    let foundation = JSONEncoder()
    let dto = EventDTO(
      ev: "message", channel: channel.text, seq: 41_234, user: user.text,
      ts: 1_763_692_800_123, text: Self.text)
    let theirs = nanoseconds { ((try? foundation.encode(dto))?.count) ?? 0 }
    report("encode message event", encoder.bytes.count - 4, ours, theirs)
  }

  private func report(_ name: String, _ bytes: Int, _ ours: Int, _ theirs: Int) {
    let tenths = 10 * theirs / max(ours, 1)
    print(
      "\(name), \(bytes) bytes: \(ours) ns/op, Foundation \(theirs) ns/op,",
      "\(tenths / 10).\(tenths % 10) times as much")
  }

  /// Nanoseconds of one call of `body`, the best of seven rounds. `body` gives something above 0.
  private func nanoseconds(_ body: () -> Int) -> Int {
    let calls = 20_000
    var best = Int.max
    for _ in 0..<7 {
      var sum = 0
      let elapsed = ContinuousClock().measure {
        for _ in 0..<calls { sum &+= body() }
      }
      #expect(sum > 0)
      best = min(best, Int(elapsed.components.attoseconds / 1_000_000_000) / calls)
    }
    return best
  }
}
