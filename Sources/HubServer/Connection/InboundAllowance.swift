import HubProtocol

/// How much a connection may ask before it is answered: past 256 requests or 1 MiB it is not read
/// from until half are answered (protocol, "Transport").
package struct InboundAllowance {
  /// Requests that may be unanswered.
  package static let requests = 256
  /// Bytes of requests that may be unanswered.
  package static let bytes = 1024 * 1024

  private var requests = 0
  private var bytes = 0
  /// Whether the connection is read from.
  package private(set) var isOpen = true

  package init() {}

  /// A request of `bytes` came.
  package mutating func take(bytes: Int) {
    requests += 1
    self.bytes += bytes
    if requests > Self.requests || self.bytes > Self.bytes { isOpen = false }
  }

  /// A request of `bytes` was answered.
  package mutating func answer(bytes: Int) {
    requests -= 1
    self.bytes -= bytes
    if requests <= Self.requests / 2, self.bytes <= Self.bytes / 2 { isOpen = true }
  }
}
