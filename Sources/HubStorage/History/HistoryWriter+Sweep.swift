import GRDB
import HubCore

/// Deleting what notifications said that are in no inbox any more: first all are counted, and only
/// if it is worth it they are looked through again and deleted, some at a time.
struct NotificationSweep {
  /// Rows that are looked at in one go.
  static let slice = 1_000
  /// Rows to go that are worth it, however many stay.
  private static let many = 10_000

  let live: LiveNotifications
  /// Whether they are counted by now.
  private(set) var isDeleting = false
  /// The highest number that was looked at.
  private(set) var place = -1
  private var rows = 0
  private var dead = 0

  init(_ live: LiveNotifications) { self.live = live }

  /// Notes a slice that was looked at; false when nothing is left to be done.
  mutating func looked(at numbers: [Int], dead count: Int) -> Bool {
    rows += isDeleting ? 0 : numbers.count
    dead += isDeleting ? 0 : count
    if numbers.count == Self.slice, let last = numbers.last {
      place = last
      return true
    }
    guard !isDeleting, dead > 0, dead * 4 >= rows || dead >= Self.many else { return false }
    isDeleting = true
    place = -1
    return true
  }
}

extension HistoryWriter {
  /// Begins a sweep, in the place of one that is under way.
  func begin(_ sweep: NotificationSweep) {
    self.sweep = sweep
    core.desk.with { $0.isSweeping = true }
  }

  /// Looks at some rows, and deletes what is dead among them when it was found worth it.
  func sweepSlice() {
    guard let sweep else { return endSweep() }
    var numbers: [Int] = []
    var dead: [Int] = []
    let isDone = attempt([]) { db in
      let commands = try prepared(db)
      numbers = try commands.notifications(after: sweep.place, below: sweep.live.next)
      dead = numbers.filter { !sweep.live.contains($0) }
      guard sweep.isDeleting else { return }
      for number in dead { try commands.forget.begin().add(number).execute() }
    }
    guard isDone else { return }
    if sweep.isDeleting { swept += dead.count }
    if self.sweep?.looked(at: numbers, dead: dead.count) != true { endSweep() }
    publish()
  }

  private func endSweep() {
    sweep = nil
    core.desk.with { $0.isSweeping = false }
    core.notice(.swept(rows: swept))
    swept = 0
  }
}

extension WriterCommands {
  /// The numbers of the next rows, in order.
  fileprivate func notifications(after place: Int, below end: Int) throws -> [Int] {
    var numbers: [Int] = []
    kept.begin().add(place).add(end).add(NotificationSweep.slice)
    try kept.forEach { row in
      numbers.append(row.number(0))
      return true
    }
    return numbers
  }
}
