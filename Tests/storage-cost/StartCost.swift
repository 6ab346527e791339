import HubCore
import HubProtocol
import HubStage
import HubStorage

/// A snapshot of a registry with ten members in each channel, written and loaded again.
enum StartCost {
  static func measure(in directory: String, channels: Int) throws {
    var registry = Registry(
      configuration: Registry.Configuration(windowMemory: 1 << 30, hashSeed: (1, 2)))
    fill(&registry, channels: channels)
    let hub = Hub(
      configuration: Hub.Configuration(
        registry: Registry.Configuration(windowMemory: 1 << 30, hashSeed: (1, 2)),
        requestsPerSecond: nil, heartbeatMilliseconds: 25_000, zones: FixedZones(),
        idSeed: (3, 4)),
      registry: registry)
    let data = try DataDirectory(path: directory + "/data")
    let store = SnapshotStore(data)
    let header = SnapshotHeader(
      store: StoreID(high: 1, low: 2), lsn: LSN(registry.appliedCount),
      taken: Timestamp(milliseconds: 1_700_000_000_000))
    let clock = ContinuousClock()
    var bytes = 0
    let writing = try clock.measure { bytes = try store.take(hub.image, header).bytes }
    let loading = try clock.measure { _ = try store.load(windowMemory: 1 << 30) }
    print("\(channels * 10) memberships in \(channels) channels, \(bytes) bytes")
    print("written and checked in \(Figures.milliseconds(writing))")
    print("loaded in \(Figures.milliseconds(loading))")
  }

  private static func fill(_ registry: inout Registry, channels: Int) {
    let ts = Timestamp(milliseconds: 1_700_000_000_000)
    func apply(_ change: Record.Change) { _ = registry.replay(Record(ts: ts, change: change)) }
    apply(.founded(stream: "s", hashKey: SipHash.Key(low: 1, high: 2)))
    let people = (0..<max(10, channels)).map { user("user-\($0)") }
    for person in people { apply(.userAppeared(person, .person)) }
    for number in 0..<channels {
      let members = (1..<10).map { people[(number * 10 + $0) % people.count] }
      let create = ChannelCreate(
        channel: channel("room:\(number)"), kind: .public, profile: ChannelProfile(),
        members: members)
      let owner = UserRef(index: UInt32(number * 10 % people.count))
      apply(.channel(.create(create, epoch: "e\(number)"), by: owner))
    }
  }
}
