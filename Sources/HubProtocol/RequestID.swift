/// The number a client gives a request and finds on its reply: 1…2^53−1, not necessarily unique
/// (protocol, "Envelope").
package struct RequestID: Hashable, Sendable {
  /// The number as it stands on the wire.
  package let number: Int

  /// Nil outside 1…2^53−1.
  package init?(_ number: Int) {
    guard (1...Limits.largestInteger).contains(number) else { return nil }
    self.number = number
  }
}
