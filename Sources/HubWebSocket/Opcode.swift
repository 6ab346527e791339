/// What a frame carries (RFC 6455 §5.2). The reserved values are not representable: a frame that
/// bears one is a violation.
package enum Opcode: UInt8, Sendable {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  /// Control frames carry at most 125 bytes, are never fragmented and may stand between the
  /// fragments of a message (§5.5).
  package var isControl: Bool { self.rawValue & 0x8 != 0 }
}
