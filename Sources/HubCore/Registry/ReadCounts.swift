import DequeModule
import HubProtocol

/// How many members have read each of a channel's newest 50 messages: kept only where there are too
/// many members to tell each receipt (protocol, "Events": `receipt`).
package struct ReadCounts: Sendable {
  /// Messages counted for.
  package static let limit = 50

  private var counts: Deque<Int> = []
  private var lastSeq: Int

  /// Counts from the members' read pointers.
  package init(lastSeq: Int, pointers: some Sequence<Int>) {
    self.lastSeq = lastSeq
    counts = Deque(repeating: 0, count: min(Self.limit, lastSeq))
    for read in pointers { add(1, after: 0, upTo: read) }
  }

  /// A message came; nobody has read it yet.
  package mutating func append() {
    lastSeq += 1
    counts.append(0)
    if counts.count > Self.limit { counts.removeFirst() }
  }

  /// A member's pointer moved forward, a member came (`from` 0), or went (`by` −1, `from` 0).
  package mutating func add(_ by: Int, after from: Int, upTo to: Int) {
    let first = lastSeq - counts.count
    let lower = max(from, first)
    guard lower < to else { return }
    for seq in lower..<min(to, lastSeq) { counts[seq - first] += by }
  }

  /// How many have read the message; nil below the newest 50.
  package subscript(seq: Int) -> Int? {
    let index = seq - 1 - (lastSeq - counts.count)
    return counts.indices.contains(index) ? counts[index] : nil
  }
}
