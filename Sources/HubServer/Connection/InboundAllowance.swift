import HubProtocol

/// How much a connection may ask before it is answered: past 256 requests or 1 MiB it is not read
/// from until half are answered (protocol, "Transport").
struct InboundAllowance {
  /// Requests that may be unanswered.
  static let requests = 256
  /// Bytes of requests that may be unanswered.
  static let bytes = 1024 * 1024

  private var requests = 0
  private var bytes = 0
  /// Whether the connection is read from.
  private(set) var isOpen = true

  /// A request of `bytes` came.
  mutating func take(bytes: Int) {
    requests += 1
    self.bytes += bytes
    if requests > Self.requests || self.bytes > Self.bytes { isOpen = false }
  }

  /// A request of `bytes` was answered.
  mutating func answer(bytes: Int) {
    requests -= 1
    self.bytes -= bytes
    if requests <= Self.requests / 2, self.bytes <= Self.bytes / 2 { isOpen = true }
  }
}
