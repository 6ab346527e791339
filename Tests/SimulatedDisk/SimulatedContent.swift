import SeededRandom

/// The bytes of one file: as they are read, and as they are on the disk.
struct SimulatedContent: Sendable {
  enum Change: Sendable {
    case write(offset: Int, [UInt8])
    /// At least so long, with zeros.
    case grow(Int)
    case empty
  }

  /// What is lost of one write when one part of it is not.
  private enum Fate: CaseIterable {
    case lost, kept, torn
  }

  static let sectorBytes = 512

  /// What a reader sees.
  private(set) var bytes: [UInt8] = []
  /// What is there after a crash, whatever happens.
  private var durable: [UInt8] = []
  /// What may be there in addition.
  private var pending: [Change] = []

  init(durable: [UInt8] = []) {
    bytes = durable
    self.durable = durable
  }

  mutating func change(_ change: Change) {
    Self.carryOut(change, on: &bytes)
    pending.append(change)
  }

  mutating func sync() {
    for change in pending { Self.carryOut(change, on: &durable) }
    pending = []
  }

  /// A sync that fails: each change is on the disk or will never be, and nobody knows.
  mutating func failSync(_ random: inout SplitMix64) {
    for change in pending where random.oneIn(2) { Self.carryOut(change, on: &durable) }
    pending = []
  }

  /// What is found after a crash.
  func crashed(_ random: inout SplitMix64) -> [UInt8] {
    var found = durable
    let fate = random.pick(Fate.allCases)
    for (index, change) in pending.enumerated() {
      switch (fate, change) {
      case (.lost, _): continue
      case (.kept, _), (.torn, .empty), (.torn, .grow):
        if fate == .kept || random.oneIn(2) { Self.carryOut(change, on: &found) }
      case (.torn, .write(let offset, let bytes)):
        let isLast = index == pending.count - 1
        let sectors = Self.sectors(of: bytes[...], at: offset)
        let count = isLast ? random.below(sectors.count + 1) : sectors.count
        for piece in sectors.prefix(count) where !random.oneIn(3) {
          Self.carryOut(.write(offset: piece.offset, piece.bytes), on: &found)
        }
      }
    }
    return found
  }

  /// What a write that failed has done: the first of its sectors, as a whole.
  static func begun(
    _ bytes: [UInt8], at offset: Int, _ random: inout SplitMix64
  ) -> [UInt8] {
    let pieces = sectors(of: bytes[...], at: offset)
    return pieces.prefix(random.below(pieces.count + 1)).flatMap(\.bytes)
  }

  private static func sectors(
    of bytes: ArraySlice<UInt8>, at offset: Int
  ) -> [(offset: Int, bytes: [UInt8])] {
    var pieces: [(offset: Int, bytes: [UInt8])] = []
    var rest = bytes
    var place = offset
    while !rest.isEmpty {
      let count = min(rest.count, sectorBytes - place % sectorBytes)
      pieces.append((place, Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
      place += count
    }
    return pieces
  }

  private static func carryOut(_ change: Change, on bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let written):
      carryOut(.grow(offset + written.count), on: &bytes)
      bytes.replaceSubrange(offset..<(offset + written.count), with: written)
    case .grow(let size):
      guard bytes.count < size else { return }
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
    case .empty:
      bytes = []
    }
  }
}
