/// Who a person or a bot is to the hub: 1–120 bytes of `A-Z a-z 0-9 _ - . : @ #`, not beginning
/// with `@` (protocol, "Envelope"). Chosen by the app that issues the tokens.
package struct UserID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The id as it stands on the wire.
  package let text: String

  /// Nil unless `text` is a well-formed id.
  package init?(_ text: String) {
    guard NameRule.allows(text, bytes: Limits.userIDBytes) else { return nil }
    self.text = text
  }

  package var description: String { text }

  /// Byte order, which is also what direct channels are named by.
  package static func < (lhs: UserID, rhs: UserID) -> Bool { lhs.text < rhs.text }
}
