/// What a channel is called on the wire: 1–128 bytes of `A-Z a-z 0-9 _ - . : @ #`, not beginning
/// with `@` (protocol, "Envelope").
package struct ChannelName: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The name as it stands on the wire.
  package let text: String

  /// Nil unless `text` is a well-formed name.
  package init?(_ text: String) {
    guard NameRule.allows(text, bytes: Limits.channelNameBytes) else { return nil }
    self.text = text
  }

  /// The name of a direct channel: `dm:` before 32 lower-case hex digits (protocol, "Channels and
  /// membership").
  package init(directDigest digest: [UInt8]) {
    precondition(digest.count == 16, "a direct channel is named by 16 bytes of digest")
    var text = "dm:"
    for byte in digest {
      text.unicodeScalars.append(Self.hexDigit(byte >> 4))
      text.unicodeScalars.append(Self.hexDigit(byte & 15))
    }
    self.text = text
  }

  package var description: String { text }

  /// Byte order.
  package static func < (lhs: ChannelName, rhs: ChannelName) -> Bool { lhs.text < rhs.text }

  private static func hexDigit(_ value: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(value < 10 ? 48 + value : 87 + value)
  }
}
