import SeededRandom

/// Which paths name what: as it is seen, and as it is on the disk.
struct SimulatedNames: Sendable {
  /// What a path names.
  enum Node: Hashable, Sendable {
    case directory
    case file(Int)
  }

  private enum Change: Sendable {
    case set(String, Node)
    case rename(String, to: String, Node)
    case remove(String)

    /// The directory whose sync makes it last.
    var directory: String {
      switch self {
      case .set(let path, _), .remove(let path), .rename(_, to: let path, _):
        SimulatedNames.directory(of: path)
      }
    }
  }

  private(set) var nodes: [String: Node]
  private var durable: [String: Node]
  private var pending: [Change] = []

  init(durable: [String: Node]) {
    nodes = durable
    self.durable = durable
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[..<slash])
  }

  mutating func set(_ path: String, _ node: Node) { change(.set(path, node)) }

  mutating func remove(_ path: String) { change(.remove(path)) }

  /// Whether there was something to rename.
  mutating func rename(_ path: String, to other: String) -> Bool {
    guard let node = nodes[path] else { return false }
    change(.rename(path, to: other, node))
    return true
  }

  mutating func sync(_ directory: String) {
    for change in pending where change.directory == directory {
      Self.carryOut(change, on: &durable)
    }
    pending.removeAll { $0.directory == directory }
  }

  /// A sync that fails: each change is on the disk or will never be.
  mutating func failSync(_ directory: String, _ random: inout SplitMix64) {
    for change in pending where change.directory == directory && random.oneIn(2) {
      Self.carryOut(change, on: &durable)
    }
    pending.removeAll { $0.directory == directory }
  }

  /// What is found after a crash: any of the changes that were not synced.
  func crashed(_ random: inout SplitMix64) -> [String: Node] {
    var found = durable
    let isKept = random.maybe { $0.oneIn(2) }
    for change in pending where isKept ?? random.oneIn(2) { Self.carryOut(change, on: &found) }
    return found.filter { path, node in
      node == .directory || found[Self.directory(of: path)] == .directory
    }
  }

  private mutating func change(_ change: Change) {
    Self.carryOut(change, on: &nodes)
    pending.append(change)
  }

  private static func carryOut(_ change: Change, on nodes: inout [String: Node]) {
    switch change {
    case .set(let path, let node): nodes[path] = node
    case .remove(let path): nodes[path] = nil
    case .rename(let path, to: let other, let node):
      nodes[path] = nil
      nodes[other] = node
    }
  }
}
