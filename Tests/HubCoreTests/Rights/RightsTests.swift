import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: who may")
struct RightsTests {
  @Test(
    "each operation of each standing in each kind of channel is done or refused as the table says",
    arguments: [ChannelKind.group, .public, .broadcast])
  func table(kind: ChannelKind) {
    for right in Right.all {
      let expected = Self.columns(of: right, kind)
      let outcomes = RightsStage.Standing.allCases.map { outcome(of: right, kind, $0) }
      #expect(outcomes == expected, "\(right.name) in a \(kind.rawValue) channel")
    }
  }

  @Test("in direct channels there are two members, and the channel is nobody else's")
  func direct() {
    for right in Right.all {
      let outcomes = [RightsStage.Standing.member, .stranger].map {
        outcome(of: right, .direct, $0)
      }
      #expect(outcomes == Self.columns(of: right, .direct), "\(right.name) in a direct channel")
    }
  }

  /// `ok` or the error's code; a refused request must change nothing and tell nobody anything.
  private func outcome(
    of right: Right, _ kind: ChannelKind, _ standing: RightsStage.Standing
  ) -> String {
    let stage = RightsStage(kind, for: standing)
    let before = stage.hub.state
    let answer = right.ask(stage)
    guard answer.hasPrefix("refused ") else { return "ok" }
    let what = "\(right.name) in \(kind.rawValue) by \(standing)"
    #expect(stage.hub.state == before, "refused \(what) changed something")
    stage.hub.pass(20_000)
    #expect(stage.told == [], "refused \(what) was told")
    return String(answer.dropFirst("refused ".count))
  }

  private static func columns(of right: Right, _ kind: ChannelKind) -> [String] {
    let row =
      switch kind {
      case .group: right.group
      case .public: right.public
      case .broadcast: right.broadcast
      case .direct: right.direct
      }
    return row.split(separator: " ").map(String.init)
  }
}
