import HubWebSocket
import SeededRandom
import Testing

@Suite("RFC 6455 §8.1 UTF-8 in text")
struct UTF8Tests {
  /// Whether our validator takes the pieces as a whole text.
  private func accepts(_ pieces: [ArraySlice<UInt8>]) -> Bool {
    var validator = UTF8Validator()
    for piece in pieces {
      // SAFETY: the pointer is only read and does not leave the closure.
      guard piece.withUnsafeBytes({ validator.accept($0) }) else { return false }
    }
    return validator.isComplete
  }

  private func isValid(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  @Test(
    "Boundary characters are valid",
    arguments: [
      0x0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xCFFF, 0xD7FF, 0xE000, 0xFFFE, 0xFFFF, 0x10000,
      0x3FFFF, 0x40000, 0xFFFFF, 0x100000, 0x10FFFF,
    ] as [UInt32])
  func boundaries(_ value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let bytes = Array(String(Character(scalar)).utf8)
    #expect(self.accepts([bytes[...]]))
    #expect(self.accepts(bytes.indices.map { bytes[$0...$0] }))
  }

  @Test(
    "The first impossible byte is refused when it arrives",
    arguments: [
      [0x80], [0xBF], [0xC0], [0xC1], [0xF5], [0xFE], [0xFF], [0xC2, 0x41], [0xC2, 0xC2],
      [0xE0, 0x9F], [0xED, 0xA0], [0xE1, 0x80, 0x7F], [0xF0, 0x8F], [0xF4, 0x90],
      [0xF1, 0x80, 0xC0],
      [0xF0, 0x9F, 0x98, 0x41],
    ] as [[UInt8]])
  func failsFast(_ sequence: [UInt8]) {
    let good = sequence.dropLast()
    var validator = UTF8Validator()
    // SAFETY: the pointers are only read and do not leave the closures.
    let begins = good.withUnsafeBytes { validator.accept($0) }
    let goesOn = sequence.suffix(1).withUnsafeBytes { validator.accept($0) }
    #expect(begins && !goesOn)
    // In a frame whose rest has not arrived, alone and behind a long ASCII run.
    for prefix in [[], [UInt8](repeating: 65, count: 37)] {
      let bytes = prefix + sequence
      let masked = bytes.enumerated().map { $1 ^ Wire.key[$0 % 4] }
      let begun = Wire.header(0x1, length: 1000)
      #expect(decode(begun + masked.dropLast()) == [])
      #expect(decode(begun + masked) == [.violation(.invalidUTF8)])
    }
  }

  /// What may stand behind two bytes: every kind of third byte, before every kind of end.
  private static let tails: [[UInt8]] = [0x00, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    .flatMap { (third: UInt8) -> [[UInt8]] in
      [[], [0x80], [0xBF], [0x7F], [0xC0], [0x80, 0x41]].map { [third] + $0 }
    }

  @Test("Every sequence of two bytes, and of three with a lead byte, is judged as by Swift")
  func exhaustive() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let two = [first, second]
        #expect(self.accepts([two[...]]) == self.isValid(two), "\(two)")
        guard first >= 0xE0, second >= 0x80, second < 0xC0 else { continue }
        for tail in Self.tails {
          let bytes = two + tail
          #expect(self.accepts([bytes[...]]) == self.isValid(bytes), "\(bytes)")
        }
      }
    }
  }

  @Test(
    "Random and mutated text, cut at random, is judged as by Swift",
    arguments: [
      1, 2, 3, 4,
    ] as [UInt64])
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for round in 0..<3000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        bytes += RandomText.piece(&random)
      }
      if Bool.random(using: &random), !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &random)] = random.bytes(1)[0]
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        bytes.removeLast(min(bytes.count, 1))
      }
      let expected = self.isValid(bytes)
      let cut = Int.random(in: 0...bytes.count, using: &random)
      let place: Comment = "seed \(seed), round \(round): \(bytes) cut at \(cut)"
      #expect(self.accepts([bytes[...]]) == expected, place)
      #expect(self.accepts([bytes[..<cut], bytes[cut...]]) == expected, place)
      #expect(self.accepts(bytes.indices.map { bytes[$0...$0] }) == expected, place)
    }
  }
}

enum RandomText {
  /// A run of ASCII or one character of any length, as UTF-8.
  static func piece(_ random: inout SplitMix64) -> [UInt8] {
    let range: ClosedRange<UInt32>
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      return (0..<Int.random(in: 0...20, using: &random)).map { _ in
        UInt8.random(in: 0x20...0x7E, using: &random)
      }
    case 1: range = 0x80...0x7FF
    case 2: range = 0x800...0xD7FF
    case 3: range = 0xE000...0xFFFF
    default: range = 0x10000...0x10FFFF
    }
    let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "?"
    return Array(String(Character(scalar)).utf8)
  }
}
