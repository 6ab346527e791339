package import NIOCore

/// Reads the header of one frame after the other from bytes cut anywhere, and refuses each as
/// soon as the byte that breaks a rule is there (RFC 6455 §5.2).
package struct FrameHeaderDecoder: ~Copyable {
  /// What the next byte is.
  private enum Stage {
    /// FIN, reserved bits, opcode. → `length`
    case first
    /// Mask bit and the short length. → `extendedLength`, `mask` or a complete header
    case length
    /// One of the bytes of a 16- or 64-bit length. → itself, `mask` or a complete header
    case extendedLength(missing: UInt8, width: UInt8)
    /// One of the bytes of the mask. → itself or a complete header
    case mask(missing: UInt8)
  }

  private var stage = Stage.first
  private var isFinal = false
  private var opcode = Opcode.continuation
  private var isMasked = false
  private var mask: UInt32 = 0
  private var length: UInt64 = 0
  private let expectsMask: Bool

  /// - Parameter expectsMask: whether the peer is a client, whose frames must be masked (§5.1).
  package init(expectsMask: Bool) {
    self.expectsMask = expectsMask
  }

  /// Reads up to the end of the header. `nil` when bytes are missing; those there are consumed.
  /// - Parameter inMessage: whether a fragmented message waits for its continuation (§5.4).
  package mutating func next(
    _ buffer: inout ByteBuffer, inMessage: Bool
  ) throws(Violation) -> FrameHead? {
    while let byte = buffer.readInteger(as: UInt8.self) {
      switch self.stage {
      case .first: try self.first(byte, inMessage: inMessage)
      case .length: try self.shortLength(byte)
      case .extendedLength(let missing, let width):
        try self.extendedLength(byte, missing: missing, width: width)
      case .mask(let missing):
        self.mask = self.mask << 8 | UInt32(byte)
        self.stage = missing == 1 ? .first : .mask(missing: missing - 1)
      }
      if case .first = self.stage {
        return self.takeHead()
      }
    }
    return nil
  }

  private mutating func first(_ byte: UInt8, inMessage: Bool) throws(Violation) {
    guard byte & 0x70 == 0 else { throw .reservedBits }
    guard let opcode = Opcode(rawValue: byte & 0x0F) else { throw .reservedOpcode }
    self.isFinal = byte & 0x80 != 0
    self.opcode = opcode
    switch opcode {
    case .close, .ping, .pong:
      guard self.isFinal else { throw .fragmentedControl }
    case .continuation:
      guard inMessage else { throw .unexpectedContinuation }
    case .text, .binary:
      guard !inMessage else { throw .expectedContinuation }
    }
    self.stage = .length
  }

  private mutating func shortLength(_ byte: UInt8) throws(Violation) {
    self.isMasked = byte & 0x80 != 0
    guard self.isMasked == self.expectsMask else {
      throw self.expectsMask ? .unmaskedFrame : .maskedFrame
    }
    let short = byte & 0x7F
    guard !self.opcode.isControl || short <= 125 else { throw .oversizedControl }
    switch short {
    case 126: self.stage = .extendedLength(missing: 2, width: 2)
    case 127: self.stage = .extendedLength(missing: 8, width: 8)
    default:
      self.length = UInt64(short)
      self.finishLength()
    }
  }

  private mutating func extendedLength(
    _ byte: UInt8, missing: UInt8, width: UInt8
  ) throws(Violation) {
    guard missing < 8 || byte & 0x80 == 0 else { throw .lengthOutOfRange }
    self.length = self.length << 8 | UInt64(byte)
    guard missing == 1 else {
      self.stage = .extendedLength(missing: missing - 1, width: width)
      return
    }
    guard self.length > (width == 2 ? 125 : 0xFFFF) else { throw .lengthNotMinimal }
    self.finishLength()
  }

  private mutating func finishLength() {
    self.stage = self.isMasked ? .mask(missing: 4) : .first
  }

  private mutating func takeHead() -> FrameHead {
    // 63 bits were checked byte by byte, so the length fits an Int.
    let head = FrameHead(
      isFinal: self.isFinal, opcode: self.opcode, length: Int(self.length),
      mask: self.isMasked ? MaskKey(self.mask) : nil)
    self.length = 0
    self.mask = 0
    return head
  }
}
