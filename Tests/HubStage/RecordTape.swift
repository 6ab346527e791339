package import HubCore

/// The log of a run: every record as it would be stored. Whoever plays it again must come to the
/// same state and tell history the same.
package struct RecordTape {
  /// What was there before the first record; nil for nothing.
  private let base: Registry?
  private let baseHistory: ModelHistory
  package private(set) var records: [[UInt8]] = []
  /// Records that were not read as they were written.
  private var misread: [String] = []

  package init(after base: Registry? = nil, _ history: ModelHistory = ModelHistory()) {
    self.base = base
    baseHistory = history
  }

  /// Notes what was logged.
  package mutating func append(_ logged: [Record]) {
    for record in logged {
      var bytes: [UInt8] = []
      record.write(to: &bytes)
      records.append(bytes)
      let again = try? Record(bytes, userCount: Int(UInt32.max)).stored
      if again != bytes { misread.append("record \(records.count) was not read as written") }
    }
  }

  /// Forgets what never took effect: all but the first `count`.
  package mutating func cut(to count: Int) {
    records.removeLast(max(0, records.count - count))
  }

  /// What differs when everything is played twice, and once more with a snapshot in the middle;
  /// history is not looked at when there is none.
  package func flaws(against live: RegistryImage, _ history: ModelHistory?) -> [String] {
    var flaws = misread + (history?.flaws ?? [])
    do {
      for manner in ["played", "played again"] {
        var (registry, told) = start
        try play(records[...], &registry, &told)
        flaws += differences(registry.image, live).map { "\(manner), \($0)" }
        if let history, history != told { flaws.append("\(manner), history is told otherwise") }
      }
      var (registry, told) = start
      let middle = base == nil ? max(1, records.count / 2) : records.count / 2
      try play(records[..<middle], &registry, &told)
      registry = try registry.image.loaded()
      try play(records[middle...], &registry, &told)
      flaws += differences(registry.image, live).map { "with a snapshot between, \($0)" }
      if let history, history != told {
        flaws.append("with a snapshot between, history is told otherwise")
      }
    } catch {
      flaws.append("not to be played: \(error)")
    }
    return flaws
  }

  /// In which blocks two images differ.
  private func differences(_ image: RegistryImage, _ live: RegistryImage) -> [String] {
    let (blocks, others) = (image.blocks, live.blocks)
    guard blocks.count == others.count else { return ["there is more or less"] }
    return zip(blocks, others).filter { $0.bytes != $1.bytes }.map { block, other in
      let same = zip(block.bytes, other.bytes).prefix { $0 == $1 }.count
      return "\(block.section) are other ones from byte \(same) on"
    }
  }

  /// A registry whose own random words are not those of the run: all that counts is in the records.
  private var start: (Registry, ModelHistory) {
    (base ?? Registry(configuration: .init(windowMemory: 1, hashSeed: (98, 99))), baseHistory)
  }

  private func play(
    _ records: ArraySlice<[UInt8]>, _ registry: inout Registry, _ history: inout ModelHistory
  ) throws {
    for bytes in records {
      history.take(registry.replay(try Record(bytes, userCount: registry.userCount)))
    }
  }
}

extension Record {
  /// The stored form.
  package var stored: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }
}

extension Registry {
  /// The registry as it is now.
  package var image: RegistryImage {
    Hub(
      configuration: Hub.Configuration(
        registry: Configuration(windowMemory: 1 << 30, hashSeed: (0, 0)), requestsPerSecond: nil,
        heartbeatMilliseconds: 25_000, zones: FixedZones(), idSeed: (0, 0)),
      registry: self
    ).image
  }

  /// SHA-256 over all blocks of its image.
  package var digest: [UInt8] { image.digest }
}
