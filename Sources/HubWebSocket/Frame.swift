package import NIOCore

/// Writes whole frames: a client's, which are masked, and control frames of both roles.
package enum Frame {
  /// The most bytes a control frame may carry (RFC 6455 §5.5).
  package static let controlLimit = 125

  /// One frame with its header in the shortest form.
  /// - Parameters:
  ///   - mask: a key nobody can predict for a client's frame, `nil` for a server's (§5.3).
  ///   - isFinal: `false` for a fragment that another follows (§5.4).
  package static func encode(
    _ opcode: Opcode, payload: ByteBuffer, mask: UInt32?, isFinal: Bool = true,
    allocator: ByteBufferAllocator = ByteBufferAllocator()
  ) -> ByteBuffer {
    // SAFETY: the pointer is only read and does not leave the closure.
    payload.withUnsafeReadableBytes {
      Self.encode(opcode, bytes: $0, mask: mask, isFinal: isFinal, allocator: allocator)
    }
  }

  /// The same from raw memory, which is copied.
  // SAFETY: the bytes are copied before the call returns.
  package static func encode(
    _ opcode: Opcode, bytes: UnsafeRawBufferPointer, mask: UInt32?, isFinal: Bool = true,
    allocator: ByteBufferAllocator = ByteBufferAllocator()
  ) -> ByteBuffer {
    var frame = allocator.buffer(capacity: bytes.count + 14)
    Self.append(opcode, bytes: bytes, mask: mask, isFinal: isFinal, to: &frame)
    return frame
  }

  /// Writes a frame behind those already in `frames`.
  // SAFETY: the bytes are copied before the call returns.
  static func append(
    _ opcode: Opcode, bytes: UnsafeRawBufferPointer, mask: UInt32?, isFinal: Bool = true,
    to frames: inout ByteBuffer
  ) {
    frames.writeInteger((isFinal ? 0x80 : 0) | opcode.rawValue)
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    switch bytes.count {
    case ...125:
      frames.writeInteger(maskBit | UInt8(truncatingIfNeeded: bytes.count))
    case ...0xFFFF:
      frames.writeInteger(maskBit | 126)
      frames.writeInteger(UInt16(truncatingIfNeeded: bytes.count))
    default:
      frames.writeInteger(maskBit | 127)
      frames.writeInteger(UInt64(bytes.count))
    }
    if let mask {
      frames.writeInteger(mask)
    }
    frames.writeBytes(bytes)
    if let mask {
      // SAFETY: the payload is the last of the readable bytes, written just now; the pointer does
      // not leave the closure.
      frames.withUnsafeMutableReadableBytes { frames in
        let payload = UnsafeMutableRawBufferPointer(rebasing: frames.suffix(bytes.count))
        _ = MaskKey(mask).apply(to: payload)
      }
    }
  }
}
