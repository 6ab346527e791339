/// Who listens where and who publishes, and in which order they are opened. Users and channels are
/// numbered from 0.
package struct LoadLayout: Sendable, Equatable {
  /// All users, the publisher of `fanout` included.
  package let userCount: Int
  package let channelCount: Int
  package let waves: [Wave]
  private let scenario: Scenario
  private let listenerCount: Int

  package init(_ plan: LoadPlan) {
    scenario = plan.scenario
    listenerCount = plan.connections
    let all = 0..<plan.connections
    let join: [Wave.Step] = plan.isJoined ? [.join, .subscribe] : [.subscribe]
    switch plan.scenario {
    case .fanout:
      userCount = plan.connections + 1
      channelCount = plan.channels
      waves = [
        Wave(
          "publisher", users: all.upperBound..<userCount, [.connect, .upgrade, .hello, .create]),
        Wave("subscribed", users: all, [.connect, .upgrade, .hello] + join),
      ]
    case .rooms:
      userCount = plan.connections
      channelCount = plan.channels
      let first = 0..<plan.channels
      waves = [
        Wave(
          "first of each room", users: first, [.connect, .upgrade, .hello, .create, .subscribe]),
        Wave(
          "subscribed", users: first.upperBound..<userCount, [.connect, .upgrade, .hello] + join),
      ]
    case .idle:
      userCount = plan.connections
      channelCount = 1
      waves = plan.isStaged ? Self.stages(all) : [Wave("hello", users: all, Self.greeting)]
    }
  }

  private static let greeting: [Wave.Step] = [.connect, .upgrade, .hello]

  private static func stages(_ all: Range<Int>) -> [Wave] {
    [
      Wave("TCP accepted", users: all, [.connect]), Wave("WebSocket", users: all, [.upgrade]),
      Wave("hello", users: all, [.hello]), Wave("channel", users: 0..<1, [.create]),
      Wave("subscribed", users: all, [.subscribe]),
    ]
  }

  /// The channel that `user` listens to; nil for the publisher of `fanout`.
  package func listensTo(_ user: Int) -> Int? {
    user < listenerCount ? user % channelCount : nil
  }

  /// The channels that `user` makes and publishes to.
  package func publishesTo(_ user: Int) -> Range<Int> {
    switch scenario {
    case .fanout: user == listenerCount ? 0..<channelCount : 0..<0
    case .rooms: user < channelCount ? user..<user + 1 : 0..<0
    case .idle: user == 0 ? 0..<1 : 0..<0
    }
  }

  /// The user who publishes to `channel`.
  package func publisher(of channel: Int) -> Int {
    switch scenario {
    case .fanout: listenerCount
    case .rooms: channel
    case .idle: 0
    }
  }

  /// How many listen to `channel`: the deliveries of each of its messages.
  package func listeners(of channel: Int) -> Int {
    listenerCount / channelCount + (channel < listenerCount % channelCount ? 1 : 0)
  }

  /// The deliveries that a message has at least, 1 or more.
  package var fewestListeners: Int { max(1, listenerCount / channelCount) }
}
