internal import HubProtocol

/// One JSON value as the bytes it has on the wire: `data` and `custom` of the app's own, and the
/// hub's events and replies as they came (protocol, "Envelope").
///
///     let vote = HubJSON(#"{"poll":1,"choice":0}"#)
///     try await connection.send("lunch", to: "room:food", data: vote)
public struct HubJSON: Hashable, Sendable, CustomStringConvertible {
  /// UTF-8 text of exactly one JSON value, without white space around it.
  public let bytes: [UInt8]

  /// `{}`.
  public static let emptyObject = HubJSON(checked: [UInt8]("{}".utf8))

  /// Nil unless `text` is one JSON value (RFC 8259) that nests no deeper than the protocol allows.
  /// White space around it is dropped, everything else is kept byte for byte.
  public init?(_ text: String) {
    let bytes = [UInt8](text.utf8).trimmingJSONSpace()
    // As the only member of an object it is exactly one value, whatever its kind.
    guard let object = JSONObject([UInt8](#"{"v":"#.utf8) + bytes + [UInt8(ascii: "}")]),
      object.keys == ["v"], !bytes.isEmpty
    else { return nil }
    self.bytes = bytes
  }

  /// A JSON string that says `string`.
  public init(string: String) {
    bytes = JSONLiteral.string(string)
  }

  /// Keeps bytes that are known to be one JSON value.
  package init(checked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The value as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The same as ``text``.
  public var description: String { text }

  /// The value as an object; nil when it is of another kind.
  var object: JSONObject? { JSONObject(bytes) }

  var raw: RawJSON { RawJSON(checked: bytes) }
}

extension HubJSON {
  /// The same object with `members`, JSON text such as `"ev":"message"`, in front; itself when it
  /// is no object.
  package func prefixed(by members: [UInt8]) -> HubJSON {
    guard bytes.first == UInt8(ascii: "{") else { return self }
    let inside = bytes.dropFirst().drop(while: \.isJSONSpace)
    let separator: [UInt8] = inside.first == UInt8(ascii: "}") ? [] : [UInt8(ascii: ",")]
    return HubJSON(checked: [UInt8(ascii: "{")] + members + separator + inside)
  }
}

/// Pieces of JSON text that this client writes itself.
package enum JSONLiteral {
  /// `string` with its quotation marks; escapes what must be escaped and nothing else.
  package static func string(_ string: String) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += [UInt8]("\\n".utf8)
      case ..<0x20: bytes += [UInt8]("\\u00".utf8) + [hex(byte >> 4), hex(byte & 15)]
      default: bytes.append(byte)
      }
    }
    return bytes + [UInt8(ascii: "\"")]
  }

  /// `"name":"value"`.
  package static func member(_ name: String, _ value: String) -> [UInt8] {
    string(name) + [UInt8(ascii: ":")] + string(value)
  }

  private static func hex(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
  }
}

extension [UInt8] {
  fileprivate func trimmingJSONSpace() -> [UInt8] {
    guard let first = firstIndex(where: { !$0.isJSONSpace }),
      let last = lastIndex(where: { !$0.isJSONSpace })
    else { return [] }
    return [UInt8](self[first...last])
  }
}
