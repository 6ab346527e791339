import HubStorage
import SeededRandom
import SimulatedDisk

/// A life of a journal: what a hub might do to it, drawn from a seed. Knows what it has written and
/// what was synced, so that what is recovered can be judged.
struct JournalWorkload {
  private(set) var writer: JournalWriter
  /// The newest record that a write was begun for.
  private(set) var attempted: LSN
  /// The newest record that was said to be synced.
  private(set) var synced: LSN
  /// The newest record whose segments were let go.
  private(set) var deletable = LSN(0)
  private var random: SplitMix64
  /// A batch that there was no room for.
  private var pending: FrameBatch?

  init(_ writer: JournalWriter, seed: UInt64) {
    self.writer = writer
    attempted = writer.last
    synced = writer.synced
    random = SplitMix64(seed: seed)
  }

  /// Does so many things; throws where one fails.
  mutating func work(_ steps: Int) throws(LogFailure) {
    for _ in 0..<steps { try step() }
  }

  private mutating func step() throws(LogFailure) {
    switch random.below(10) {
    case 0...4:
      try write()
      if !random.oneIn(4) { try sync() }
    case 5: try sync()
    case 6: try writer.seal(isFinal: random.oneIn(3))
    case 7:
      deletable = LSN(max(deletable.number, synced.number - 12))
      try writer.deleteSegments(upTo: deletable)
    default: writer.prepareAhead()
    }
    if case .failed(let reason) = writer.state { throw .failed(reason) }
    synced = writer.synced
  }

  /// Writes what could not be written before, or something new.
  private mutating func write() throws(LogFailure) {
    let batch = pending ?? JournalStage.batch(1 + random.below(7), after: writer)
    pending = batch
    attempted = max(attempted, LSN(writer.last.number + 7))
    try writer.write(batch)
    pending = nil
    attempted = writer.last
  }

  mutating func sync() throws(LogFailure) {
    try writer.sync()
    synced = writer.synced
  }
}
