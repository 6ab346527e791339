import HubStage
import SeededRandom

/// Changes bytes in the ways that break readers: bits, bytes, pieces, lengths, extreme numbers and
/// words of the language.
struct Mutator {
  /// What is put in as it stands.
  let words: [[UInt8]]
  /// What pieces are taken from.
  let others: [[UInt8]]

  /// Up to `most` changes, at least one.
  func mutated(_ bytes: [UInt8], most: Int = 4, _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.below(most) { change(&bytes, &random) }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let place = random.below(bytes.count + 1)
    let length = min(bytes.count - place, random.below(random.oneIn(4) ? 64 : 5))
    let range = place..<place + length
    switch random.below(11) {
    case 0...1 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
    case 2 where place < bytes.count:
      bytes[place] = random.pick([0, 1, 0x7f, 0x80, 0xff, UInt8(random.below(256))])
    case 3: bytes.removeSubrange(range)
    case 4: bytes.removeSubrange(place...)
    case 5: bytes.insert(contentsOf: Array(bytes[range]), at: place)
    case 6: bytes.replaceSubrange(range, with: random.pick(words))
    case 7: bytes.replaceSubrange(range, with: Self.number(&random))
    case 8: bytes.replaceSubrange(range, with: piece(&random))
    case 9: exchange(range, in: &bytes, &random)
    default:
      guard place < bytes.count else { return bytes.append(UInt8(random.below(256))) }
      bytes[place] = bytes[place] &+ random.pick([1, 0xff, 2])
    }
  }

  /// Puts a piece behind the one that follows it: what is to be in order then is not.
  private func exchange(
    _ range: Range<Int>, in bytes: inout [UInt8], _ random: inout SplitMix64
  ) {
    let piece = Array(bytes[range])
    let end = min(bytes.count, range.upperBound + 1 + random.below(random.oneIn(2) ? 4 : 40))
    bytes.insert(contentsOf: piece, at: end)
    bytes.removeSubrange(range)
  }

  private func piece(_ random: inout SplitMix64) -> ArraySlice<UInt8> {
    guard !others.isEmpty else { return [] }
    let other = random.pick(others)
    return other.dropFirst(random.below(other.count + 1)).prefix(random.below(64))
  }

  /// The numbers at which something ends.
  static func extreme(_ random: inout SplitMix64) -> UInt64 {
    let power: UInt64 = 1 << UInt64(random.pick([0, 7, 8, 14, 15, 16, 20, 31, 32, 48, 53, 62, 63]))
    return power &+ random.pick([0, 1, .max, 0])
  }

  /// Such a number in one of the forms in which numbers are written.
  private static func number(_ random: inout SplitMix64) -> [UInt8] {
    let value = extreme(&random)
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    switch random.below(5) {
    case 0: return Array(bytes.prefix(random.pick([2, 4, 8])))
    case 1: return Array(bytes.prefix(random.pick([2, 4, 8]))).reversed()
    case 2: return Array((random.oneIn(3) ? "-" : "").utf8) + Array(String(value).utf8)
    default: return groups(value)
    }
  }

  /// Base 128, lowest group first.
  private static func groups(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
