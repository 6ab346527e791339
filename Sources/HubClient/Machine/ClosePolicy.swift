internal import HubWebSocket

/// Why a link to the hub is gone.
package enum LinkEnd: Hashable, Sendable {
  /// The hub sent a close frame; no code if it had none.
  case closedByHub(code: UInt16?, reason: String)
  /// The bytes broke off, or the hub was silent too long, or broke RFC 6455.
  case abrupt(String)
  /// We sent a close frame, and it is over.
  case closedByUs
  /// The hub, or what stands there, answered the upgrade with this HTTP status.
  case refused(status: Int, String)
  /// Nothing answers there.
  case unreachable(String)
  /// What answers there is no hub, and will not become one.
  case noHub(String)
}

/// Who comes back after what (protocol, "Errors and close codes").
package enum ClosePolicy {
  /// Nil when the client should come back, else why it should not.
  package static func verdict(on end: LinkEnd) -> HubError? {
    switch end {
    case .closedByHub(let code?, let reason) where staysAway(code):
      HubError(HubError.ended, "the hub ended the connection: \(sentence(code, reason))")
    case .refused(let status, let body) where !(500...599 ~= status) && status != 429:
      HubError(
        HubError.unreachable, "the server answered \(status)\(body.isEmpty ? "" : ": ")\(body)")
    case .noHub(let sentence):
      HubError(HubError.unreachable, sentence)
    case .closedByHub, .refused, .abrupt, .closedByUs, .unreachable:
      nil
    }
  }

  /// What is told about an end by which an attempt failed.
  package static func error(for end: LinkEnd) -> HubError {
    if let error = verdict(on: end) { return error }
    return switch end {
    case .closedByHub(let code, let reason):
      HubError(
        HubError.connectionLost,
        "the hub closed the connection: \(sentence(code ?? 1005, reason))")
    case .abrupt(let reason): HubError(HubError.connectionLost, reason)
    case .closedByUs: HubError(HubError.closed, "the connection is closed")
    case .refused(let status, _): HubError(HubError.unreachable, "the server answered \(status)")
    case .unreachable(let reason), .noHub(let reason): HubError(HubError.unreachable, reason)
    }
  }

  /// 44xx come back, 45xx do not. Of RFC 6455's own codes those stay away that say that our bytes
  /// were wrong: the same bytes would be wrong again.
  private static func staysAway(_ code: UInt16) -> Bool {
    switch code {
    case 4500...4599: true
    case 1002, 1003, 1007, 1008, 1009, 1010: true
    default: false
    }
  }

  private static func sentence(_ code: UInt16, _ reason: String) -> String {
    reason.isEmpty ? "code \(code)" : "\(reason) (\(code))"
  }
}
