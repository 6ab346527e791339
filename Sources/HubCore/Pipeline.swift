import DequeModule
import HubProtocol

/// The one FIFO between admission and effect: records, reads and ephemeral steps take effect in the
/// order admitted, each once the records before it are durable. With nothing pending a step passes
/// at once.
struct Pipeline {
  /// What is to be done when its turn comes.
  enum Step {
    case record(Record)
    /// A read, or something that leaves no record.
    case operation(Operation)
    /// `subscribe`, with what was loaded of what was missed.
    case subscription(Subscribe, LoadedMissed?)
    /// `hello` of a user who is known.
    case greeting(Identity, since: String?)
    /// `token.refresh`.
    case refresh(Result<Identity, Refusal>)
    /// `hello` with a token that is not good.
    case badToken(Refusal)
    case refusal(Refusal)
    /// A record that could not be logged, and so did not happen.
    case unlogged(Record, Refusal)
    /// The connection is to be closed.
    case violation(CloseCode)
    /// The connection ended.
    case disconnection

    /// Whether nothing but an error comes of it.
    var isRefusal: Bool {
      if case .refusal = self { true } else { false }
    }
  }

  struct Entry {
    let origin: Origin
    /// Who asks; nil before `hello` has taken effect.
    let user: UserRef?
    let step: Step
  }

  private var entries: Deque<(entry: Entry, record: Int)> = []
  private var unlogged: [Record] = []
  /// Records admitted since the start.
  private var admitted = 0
  /// Records that have been handed on to take effect.
  private var taken = 0

  /// Puts an entry behind all others.
  mutating func append(_ entry: Entry) {
    switch entry.step {
    case .record(let record):
      unlogged.append(record)
      admitted += 1
    case .operation, .subscription, .greeting, .refresh, .badToken, .refusal, .unlogged,
      .violation, .disconnection:
      break
    }
    entries.append((entry, admitted))
  }

  /// The records admitted since the last call, to be logged in this order.
  mutating func takeUnlogged() -> [Record] {
    guard !unlogged.isEmpty else { return [] }
    var records: [Record] = []
    swap(&records, &unlogged)
    return records
  }

  /// Records that have not taken effect.
  var pendingRecords: Int { admitted - taken }

  /// Whether there are records to be logged.
  var hasUnlogged: Bool { !unlogged.isEmpty }

  /// Gives up all records that are not durable: they are refused in their turn.
  mutating func giveUp(after durable: Int, _ refusal: Refusal) {
    unlogged = []
    for (index, (entry, record)) in entries.enumerated() where record > durable {
      var step = entry.step
      if case .record(let record) = step { step = .unlogged(record, refusal) }
      entries[index] = (Entry(origin: entry.origin, user: entry.user, step: step), durable)
    }
    admitted = durable
  }

  /// The first entry, if `durable` records since the start reach it.
  mutating func next(durable: Int) -> Entry? {
    guard let first = entries.first, first.record <= durable else { return nil }
    taken = max(taken, first.record)
    return entries.removeFirst().entry
  }
}
