import HubWebSocket
import NIOCore

/// Frames written by hand, right or wrong, byte by byte and apart from the code under test.
enum Wire {
  enum Width { case shortest, two, eight }

  /// The key of every masked frame of the tests.
  static let key: [UInt8] = [0xA1, 0x5B, 0xFF, 0x07]

  static func frame(
    _ opcode: UInt8, _ payload: [UInt8] = [], final: Bool = true, reserved: UInt8 = 0,
    masked: Bool = true, width: Width = .shortest
  ) -> [UInt8] {
    Self.header(
      opcode, length: UInt64(payload.count), final: final, reserved: reserved, masked: masked,
      width: width)
      + (masked ? payload.enumerated().map { $1 ^ Self.key[$0 % 4] } : payload)
  }

  static func header(
    _ opcode: UInt8, length: UInt64, final: Bool = true, reserved: UInt8 = 0,
    masked: Bool = true, width: Width = .shortest
  ) -> [UInt8] {
    let first = (final ? 0x80 : 0) | reserved << 4 | opcode
    let bit: UInt8 = masked ? 0x80 : 0
    let length8 = stride(from: 56, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: length >> UInt64($0))
    }
    let size: [UInt8] =
      switch (width, length) {
      case (.shortest, ...125): [bit | UInt8(length)]
      case (.two, _), (.shortest, ...0xFFFF): [bit | 126] + length8.suffix(2)
      case (.eight, _), (.shortest, _): [bit | 127] + length8
      }
    return [first] + size + (masked ? Self.key : [])
  }

  static func text(_ text: String, final: Bool = true) -> [UInt8] {
    Self.frame(0x1, Array(text.utf8), final: final)
  }

  static func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
    Self.frame(0x8, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
  }
}

extension ReceivedUnit {
  static func text(_ text: String) -> ReceivedUnit {
    .message(WebSocketMessage(kind: .text, payload: ByteBuffer(string: text)))
  }

  static func binary(_ bytes: [UInt8]) -> ReceivedUnit {
    .message(WebSocketMessage(kind: .binary, payload: ByteBuffer(bytes: bytes)))
  }

  static func ping(_ text: String) -> ReceivedUnit { .ping(ByteBuffer(string: text)) }
  static func pong(_ text: String) -> ReceivedUnit { .pong(ByteBuffer(string: text)) }

  static func close(_ code: CloseCode, _ reason: String = "") -> ReceivedUnit {
    .close(CloseFrame(code: code, reason: reason))
  }
}

/// What a decoder makes of bytes that arrive in the given pieces.
func decode(
  _ pieces: [ArraySlice<UInt8>], from peer: WebSocketRole = .client(maskKey: { 0 }),
  limit: Int = 256 * 1024
) -> [ReceivedUnit] {
  let expectsMask =
    switch peer {
    case .server: false
    case .client: true
    }
  var decoder = MessageDecoder(expectsMask: expectsMask, maxMessageBytes: limit)
  var units: [ReceivedUnit] = []
  for piece in pieces {
    var buffer = ByteBuffer(bytes: piece)
    while let unit = decoder.next(&buffer) {
      units.append(unit)
    }
  }
  return units
}

func decode(
  _ bytes: [UInt8], from peer: WebSocketRole = .client(maskKey: { 0 }), limit: Int = 256 * 1024
) -> [ReceivedUnit] {
  decode([bytes[...]], from: peer, limit: limit)
}
