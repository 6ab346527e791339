/// Writes a server's frame header in front of a payload that is already there (RFC 6455 §5.2).
///
/// Reserve ``reservedBytes`` at the front of a scratch buffer, append the payload, then fill: the
/// header is put right before the payload, and the frame is everything from the offset returned.
package enum FrameHeader {
  /// The longest header without mask.
  package static let reservedBytes = 10

  /// Fills in the header of a whole unmasked frame; everything behind the reserved bytes is its
  /// payload. A scratch shorter than ``reservedBytes`` is a bug of the caller.
  /// - Returns: the offset at which the frame starts: 8, 6 or 0.
  package static func fill(_ scratch: inout [UInt8], opcode: Opcode = .text) -> Int {
    // SAFETY: the pointer does not leave the closure.
    scratch.withUnsafeMutableBytes { Self.fill($0, opcode: opcode) }
  }

  /// The same for raw memory.
  // SAFETY: stores stay within the ten bytes whose presence is checked.
  package static func fill(
    _ scratch: UnsafeMutableRawBufferPointer, opcode: Opcode = .text
  ) -> Int {
    precondition(scratch.count >= Self.reservedBytes, "the scratch must reserve a header")
    let length = scratch.count - Self.reservedBytes
    let first = 0x80 | opcode.rawValue
    // SAFETY: every store lies within the ten bytes whose presence was checked above.
    switch length {
    case ...125:
      scratch[8] = first
      scratch[9] = UInt8(truncatingIfNeeded: length)
      return 8
    case ...0xFFFF:
      scratch[6] = first
      scratch[7] = 126
      scratch.storeBytes(
        of: UInt16(truncatingIfNeeded: length).bigEndian, toByteOffset: 8, as: UInt16.self)
      return 6
    default:
      scratch[0] = first
      scratch[1] = 127
      scratch.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
      return 0
    }
  }
}
