import HubCore
import HubProtocol
import HubStage
import HubStorage

/// A journal of messages in 1,000 channels, read from the disk, decoded and applied again; history
/// has them already.
enum ReplayCost {
  static func measure(in directory: String, records: Int) throws {
    let place = JournalPlace(path: directory + "/journal", on: DiskFileSystem())
    var writer = try place.create(store: StoreID(high: 1, low: 2), firstLSN: LSN(1))
    var batch = FrameBatch(store: writer.store)
    var left = (world() + (0..<records).map { message($0) })[...]
    while !left.isEmpty {
      batch.begin(after: writer.last, synced: writer.synced)
      for record in left.prefix(1_000) {
        batch.add { bytes in
          record.write(to: &bytes)
          return Record.version
        }
      }
      left = left.dropFirst(1_000)
      try writer.write(batch)
      try writer.sync()
      writer.prepareAhead()
    }
    let clock = ContinuousClock()
    var recovered: JournalWriter?
    let checking = try clock.measure { recovered = try place.recover()?.writer }
    guard let recovered else { return }
    var registry = Registry(
      configuration: Registry.Configuration(windowMemory: 1 << 30, hashSeed: (1, 2)))
    let replaying = try clock.measure {
      try recovered.replay(from: LSN(1)) { _, bytes, _ in
        _ = registry.replay(try Record(bytes, userCount: registry.userCount))
      }
    }
    let count = recovered.last.number
    print("\(count) records, \(try Scratch.bytes(in: directory) / count) bytes each on the disk")
    print("checked in \(Figures.milliseconds(checking))")
    let rate = Int(Double(count) / (replaying / .seconds(1)))
    print("replayed in \(Figures.milliseconds(replaying)): \(rate) records/s (at least 500000)")
    precondition(registry.appliedCount == count, "all of them took effect")
  }

  private static let channels = 1_000

  /// A user and their channels.
  private static func world() -> [Record] {
    let ts = Timestamp(milliseconds: 1_700_000_000_000)
    let founded = Record.Change.founded(stream: "s", hashKey: SipHash.Key(low: 1, high: 2))
    var records = [Record(ts: ts, change: founded)]
    records.append(Record(ts: ts, change: .userAppeared(user("ann"), .person)))
    for number in 0..<channels {
      let create = ChannelCreate(
        channel: channel("room:\(number)"), kind: .group, profile: ChannelProfile(), members: [])
      let change = Record.Change.channel(
        .create(create, epoch: "e\(number)"), by: UserRef(index: 0))
      records.append(Record(ts: ts, change: change))
    }
    return records
  }

  private static func message(_ number: Int) -> Record {
    SampleRecord.message(
      number, by: UserRef(index: 0), to: channel("room:\(number * 7 % channels)"))
  }
}
