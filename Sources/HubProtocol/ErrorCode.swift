/// The stable part of an error (protocol, "Errors and close codes").
package enum ErrorCode: String, Sendable, CaseIterable {
  case badRequest = "bad_request"
  case unknownOperation = "unknown_op"
  case unauthenticated
  case forbidden
  case notMember = "not_member"
  case blocked
  case muted
  case banned
  case notFound = "not_found"
  case alreadyExists = "already_exists"
  case conflict
  case historyGone = "history_gone"
  case tooLarge = "too_large"
  case rateLimited = "rate_limited"
  case `internal`
  case unavailable
  case storageFull = "storage_full"

  /// The status the same error has over HTTP.
  package var httpStatus: Int {
    switch self {
    case .badRequest, .unknownOperation: 400
    case .unauthenticated: 401
    case .forbidden, .notMember, .blocked, .muted, .banned: 403
    case .notFound: 404
    case .alreadyExists, .conflict: 409
    case .historyGone: 410
    case .tooLarge: 413
    case .rateLimited: 429
    case .internal: 500
    case .unavailable: 503
    case .storageFull: 507
    }
  }
}
