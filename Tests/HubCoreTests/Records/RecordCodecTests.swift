import HubCore
import HubProtocol
import HubStage
import SeededRandom
import Testing

@Suite("Architecture, Storage: records as the log stores them")
struct RecordCodecTests {
  @Test("every kind of record is read as it was written", arguments: 0..<RandomRecords.kinds)
  func roundTrips(kind: Int) throws {
    for round in 0..<300 {
      let seed = TestSeed.value &+ UInt64(round)
      var records = RandomRecords(seed: seed)
      let record = records.record(kind)
      let bytes = record.stored
      #expect(bytes.first == UInt8(kind + 1), "the kind's number comes first")
      let again = try Record(bytes, userCount: RandomRecords.userCount)
      #expect(again.stored == bytes, "HUB_TEST_SEED=\(seed)")
      // A ban's channel is that of its record, and stands there once.
      guard kind != 20 else { continue }
      #expect("\(again.change)" == "\(record.change)", "HUB_TEST_SEED=\(seed)")
      #expect(again.ts == record.ts, "HUB_TEST_SEED=\(seed)")
    }
  }

  @Test("a ban is read with the channel of its record")
  func ban() throws {
    let ban = MemberBan(channel: channel("room:a"), user: user("b"), reason: "r")
    let record = Record(
      ts: Timestamp(milliseconds: 1),
      change: .members(channel("room:a"), .ban(ban), by: UserRef(index: 0)))
    let read = try Record(record.stored, userCount: 1).change
    guard case .members(let room, .ban(let again), _) = read else {
      Issue.record("something else was read")
      return
    }
    #expect(room == channel("room:a") && again == ban)
  }

  @Test("what is written is appended to what is there")
  func appends() {
    var records = RandomRecords(seed: TestSeed.value)
    let record = records.record(23)
    var bytes: [UInt8] = [1, 2, 3]
    record.write(to: &bytes)
    #expect(bytes == [1, 2, 3] + record.stored)
  }

  @Test("nothing that is cut off is a record", arguments: 0..<RandomRecords.kinds)
  func truncated(kind: Int) {
    for round in 0..<20 {
      let seed = TestSeed.value &+ UInt64(round)
      var records = RandomRecords(seed: seed)
      let bytes = records.record(kind).stored
      for count in 0..<bytes.count {
        #expect(throws: ImageError.self, "HUB_TEST_SEED=\(seed), \(count) bytes") {
          try Record(bytes.prefix(count), userCount: RandomRecords.userCount)
        }
      }
    }
  }

  @Test("whatever the bytes, they are an error or a record that is written as it was read")
  func damaged() {
    var random = SplitMix64(seed: TestSeed.value)
    var records = RandomRecords(seed: TestSeed.value)
    let facts = RecordSamples.withFacts()
    var read = 0
    for round in 0..<60_000 {
      var bytes =
        round % 4 == 0 ? random.pick(facts) : records.record(round % RandomRecords.kinds).stored
      for _ in 0...random.below(4) { Self.damage(&bytes, &random) }
      let userCount = random.pick([0, 1, RandomRecords.userCount])
      guard let record = try? Record(bytes, userCount: userCount) else { continue }
      read += 1
      let again = try? Record(record.stored, userCount: userCount)
      #expect(again?.stored == record.stored, "\(TestSeed.hint)")
    }
    #expect(read > 1_000 && read < 59_000, "\(read) were records")
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let place = random.below(bytes.count)
    switch random.below(4) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes.insert(random.pick([0, 1, 0x7f, 0x80, 0xff]), at: place)
    default: if bytes.count > 1 { bytes.remove(at: place) }
    }
  }

  @Test("a record speaks only of users that there are")
  func users() {
    let record = Record(
      ts: Timestamp(milliseconds: 1), change: .channel(.join(channel("r")), by: UserRef(index: 7)))
    #expect(throws: Never.self) { try Record(record.stored, userCount: 8) }
    #expect(throws: ImageError.self) { try Record(record.stored, userCount: 7) }
  }

  @Test("what a kind of record looks like stays as it is", arguments: RecordSamples.all)
  func golden(sample: RecordSamples.Sample) throws {
    #expect(sample.hex == Self.hex(sample.record.stored), "\(sample.record.change)")
    #expect(Self.hex(try Record(sample.record.stored, userCount: 99).stored) == sample.hex)
  }

  @Test("so do the other forms of a kind", arguments: RecordSamples.variants.indices)
  func goldenVariant(index: Int) throws {
    let (change, hex) = RecordSamples.variants[index]
    let record = Record(ts: Timestamp(milliseconds: 1_700_000_000_000), change: change)
    #expect(hex == Self.hex(record.stored), "\(change)")
    #expect(Self.hex(try Record(record.stored, userCount: 99).stored) == hex)
  }

  @Test("there is a sample of every kind")
  func complete() {
    let kinds = Set(RecordSamples.all.compactMap { $0.record.stored.first })
    #expect(kinds == Set((1...RandomRecords.kinds).map { UInt8($0) }))
  }

  @Test("what a record with facts looks like stays as it is")
  func goldenFacts() {
    #expect(RecordSamples.withFacts().map(Self.hex) == RecordSamples.bytesWithFacts)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
