/// Stands in a data directory while a hub runs on it, and behind when it was killed: how its
/// answers were durable, and since when the machine has run.
package struct RunMark: Equatable, Sendable {
  private static let name = "running"
  private static let temporary = "running.tmp"

  /// Stands there while a hub starts without something that was there or may have been: until that
  /// is done nothing counts as promised.
  static let starting = RunMark(durability: .none, boot: "starting")

  /// What an answer meant.
  package let durability: Durability
  /// Names the time since the machine was started; empty where that cannot be told.
  package let boot: String

  package init(durability: Durability, boot: String) {
    self.durability = durability
    self.boot = boot
  }

  /// The mark of a hub that did not stop in order; nil when there is none.
  package init?(in directory: DataDirectory) throws(FileError) {
    guard directory.contains(Self.name) else { return nil }
    let file = try directory.files.open(directory.path(of: Self.name), .reading)
    let text = String(decoding: try file.read(256, at: 0), as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace)
    // A mark that cannot be read promises nothing.
    durability = words.first.flatMap { Durability(rawValue: String($0)) } ?? .none
    boot = words.dropFirst().first.map(String.init) ?? ""
  }

  /// Puts the mark there, for good, in place of another one at one stroke: one that is half written
  /// would promise nothing.
  package func write(to directory: DataDirectory) throws(FileError) {
    let file = try directory.files.open(directory.path(of: Self.temporary), .creating)
    try file.write(Array("\(durability.rawValue) \(boot)\n".utf8), at: 0)
    try file.sync()
    try directory.rename(Self.temporary, to: Self.name)
  }

  /// The hub stopped in order.
  package static func remove(from directory: DataDirectory) throws(FileError) {
    try directory.remove(name)
    try directory.sync()
  }

  /// Whether what was answered last may be lost, seen from a machine that runs since `boot`.
  func mayHaveLost(boot now: String) -> Bool {
    switch durability {
    case .commit: false
    // What was written survives the process, not the machine.
    case .interval: boot != now || boot.isEmpty
    case .none: true
    }
  }
}

/// When a request counts as done.
package enum Durability: String, Sendable, CaseIterable {
  /// After its record is synced.
  case commit
  /// After its record is written; synced every 100 ms.
  case interval
  /// At once; nothing but snapshots is kept.
  case none
}
