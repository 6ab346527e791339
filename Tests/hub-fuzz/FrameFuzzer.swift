import HubStage
import HubWebSocket
import NIOCore
import SeededRandom

/// Sessions of frames, both roles. However they are cut, the decoder reads the same; it ends at
/// most once; and the connection's machine follows.
struct FrameFuzzer: Fuzzer {
  let name = "frames"
  private let limit = 1_000
  private let mutator = Mutator(
    words: [
      [0x81, 0x00], [0x01, 0x80], [0x80, 0x80, 0, 0, 0, 0], [0x88, 0x02, 0x03, 0xe8], [0x89, 0x7d],
      [0x88, 0x81, 0, 0, 0, 0, 1], [0x82, 0x7e, 0, 126], [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0],
      [0xc1, 0x00], [0xf0, 0x9f, 0x91, 0x8d], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xfe],
    ], others: [])

  func flaw(_ random: inout SplitMix64) -> String? {
    let isServer = random.oneIn(2)
    var bytes: [UInt8] = []
    for _ in 0...random.below(5) { bytes += frame(isMasked: isServer, &random) }
    if !random.oneIn(5) { bytes = mutator.mutated(bytes, &random) }
    let whole = units([bytes[...]], isServer)
    let cut = units(pieces(bytes, &random), isServer)
    guard whole == cut else { return "cut, it is read differently: \(bytes)\n\(whole)\n\(cut)" }
    return follow(whole, isServer, &random).map { "\($0): \(bytes)" }
  }

  private func frame(isMasked: Bool, _ random: inout SplitMix64) -> [UInt8] {
    let opcode = random.pick([0, 1, 1, 1, 2, 8, 9, 10] as [UInt8])
    let isLong = opcode < 8 && random.oneIn(6)
    let payload: [UInt8] =
      opcode == 8
      ? [0x03, 0xe8] + Array("bye".utf8)
      : Array(String(repeating: random.pick(["a", "é", "👍"]), count: random.below(9)).utf8)
        + [UInt8](repeating: 0x61, count: isLong ? 100 + random.below(500) : 0)
    let first = opcode | (opcode >= 8 || !random.oneIn(3) ? 0x80 : 0)
    let bit: UInt8 = isMasked ? 0x80 : 0
    let head =
      payload.count < 126
      ? [first, bit | UInt8(payload.count)]
      : [first, bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    guard isMasked else { return head + payload }
    let mask = (0..<4).map { _ in UInt8(random.below(256)) }
    return head + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  private func pieces(_ bytes: [UInt8], _ random: inout SplitMix64) -> [ArraySlice<UInt8>] {
    var rest = bytes[...]
    var pieces: [ArraySlice<UInt8>] = []
    let most = random.pick([1, 3, 20, 400])
    while !rest.isEmpty {
      let count = min(rest.count, 1 + random.below(most))
      pieces.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return pieces
  }

  private func units(_ pieces: [ArraySlice<UInt8>], _ isServer: Bool) -> [ReceivedUnit] {
    var decoder = MessageDecoder(expectsMask: isServer, maxMessageBytes: limit)
    var units: [ReceivedUnit] = []
    for piece in pieces {
      var buffer = ByteBuffer(bytes: piece)
      while let unit = decoder.next(&buffer) { units.append(unit) }
    }
    return units
  }

  private func follow(
    _ units: [ReceivedUnit], _ isServer: Bool, _ random: inout SplitMix64
  ) -> String? {
    var machine = ConnectionMachine(
      WebSocketConfiguration(role: isServer ? .server : .client(maskKey: { 7 })))
    var hasEnded = false
    for unit in units {
      guard !hasEnded else { return "something comes behind the end" }
      switch unit {
      case .message(let message):
        guard message.payload.readableBytes <= limit else { return "a message above the limit" }
        let isText = String(validating: message.payload.readableBytesView, as: UTF8.self) != nil
        guard message.kind == .binary || isText else { return "text that is not UTF-8" }
      case .ping(let payload), .pong(let payload):
        guard payload.readableBytes <= 125 else { return "a long control frame" }
      case .close, .violation: hasEnded = true
      }
      let action = machine.received(unit)
      if case .none = action, machine.isOpen { return "nothing follows from \(unit)" }
      if random.oneIn(20) { _ = machine.close(with: CloseFrame(code: .normal)) }
      if random.oneIn(20) { _ = machine.discarded(Int(Mutator.extreme(&random) >> 2)) }
    }
    guard !hasEnded || !machine.isOpen else { return "the machine is open behind the end" }
    return nil
  }
}
