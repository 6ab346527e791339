import HubWebSocket
import NIOCore
import SeededRandom
import Testing

/// Writes a random session and, beside it, what a server must make of it.
private struct RandomSession {
  var random: SplitMix64
  var bytes: [UInt8] = []
  var expected: [ReceivedUnit] = []
  static let limit = 400

  init(seed: UInt64) {
    self.random = SplitMix64(seed: seed)
    for _ in 0..<Int.random(in: 1...8, using: &self.random) {
      self.appendMessage()
      self.appendControls()
    }
    self.appendEnd()
  }

  private mutating func appendMessage() {
    let isText = Bool.random(using: &self.random)
    var payload: [UInt8] = []
    let target = Int.random(in: 0...350, using: &self.random)
    while payload.count < target {
      payload += isText ? RandomText.piece(&self.random) : self.random.bytes(20)
    }
    let isValid = !isText || String(validating: payload, as: UTF8.self) != nil
    precondition(isValid, "the model writes valid text")
    let fragments = Int.random(in: 1...4, using: &self.random)
    var rest = payload[...]
    for index in 0..<fragments {
      let isLast = index == fragments - 1
      let count = isLast ? rest.count : Int.random(in: 0...rest.count, using: &self.random)
      let opcode: UInt8 = index > 0 ? 0x0 : isText ? 0x1 : 0x2
      self.bytes += Wire.frame(opcode, Array(rest.prefix(count)), final: isLast)
      rest = rest.dropFirst(count)
      if !isLast {
        self.appendControls()
      }
    }
    let kind: WebSocketMessage.Kind = isText ? .text : .binary
    self.expected.append(
      .message(WebSocketMessage(kind: kind, payload: ByteBuffer(bytes: payload))))
  }

  private mutating func appendControls() {
    while Int.random(in: 0..<3, using: &self.random) == 0 {
      let isPing = Bool.random(using: &self.random)
      let payload = self.random.bytes(Int.random(in: 0...125, using: &self.random))
      self.bytes += Wire.frame(isPing ? 0x9 : 0xA, payload)
      let buffer = ByteBuffer(bytes: payload)
      self.expected.append(isPing ? .ping(buffer) : .pong(buffer))
    }
  }

  private mutating func appendEnd() {
    switch Int.random(in: 0..<8, using: &self.random) {
    case 0:
      self.bytes += Wire.close(4000, Array("x".utf8))
      self.expected.append(.close(CloseFrame(code: CloseCode(application: 4000), reason: "x")))
    case 1:
      self.bytes += Wire.frame(0x5)
      self.expected.append(.violation(.reservedOpcode))
    case 2:
      self.bytes += Wire.frame(0x1, [0xFF])
      self.expected.append(.violation(.invalidUTF8))
    case 3:
      self.bytes += Wire.header(0x2, length: UInt64(Self.limit + 1))
      self.expected.append(.violation(.messageTooBig))
    default: return
    }
    self.bytes += self.random.bytes(20)
  }

  /// The bytes in random pieces.
  mutating func pieces() -> [ArraySlice<UInt8>] {
    var rest = self.bytes[...]
    var pieces: [ArraySlice<UInt8>] = []
    let most = Int.random(in: 1...600, using: &self.random)
    while !rest.isEmpty {
      let count = min(rest.count, Int.random(in: 1...most, using: &self.random))
      pieces.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return pieces
  }
}

@Suite("RFC 6455 §5 Random sessions")
struct RandomFrameTests {
  @Test(
    "Thousands of random sessions, cut at random, are read as they were written",
    arguments: [
      11, 12, 13, 14,
    ] as [UInt64])
  func sessions(seed: UInt64) {
    for round in 0..<600 {
      let own = seed << 32 | UInt64(round)
      var session = RandomSession(seed: own)
      let units = decode(session.pieces(), limit: RandomSession.limit)
      #expect(units == session.expected, "seed \(own)")
    }
  }

  @Test(
    "Random garbage ends in at most one close or violation and never traps",
    arguments: [
      21, 22, 23, 24,
    ] as [UInt64])
  func garbage(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for round in 0..<3000 {
      var bytes = random.bytes(Int.random(in: 0...80, using: &random))
      if !bytes.isEmpty, Bool.random(using: &random) {
        bytes[0] = [0x81, 0x82, 0x01, 0x88, 0x89].randomElement(using: &random) ?? 0x81
      }
      if bytes.count > 1, Bool.random(using: &random) {
        bytes[1] |= 0x80
      }
      let whole = decode(bytes)
      let cut = decode(bytes.indices.map { bytes[$0...$0] })
      #expect(whole == cut, "seed \(seed), round \(round): \(bytes)")
      let ends = whole.filter { unit in
        switch unit {
        case .close, .violation: true
        case .message, .ping, .pong: false
        }
      }
      #expect(ends.count <= 1 && (ends.isEmpty || ends.first == whole.last))
    }
  }
}
