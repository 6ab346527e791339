import HubServer
import SeededRandom
import Testing

@Suite("architecture, Concurrency: several loops, one order")
struct SeveralLoopsTests {
  /// Rounds in which a request is there and back on any number of loops.
  private let rounds = 6

  @Test("a request crosses to the sequencer and back", arguments: [1, 2, 3], [false, true])
  func thereAndBack(loopCount: Int, hasOwnLoop: Bool) async throws {
    let stage = try await LoopsStage(loopCount: loopCount, hasOwnLoop: hasOwnLoop)
    for loop in 0..<loopCount {
      var client = try await LoopsClient(stage, loop: loop)
      try await client.send(#"{"id":1,"op":"hello","token":"dev:user\#(loop)"}"#)
      try await client.send(#"{"id":2,"op":"ping"}"#)
      await stage.run(rounds: rounds)
      #expect(try await client.heard() == ["1 ok", "2 ok"])
    }
  }

  @Test(
    "everybody on every loop gets every message once, in one order",
    arguments: 1...3, [(false, UInt64(1)), (true, 2), (true, 3)])
  func oneOrder(loopCount: Int, variant: (hasOwnLoop: Bool, seed: UInt64)) async throws {
    var random = SplitMix64(seed: variant.seed)
    let stage = try await LoopsStage(loopCount: loopCount, hasOwnLoop: variant.hasOwnLoop)
    var first = try await join(stage, loop: 0, user: "first")
    var second = try await join(stage, loop: loopCount - 1, user: "second")
    var third = try await join(stage, loop: loopCount / 2, user: "third")
    for _ in 0..<120 {
      let send = #"{"id":9,"op":"message.send","channel":"room","text":"hi"}"#
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try await first.send(send)
      case 1: try await second.send(send)
      case 2: try await third.send(send)
      default: await stage.run()
      }
    }
    await stage.run(rounds: rounds)
    let heard = try await [first.heard(), second.heard(), third.heard()]
    let sent = heard.joined().count { $0 == "9 ok" }
    let expected = (1...sent).map { "message \($0)" }
    for client in heard {
      #expect(client.filter { $0.hasPrefix("message") } == expected, "seed \(variant.seed)")
    }
  }

  /// A client of `room`, which the first one makes, with what it heard so far taken off.
  private func join(
    _ stage: LoopsStage, loop: Int, user: String
  ) async throws -> LoopsClient {
    var client = try await LoopsClient(stage, loop: loop)
    try await client.send(#"{"op":"hello","token":"dev:\#(user)"}"#)
    try await client.send(#"{"op":"channel.create","channel":"room","kind":"public"}"#)
    try await client.send(#"{"op":"channel.join","channel":"room"}"#)
    try await client.send(#"{"op":"subscribe","channel":"room"}"#)
    await stage.run(rounds: rounds)
    _ = try await client.heard()
    return client
  }
}
