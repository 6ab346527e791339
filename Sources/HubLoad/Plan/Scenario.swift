/// What a load test does to the hub.
package enum Scenario: String, Sendable, CaseIterable, Encodable {
  /// One user who listens to nothing publishes to channels that all others listen to.
  case fanout
  /// Small rooms: the first member of each publishes, all members listen.
  case rooms
  /// Connections that said `hello` and do nothing more.
  case idle
}
