import HubLoad
import SeededRandom
import Testing

@Suite("Verification: what a message says about itself")
struct StampTests {
  private func check(_ text: [UInt8], bytes: Int, channel: Int) -> Stamp.Check {
    text.withUnsafeBytes { Stamp.check($0, bytes: bytes, channel: channel) }
  }

  private func anyStamp(_ random: inout SplitMix64) -> (stamp: Stamp, bytes: Int) {
    let stamp = Stamp(
      time: .random(in: 0 ... .max, using: &random),
      number: .random(in: 0 ... .max, using: &random),
      channel: .random(in: 0...100_000, using: &random))
    return (stamp, .random(in: Stamp.byteCount...400, using: &random))
  }

  @Test("a text has the length asked for, needs no escapes, and reads as it was written")
  func roundTrip() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let (stamp, bytes) = anyStamp(&random)
      let text = stamp.text(bytes: bytes, seed: random.next())
      #expect(text.count == bytes)
      #expect(text.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 })
      #expect(check(text, bytes: bytes, channel: stamp.channel) == .valid(stamp))
    }
  }

  @Test("the seed and the number decide the filling")
  func repeatable() {
    let stamp = Stamp(time: 1, number: 2, channel: 3)
    #expect(stamp.text(bytes: 128, seed: 4) == stamp.text(bytes: 128, seed: 4))
    #expect(stamp.text(bytes: 128, seed: 4) != stamp.text(bytes: 128, seed: 5))
    let next = Stamp(time: 1, number: 3, channel: 3).text(bytes: 128, seed: 4)
    #expect(next.suffix(60) != stamp.text(bytes: 128, seed: 4).suffix(60))
  }

  @Test("no byte can change unnoticed")
  func corruption() {
    var random = SplitMix64(seed: 2)
    let stamp = Stamp(time: 123_456, number: 7, channel: 9)
    let text = stamp.text(bytes: 131, seed: 1)
    for index in text.indices {
      var changed = text
      changed[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
      #expect(check(changed, bytes: 131, channel: 9) == .corrupt, "byte \(index)")
    }
    var swapped = text
    swapped.swapAt(80, 88)
    #expect(swapped == text || check(swapped, bytes: 131, channel: 9) == .corrupt)
  }

  @Test("a text that is cut or longer than sent is corrupt")
  func length() {
    let text = Stamp(time: 1, number: 1, channel: 1).text(bytes: 100, seed: 1)
    for count in 0..<100 {
      #expect(check(Array(text.prefix(count)), bytes: 100, channel: 1) == .corrupt)
      #expect(check(Array(text.prefix(count)), bytes: count, channel: 1) == .corrupt)
    }
    #expect(check(text + [0x61], bytes: 100, channel: 1) == .corrupt)
  }

  @Test("a message of another channel is told apart")
  func misrouted() {
    let text = Stamp(time: 1, number: 1, channel: 1).text(bytes: 100, seed: 1)
    #expect(check(text, bytes: 100, channel: 2) == .misrouted)
  }
}
