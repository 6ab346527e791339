import HubProtocol
import SeededRandom
import Testing

@Suite("Any request")
struct RequestPropertyTests {
  @Test("decoding what was encoded gives the same request", arguments: seeds)
  func roundTrip(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let request = random.request()
      let bytes = RequestEncoder.encode(request)
      guard decode(bytes) != .request(request) else { continue }
      Issue.record("seed \(seed): \(text(bytes))\n\(decode(bytes))")
      return
    }
  }

  @Test("what is encoded, Foundation reads too", arguments: seeds)
  func foundation(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1_000 {
      let bytes = RequestEncoder.encode(random.request())
      guard !FoundationJudge.isObject(bytes) else { continue }
      Issue.record("seed \(seed): \(text(bytes))")
      return
    }
  }

  @Test("no part of a message is a request", arguments: seeds)
  func truncation(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let bytes = RequestEncoder.encode(random.request())
      for count in 0..<bytes.count where decode([UInt8](bytes.prefix(count))) != .notAnObject {
        Issue.record("seed \(seed): \(text([UInt8](bytes.prefix(count))))")
        return
      }
    }
  }

  @Test("changed bytes never trap, and an accepted request encodes to itself", arguments: seeds)
  func mutation(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<5_000 {
      let bytes = random.mutated(RequestEncoder.encode(random.request()))
      guard case .request(let request) = decode(bytes) else { continue }
      guard decode(RequestEncoder.encode(request)) != .request(request) else { continue }
      Issue.record("seed \(seed): \(bytes)")
      return
    }
  }

  @Test("garbage never traps", arguments: seeds)
  func garbage(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<5_000 {
      let bytes = random.list(upTo: 40) { UInt8.random(in: 0...255, using: &$0) }
      #expect(decode(bytes) == .notAnObject || bytes.count > 1, "seed \(seed): \(bytes)")
      _ = ServerMessage.decode(bytes)
      _ = decode([UInt8](#"{"op":"message.send","channel":"a","text":""#.utf8) + bytes)
    }
  }

  @Test("unaligned memory and its end are respected", arguments: seeds)
  func placement(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let request = random.request()
      let bytes = RequestEncoder.encode(request)
      // A closing quotation mark and brace behind the end would be taken for the message's own.
      let offset = random.below(16)
      let padded = [UInt8](repeating: 0x7B, count: offset) + bytes + [UInt8](#""}"#.utf8)
      let (whole, cut) = padded.withUnsafeBytes { buffer in
        (
          RequestDecoder.decode(.init(rebasing: buffer[offset..<offset + bytes.count])),
          RequestDecoder.decode(.init(rebasing: buffer[offset..<offset + bytes.count - 1]))
        )
      }
      #expect(whole == .request(request) && cut == .notAnObject, "seed \(seed): \(text(bytes))")
    }
  }
}

/// The seeds of the property tests: fixed ones, and one of this run, which a failure prints.
let seeds: [UInt64] = [1, 2, 3, UInt64.random(in: .min ... .max)]

extension SplitMix64 {
  /// `bytes` with up to four bytes or short parts replaced, removed, doubled or put elsewhere.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    let interesting =
      [UInt8](#"{}[]:,"\/-0123456789.eEtfnu"#.utf8) + [0, 0x1F, 0x7F, 0x80, 0xC3, 0xFF]
    var bytes = bytes
    for _ in 0...below(4) where !bytes.isEmpty {
      let position = below(bytes.count)
      let part = position..<min(bytes.count, position + 1 + below(6))
      switch below(5) {
      case 0: bytes[position] = pick(interesting)
      case 1: bytes.remove(at: position)
      case 2: bytes.insert(pick(interesting), at: position)
      case 3: bytes.insert(contentsOf: bytes[part], at: below(bytes.count))
      default: bytes.removeSubrange(part)
      }
    }
    return bytes
  }
}
