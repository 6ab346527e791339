import HubCore
import HubProtocol
import HubServer
import NIOCore
import SeededRandom
import Testing

@Suite("architecture, Outbound lanes: whatever comes, the reader gets it or is told")
struct LanesPropertyTests {
  /// How fast frames come and go.
  private struct Pace {
    let limit: Int
    let largest: Int
    /// In 100 steps.
    let takes: Int
  }

  private let paces = [
    Pace(limit: 1_000, largest: 200, takes: 10), Pace(limit: 1_000, largest: 60, takes: 40),
    Pace(limit: 300, largest: 400, takes: 30), Pace(limit: 20_000, largest: 400, takes: 5),
  ]

  @Test("in order, the newest value, one gap for what is missing, bounded", arguments: 0..<400)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pace = paces[Int(seed % 4)]
    let channels = try (1...3).map { try TestChannel($0) }
    var model = LanesModel(channels)
    var lanes = OutboundLanes(limit: pace.limit)
    for step in 0..<1_500 {
      if Int.random(in: 0..<100, using: &random) < pace.takes {
        let bytes = Int.random(in: 1...pace.limit, using: &random)
        for item in lanes.takePiece(ofAbout: bytes) { model.read(item) }
      } else {
        let mark = try mark(&random, channels, model)
        let bytes = Int.random(in: 1...pace.largest, using: &random)
        let (text, position) = model.put(mark, bytes: bytes)
        lanes.add(text, mark, bytes: bytes, behind: (position.seq, position.rev))
      }
      let most = model.mostBytes(limit: pace.limit)
      try #require(lanes.bytes <= most, "seed \(seed), step \(step)")
      try #require(model.faults.isEmpty, "seed \(seed), step \(step)")
    }
    while !lanes.isEmpty {
      for item in lanes.takePiece(ofAbout: 500) { model.read(item) }
    }
    model.finish()
    #expect(lanes.bytes == 0, "seed \(seed)")
    #expect(model.faults.isEmpty, "seed \(seed)")
  }

  private func mark(
    _ random: inout SplitMix64, _ channels: [TestChannel], _ model: LanesModel
  ) throws -> Mark {
    let channel = channels[Int.random(in: 0..<channels.count, using: &random)]
    let user = try #require(UserID("user-\(Int.random(in: 0..<3, using: &random))"))
    return switch Int.random(in: 0..<100, using: &random) {
    case 0..<40: channel.message(model.next(channel).seq)
    case 40..<55: channel.change(model.next(channel).rev)
    case 55..<60: channel.event
    case 60..<68: channel.typing
    case 68..<76: channel.unread
    case 76..<79: .latest(.receipt(channel.name, user))
    case 79..<82: .latest(.presence(user))
    case 82..<84: .latest(.present(channel.name))
    case 84..<86: .latest(.activity(channel.name))
    case 86..<91: .userStream
    case 91..<93: .ephemeral
    case 93..<97: .reply
    case 97..<99: .subscribed
    default: .ended(channel.name)
    }
  }
}
