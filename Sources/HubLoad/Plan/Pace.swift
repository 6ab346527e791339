/// When the next message is published.
package enum Pace: Sendable, Equatable {
  /// Closed loop: as soon as at most so many messages are on their way, 1 or more. Messages are
  /// counted by their deliveries. What the hub delays is published later, so percentiles are those
  /// of a polite client.
  case window(Int)
  /// Open loop: so many messages a second, however the hub is doing. Latencies are measured from
  /// the moment a message was due, which corrects them for coordinated omission.
  case rate(Double)
}
