private import Crypto

/// The value of `Sec-WebSocket-Key` and what answers it (RFC 6455 §4.1, §4.2.2).
package struct HandshakeKey: Sendable, Equatable {
  /// 24 characters of base64.
  package let value: String

  /// The key a client sends.
  /// - Parameter nonce: 16 bytes nobody can predict.
  package init(nonce: (UInt64, UInt64)) {
    let bytes = [nonce.0, nonce.1].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
    self.value = Self.base64(bytes)
  }

  /// The key a server received; `nil` unless it is the base64 of exactly 16 bytes in its one
  /// canonical form: 22 characters, the last of which has four zero bits, and `==`.
  package init?(received value: String) {
    let characters = Array(value.utf8)
    guard characters.count == 24, characters[22...].elementsEqual("==".utf8) else { return nil }
    let digits = characters[..<22].compactMap { Self.alphabet.firstIndex(of: $0) }
    guard digits.count == 22, digits[21] & 0x0F == 0 else { return nil }
    self.value = value
  }

  /// The value of `Sec-WebSocket-Accept` that proves the key was understood.
  package var accept: String {
    let text = self.value + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return Self.base64(Array(Insecure.SHA1.hash(data: Array(text.utf8))))
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 {
        let digit = bits >> (18 - 6 * position) & 0x3F
        text.append(position <= group.count ? self.alphabet[digit] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
