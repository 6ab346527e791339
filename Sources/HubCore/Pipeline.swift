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
    /// `hello` of a user who is known.
    case greeting(Identity, since: String?)
    /// `token.refresh`.
    case refresh(Result<Identity, Refusal>)
    /// `hello` with a token that is not good.
    case badToken(Refusal)
    case refusal(Refusal)
    /// The connection is to be closed.
    case violation(CloseCode)
    /// The connection ended.
    case disconnection
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

  /// Puts an entry behind all others.
  mutating func append(_ entry: Entry) {
    switch entry.step {
    case .record(let record):
      unlogged.append(record)
      admitted += 1
    case .operation, .greeting, .refresh, .badToken, .refusal, .violation, .disconnection:
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

  /// The first entry, if `durable` records since the start reach it.
  mutating func next(durable: Int) -> Entry? {
    guard let first = entries.first, first.record <= durable else { return nil }
    return entries.removeFirst().entry
  }
}
