import HubProtocol
import Testing

@Suite("Replies and events")
struct OutboundVectorTests {
  @Test("a reply is its vector, byte for byte", arguments: Vectors.replies)
  func replies(_ vector: Vectors.Outbound) throws {
    var encoder = WireEncoder(capacity: 64)
    switch try #require(SampleReplies.all[vector.name]) {
    case .ok(let reply): encoder.encode(reply, id: try #require(RequestID(7)))
    case .refusal(let refusal, let id):
      encoder.encode(refusal, id: try #require(RequestID(id)))
    }
    #expect(text(encoder.bytes) == vector.out)
    #expect(FoundationJudge.isObject(encoder.bytes))
  }

  @Test("an event is its vector, byte for byte", arguments: Vectors.events)
  func events(_ vector: Vectors.Outbound) throws {
    var encoder = WireEncoder(capacity: 64)
    encoder.encode(try #require(SampleEvents.all[vector.name]))
    #expect(text(encoder.bytes) == vector.out)
    #expect(FoundationJudge.isObject(encoder.bytes))
  }

  @Test("begin empties the buffer and leaves room for a frame header", arguments: [0, 4, 14])
  func begin(_ reserved: Int) {
    var encoder = WireEncoder(capacity: 16)
    encoder.encode(Event.typingCount(Sample.room, 1))
    encoder.begin(reserving: reserved)
    #expect(encoder.bytes == [UInt8](repeating: 0, count: reserved))
    encoder.encode(Event.typingCount(Sample.room, 2))
    let object = #"{"ev":"typing","channel":"room:swift","count":2}"#
    #expect(encoder.bytes == [UInt8](repeating: 0, count: reserved) + [UInt8](object.utf8))
  }

  @Test("the memory of one long message is not kept")
  func memory() {
    var encoder = WireEncoder(capacity: 1_024)
    let data = raw("\"\(String(repeating: "a", count: 200_000))\"")
    let message = Message(
      channel: Sample.room, seq: 1, user: Sample.ann, ts: Sample.ts,
      content: MessageContent(data: data))
    encoder.encode(Event.message(message, toSender: false))
    #expect(encoder.bytes.capacity > 200_000)
    encoder.begin(reserving: 4)
    #expect(encoder.bytes.capacity <= 64 * 1_024)
  }

  @Test(
    "numbers are written at every length",
    arguments: [0, 9, 10, 99, 100, 1_234_567_890, Limits.largestInteger, Int.max, -1, Int.min])
  func numbers(_ number: Int) {
    var encoder = WireEncoder(capacity: 64)
    encoder.encode(Event.typingCount(Sample.room, number))
    #expect(text(encoder.bytes) == #"{"ev":"typing","channel":"room:swift","count":\#(number)}"#)
  }
}
