package import HubProtocol

/// Everything that decides what a load test does, apart from where the hub is.
package struct LoadPlan: Sendable, Equatable {
  package var scenario: Scenario
  /// Connections that listen, or idle; the publisher of `fanout` is one more.
  package var connections: Int
  /// Channels over which the connections are dealt out in turn; not used by `idle`.
  package var channels: Int
  /// Bytes of text of each message, at least ``Stamp/byteCount``.
  package var bytes = 128
  package var pace = Pace.window(1)
  /// How long messages are published; with `idle`, how long the connections are watched.
  package var seconds = 5.0
  /// Connections opened a second.
  package var connectRate = 2_000.0
  /// Whether those who listen join first.
  package var isJoined = false
  /// `idle` only: every step of opening is done by all connections before the next one begins, so
  /// that the memory of each can be told apart; all subscribe to one channel in the end.
  package var isStaged = false
  /// What the filling of the messages is made from.
  package var seed: UInt64
  /// Distinguishes the users and channels of this run from those of others; letters and digits.
  package var run: String
  /// What stands in front of `-<run>-<number>` in each user's token.
  package var tokenPrefix = "dev:bench"

  package init(scenario: Scenario, connections: Int, channels: Int, seed: UInt64, run: String) {
    self.scenario = scenario
    self.connections = connections
    self.channels = channels
    self.seed = seed
    self.run = run
  }

  /// The token of the user with this number.
  package func token(_ user: Int) -> String { "\(tokenPrefix)-\(run)-\(user)" }

  /// The name of the channel with this number; nil when `run` cannot stand in a name.
  package func channelName(_ channel: Int) -> ChannelName? {
    ChannelName("bench:\(run):\(channel)")
  }

  /// Every value that is out of range, as a sentence; empty when the plan can be carried out.
  package func problems() -> [String] {
    var problems: [String] = []
    func demand(_ holds: Bool, _ sentence: String) {
      if !holds { problems.append(sentence) }
    }
    demand(connections >= 1, "--connections must be at least 1")
    demand(
      1...max(1, connections) ~= channels, "there must be 1 to as many channels as connections")
    demand(
      Stamp.byteCount...Limits.textCharacters ~= bytes,
      "--bytes must be \(Stamp.byteCount) to \(Limits.textCharacters)")
    demand(seconds > 0 && seconds <= 86_400, "--seconds must be above 0 and at most 86400")
    demand(
      connectRate > 0 && connectRate <= 1_000_000,
      "--connect-rate must be above 0 and at most 1000000")
    switch pace {
    case .window(let window):
      demand(1...100_000 ~= window, "--window must be 1 to 100000")
    case .rate(let rate):
      demand(rate > 0 && rate <= 10_000_000, "--rate must be above 0 and at most 10000000")
    }
    demand(!isStaged || scenario == .idle, "only idle can be staged")
    demand(channelName(0) != nil, "the run's name must be letters and digits")
    demand(
      token(0).utf8.count <= Limits.userIDBytes && token(0).utf8.allSatisfy { 0x21...0x7E ~= $0 },
      "--token must be a short prefix of visible characters, such as dev:bench")
    return problems
  }
}
