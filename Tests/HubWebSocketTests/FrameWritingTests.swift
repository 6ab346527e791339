import HubWebSocket
import NIOCore
import Testing

@Suite("RFC 6455 §5.2 Writing frames")
struct FrameWritingTests {
  @Test(
    "A header in the reserved bytes is the shortest there is",
    arguments: [
      (0, 8), (1, 8), (125, 8), (126, 6), (65535, 6), (65536, 0), (100_000, 0),
    ])
  func reserved(length: Int, start: Int) {
    let payload = [UInt8](repeating: 65, count: length)
    for opcode in [Opcode.text, .binary, .continuation] {
      var scratch = [UInt8](repeating: 0xEE, count: FrameHeader.reservedBytes) + payload
      #expect(FrameHeader.fill(&scratch, opcode: opcode) == start)
      let frame = Array(scratch[start...])
      #expect(frame == Wire.frame(opcode.rawValue, payload, masked: false))
    }
  }

  @Test(
    "A frame in one piece is the shortest there is",
    arguments: [
      0, 1, 7, 125, 126, 127, 65535, 65536,
    ])
  func whole(length: Int) {
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    let buffer = ByteBuffer(bytes: payload)
    let plain = Frame.encode(.binary, payload: buffer, mask: nil)
    #expect(Array(plain.readableBytesView) == Wire.frame(0x2, payload, masked: false))
    let masked = Frame.encode(.binary, payload: buffer, mask: 0xA15B_FF07, isFinal: false)
    #expect(Array(masked.readableBytesView) == Wire.frame(0x2, payload, final: false))
  }
}

@Suite("RFC 6455 §7.4 Close codes")
struct CloseCodeTests {
  @Test("Exactly 1000–1003, 1007–1014 and 3000–4999 may stand on the wire")
  func ranges() {
    for number in UInt16.min...UInt16.max {
      let isAllowed =
        (1000...1003).contains(number) || (1007...1014).contains(number)
        || (3000...4999).contains(number)
      #expect((CloseCode(number) != nil) == isAllowed, "\(number)")
    }
  }

  @Test(
    "A received code that must not be sent is a protocol error",
    arguments: [
      0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535,
    ] as [UInt16])
  func refused(code: UInt16) {
    #expect(decode(Wire.close(code)) == [.violation(.invalidCloseCode)])
    #expect(Violation.invalidCloseCode.closeCode == .protocolError)
  }

  @Test("A reason is cut to 123 bytes at the end of a character")
  func longReason() {
    let frame = CloseFrame(code: .normal, reason: String(repeating: "€", count: 50))
    #expect(frame.reason == String(repeating: "€", count: 41))
    #expect(frame.payload.readableBytes == 125)
    let short = CloseFrame(code: .normal, reason: "as it is")
    #expect(short.reason == "as it is")
  }

  @Test("Every violation has a reason that fits and one of three codes")
  func violations() {
    for violation in Violation.allCases {
      #expect(violation.sentence.utf8.count <= CloseFrame.reasonLimit)
      #expect(
        [.protocolError, .invalidPayload, .messageTooBig].contains(violation.closeCode))
    }
  }
}
