/// One JSON value kept as the bytes it came in, so that it goes out byte for byte (`data`,
/// `custom`, attachments). Its syntax and depth were checked when it was decoded.
package struct RawJSON: Hashable, Sendable {
  /// UTF-8 text of exactly one JSON value, without white space around it.
  package let bytes: [UInt8]

  /// Keeps `bytes`, which the caller has checked to be one JSON value of at most `Limits.jsonDepth`
  /// levels.
  package init(checked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// An object with one member, a string.
  package init(_ name: String, _ text: String) {
    var writer = JSONWriter(capacity: 64)
    writer.literal("{")
    writer.string(name)
    writer.literal(":")
    writer.string(text)
    writer.literal("}")
    bytes = writer.bytes
  }
}
