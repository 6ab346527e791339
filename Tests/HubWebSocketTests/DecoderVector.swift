import HubWebSocket
import Testing

/// Bytes a server receives and what they amount to, however they are cut.
struct DecoderVector: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let expected: [ReceivedUnit]
  var limit = 256 * 1024

  var testDescription: String { self.name }

  init(_ name: String, _ bytes: [UInt8], _ expected: [ReceivedUnit], limit: Int = 256 * 1024) {
    self.name = name
    self.bytes = bytes
    self.expected = expected
    self.limit = limit
  }

  static let all = Self.framing + Self.fragments + Self.controls + Self.text + Self.closes
}

extension DecoderVector {
  static let framing: [DecoderVector] =
    [0, 1, 125, 126, 127, 128, 300, 65535, 65536].map { size in
      let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
      return .init("\(size) bytes", Wire.frame(0x2, payload), [.binary(payload)])
    }
    + (1...7).map { bits in
      .init(
        "reserved bits \(bits)", Wire.text("a") + Wire.frame(0x1, [], reserved: bits),
        [.text("a"), .violation(.reservedBits)])
    }
    + [0x3, 0x4, 0x5, 0x6, 0x7, 0xB, 0xC, 0xD, 0xE, 0xF].map { opcode in
      .init("opcode \(opcode)", Wire.frame(opcode), [.violation(.reservedOpcode)])
    } + [
      .init("no mask", Wire.frame(0x1, [65], masked: false), [.violation(.unmaskedFrame)]),
      .init(
        "125 in two bytes", Wire.header(0x2, length: 125, width: .two),
        [.violation(.lengthNotMinimal)]),
      .init(
        "65535 in eight bytes", Wire.header(0x2, length: 65535, width: .eight),
        [.violation(.lengthNotMinimal)]),
      .init("a length of 2^63", Wire.header(0x2, length: 1 << 63), [.violation(.lengthOutOfRange)]),
      .init(
        "a length of 2^63 - 1", Wire.header(0x2, length: 1 << 63 - 1),
        [.violation(.messageTooBig)]),
      .init("exactly the limit", Wire.frame(0x2, [1, 2, 3]), [.binary([1, 2, 3])], limit: 3),
      .init(
        "a header one past the limit", Wire.header(0x2, length: 4),
        [.violation(.messageTooBig)], limit: 3),
      .init(
        "nothing follows a violation", Wire.frame(0x3) + Wire.text("a"),
        [.violation(.reservedOpcode)]),
    ]

  static let fragments: [DecoderVector] = [
    .init(
      "two fragments", Wire.text("Hel", final: false) + Wire.frame(0x0, Array("lo".utf8)),
      [.text("Hello")]),
    .init(
      "fragments of nothing",
      Wire.text("", final: false) + Wire.frame(0x0, [], final: false) + Wire.frame(0x0),
      [.text("")]),
    .init(
      "binary fragments",
      Wire.frame(0x2, [1], final: false) + Wire.frame(0x0, [0xFF], final: false)
        + Wire.frame(0x0, [3]), [.binary([1, 0xFF, 3])]),
    .init(
      "control frames between fragments",
      Wire.text("a", final: false) + Wire.frame(0x9, [65]) + Wire.frame(0x0, [66], final: false)
        + Wire.frame(0xA, [67]) + Wire.frame(0x0, [68]) + Wire.text("next"),
      [.ping("A"), .pong("C"), .text("aBD"), .text("next")]),
    .init(
      "a close between fragments",
      Wire.text("a", final: false) + Wire.close(1000) + Wire.frame(0x0, [66]), [.close(.normal)]),
    .init(
      "a continuation of nothing", Wire.frame(0x0, [65]),
      [.violation(.unexpectedContinuation)]),
    .init(
      "a continuation behind the last", Wire.text("a") + Wire.frame(0x0),
      [.text("a"), .violation(.unexpectedContinuation)]),
    .init(
      "a message inside a message", Wire.text("a", final: false) + Wire.text("b"),
      [.violation(.expectedContinuation)]),
    .init(
      "fragments past the limit",
      Wire.text("abc", final: false) + Wire.header(0x0, length: 3, final: false),
      [.violation(.messageTooBig)], limit: 5),
    .init(
      "fragments at the limit, a ping between",
      Wire.text("abc", final: false) + Wire.frame(0x9, Array(repeating: 65, count: 125))
        + Wire.frame(0x0, [65, 65]),
      [.ping(String(repeating: "A", count: 125)), .text("abcAA")], limit: 5),
  ]

  static let controls: [DecoderVector] = [
    .init(
      "a ping of 125", Wire.frame(0x9, Array(repeating: 66, count: 125)),
      [.ping(String(repeating: "B", count: 125))]),
    .init("a ping of 126", Wire.header(0x9, length: 126), [.violation(.oversizedControl)]),
    .init(
      "a pong of 127 as eight bytes", Wire.header(0xA, length: 70000),
      [.violation(.oversizedControl)]),
    .init(
      "a fragmented ping", Wire.frame(0x9, [65], final: false), [.violation(.fragmentedControl)]),
    .init("a fragmented close", Wire.frame(0x8, final: false), [.violation(.fragmentedControl)]),
    .init(
      "pings in a row", Wire.frame(0x9, [65]) + Wire.frame(0x9) + Wire.frame(0x9, [66]),
      [.ping("A"), .ping(""), .ping("B")]),
  ]

  static let text: [DecoderVector] = [
    .init(
      "two to four byte characters", Wire.text("µκόσμε€😀 abcdefghijklmnop"),
      [.text("µκόσμε€😀 abcdefghijklmnop")]),
    .init(
      "a character over three fragments",
      Wire.frame(0x1, [0xF0], final: false) + Wire.frame(0x0, [0x9F, 0x98], final: false)
        + Wire.frame(0x0, [0x80]), [.text("😀")]),
    .init(
      "a character cut by the end", Wire.frame(0x1, [65, 0xE2, 0x82]),
      [.violation(.invalidUTF8)]),
    .init(
      "a character cut by the end of the last fragment",
      Wire.frame(0x1, [0xE2], final: false) + Wire.frame(0x0, [0x82]), [.violation(.invalidUTF8)]),
    .init("a surrogate", Wire.frame(0x1, [0xED, 0xA0, 0x80]), [.violation(.invalidUTF8)]),
    .init("binary is not checked", Wire.frame(0x2, [0xED, 0xA0]), [.binary([0xED, 0xA0])]),
  ]

  static let closes: [DecoderVector] = [
    .init("an empty close", Wire.frame(0x8) + Wire.text("late"), [.close(.empty)]),
    .init(
      "a close with reason", Wire.close(1001, Array("bye µ".utf8)),
      [.close(.goingAway, "bye µ")]),
    .init("a close of one byte", Wire.frame(0x8, [3]), [.violation(.malformedClose)]),
    .init(
      "a reason that is not UTF-8", Wire.close(1000, [0xC0, 0x80]),
      [.violation(.invalidUTF8)]),
    .init(
      "a reason of 123 bytes", Wire.close(1000, Array(repeating: 65, count: 123)),
      [.close(.normal, String(repeating: "A", count: 123))]),
    .init(
      "a reason of 124 bytes", Wire.close(1000, Array(repeating: 65, count: 124)),
      [.violation(.oversizedControl)]),
  ]
}
