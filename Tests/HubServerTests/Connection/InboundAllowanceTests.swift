import HubServer
import SeededRandom
import Testing

/// What is unanswered, kept as a list: the rule of the protocol in its own words.
private struct Unanswered {
  var sizes: [Int] = []
  var isOpen = true

  mutating func take(_ bytes: Int) {
    sizes.append(bytes)
    if sizes.count > 256 || sizes.reduce(0, +) > 1_048_576 { isOpen = false }
  }

  mutating func answer(at index: Int) -> Int {
    let bytes = sizes.remove(at: index)
    if sizes.count <= 128, sizes.reduce(0, +) <= 524_288 { isOpen = true }
    return bytes
  }
}

@Suite("protocol, Transport: past 256 requests or 1 MiB unanswered the hub stops reading")
struct InboundAllowanceTests {
  @Test(
    "is open for what it allows and not for one more",
    arguments: [
      (count: 1, bytes: 1_048_576, isOpen: true),
      (count: 1, bytes: 1_048_577, isOpen: false),
      (count: 256, bytes: 1, isOpen: true),
      (count: 257, bytes: 0, isOpen: false),
      (count: 4, bytes: 262_144, isOpen: true),
      (count: 5, bytes: 262_144, isOpen: false),
    ])
  func bounds(count: Int, bytes: Int, isOpen: Bool) {
    var allowance = InboundAllowance()
    for _ in 0..<count { allowance.take(bytes: bytes) }
    #expect(allowance.isOpen == isOpen)
  }

  @Test("opens again when half of the requests are answered, not before")
  func halfOfTheRequests() {
    var allowance = InboundAllowance()
    for _ in 0..<257 { allowance.take(bytes: 10) }
    for _ in 0..<128 { allowance.answer(bytes: 10) }
    #expect(!allowance.isOpen)
    allowance.answer(bytes: 10)
    #expect(allowance.isOpen)
  }

  @Test("opens again when half of the bytes are answered, not before")
  func halfOfTheBytes() {
    var allowance = InboundAllowance()
    for bytes in [524_289, 524_288, 1] { allowance.take(bytes: bytes) }
    allowance.answer(bytes: 1)
    allowance.answer(bytes: 524_288)
    #expect(!allowance.isOpen)
    allowance.answer(bytes: 524_289)
    #expect(allowance.isOpen)
  }

  @Test("does not close again between half and the whole")
  func hysteresis() {
    var allowance = InboundAllowance()
    for _ in 0..<257 { allowance.take(bytes: 0) }
    for _ in 0..<129 { allowance.answer(bytes: 0) }
    for _ in 0..<128 {
      allowance.take(bytes: 0)
      #expect(allowance.isOpen)
    }
    allowance.take(bytes: 0)
    #expect(!allowance.isOpen)
  }

  @Test("agrees with a list of what is unanswered", arguments: 0..<300)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var allowance = InboundAllowance()
    var model = Unanswered()
    let largest = [16, 4_096, 262_144][Int(seed % 3)]
    for step in 0..<1_000 {
      let isFilling = step / 300 % 2 == 0
      if model.sizes.isEmpty || Int.random(in: 0..<10, using: &random) < (isFilling ? 8 : 3) {
        let bytes = Int.random(in: 0...largest, using: &random)
        allowance.take(bytes: bytes)
        model.take(bytes)
      } else {
        let index = model.sizes.indices.randomElement(using: &random) ?? 0
        allowance.answer(bytes: model.answer(at: index))
      }
      guard allowance.isOpen != model.isOpen else { continue }
      Issue.record("seed \(seed), step \(step): open is \(allowance.isOpen)")
      return
    }
  }
}
