package import NIOCore

/// The content of a close frame (RFC 6455 §5.5.1): nothing at all, or a code and a reason.
package struct CloseFrame: Sendable, Equatable {
  /// `nil` when the frame has no payload.
  package let code: CloseCode?
  /// At most 123 bytes of UTF-8; empty when there is no code.
  package let reason: String

  /// A close frame without payload.
  package static let empty = CloseFrame(unchecked: nil, reason: "")

  /// The most bytes of UTF-8 a reason can have: 125 less the two of the code.
  package static let reasonLimit = 123

  /// A reason longer than ``reasonLimit`` is cut before the character that would pass it.
  package init(code: CloseCode, reason: String = "") {
    guard reason.utf8.count > Self.reasonLimit else {
      self.init(unchecked: code, reason: reason)
      return
    }
    var kept = ""
    var bytes = 0
    for character in reason {
      bytes += character.utf8.count
      guard bytes <= Self.reasonLimit else { break }
      kept.append(character)
    }
    self.init(unchecked: code, reason: kept)
  }

  private init(unchecked code: CloseCode?, reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Reads the unmasked payload of a received close frame. One byte, or a code that must not be
  /// sent, is ``Violation/malformedClose`` or ``Violation/invalidCloseCode``; a reason that is not
  /// UTF-8 is ``Violation/invalidUTF8`` (§7.4, §8.1).
  package init(payload: ByteBuffer) throws(Violation) {
    var payload = payload
    guard payload.readableBytes > 0 else {
      self = .empty
      return
    }
    guard let number = payload.readInteger(as: UInt16.self) else {
      throw .malformedClose
    }
    guard let code = CloseCode(number) else {
      throw .invalidCloseCode
    }
    guard let reason = String(validating: payload.readableBytesView, as: UTF8.self) else {
      throw .invalidUTF8
    }
    self.init(unchecked: code, reason: reason)
  }

  /// The payload as it stands on the wire, before masking.
  package var payload: ByteBuffer {
    var payload = ByteBuffer()
    if let code = self.code {
      payload.writeInteger(code.rawValue)
      payload.writeString(self.reason)
    }
    return payload
  }
}
