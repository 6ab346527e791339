/// Why a request was not done. Nothing has changed when one is answered.
package struct Refusal: Error, Equatable, Sendable {
  /// What programs act on.
  package let code: ErrorCode
  /// The code as it stands on the wire: that of `code`, or a newer hub's that this version has no
  /// case for.
  package let codeText: String
  /// A sentence for people; it may change between releases.
  package let message: String
  /// Milliseconds after which trying again can help; nil where it cannot.
  package let retryAfterMilliseconds: Int?

  package init(_ code: ErrorCode, _ message: String, retryAfterMilliseconds: Int? = nil) {
    self.init(
      code, message, retryAfterMilliseconds: retryAfterMilliseconds, codeText: code.rawValue)
  }

  /// A refusal read from the wire, whose `codeText` `code` may only approximate.
  init(_ code: ErrorCode, _ message: String, retryAfterMilliseconds: Int?, codeText: String) {
    self.code = code
    self.codeText = codeText
    self.message = message
    self.retryAfterMilliseconds = retryAfterMilliseconds
  }
}
