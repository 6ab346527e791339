/// Checks that one listener gets every message of one channel once and in order, by their `seq`.
package struct SequenceVerifier: Sendable, Equatable {
  /// What a message turned out to be.
  package enum Verdict: Sendable, Equatable {
    case inOrder
    /// So many messages before it are missing.
    case gap(Int)
    /// It was missing until now.
    case late
    case duplicate
  }

  /// The `seq` that comes next in order.
  package private(set) var next: Int
  private let first: Int
  /// What is missing, in ascending order. Empty as long as nothing goes wrong.
  private var missing: [Range<Int>] = []

  /// - Parameter after: the channel's `seq` when the subscription began.
  package init(after seq: Int) {
    first = seq + 1
    next = first
  }

  /// How many messages before the last one received have not come.
  package var missingCount: Int { missing.reduce(0) { $0 + $1.count } }

  package mutating func received(_ seq: Int) -> Verdict {
    if seq == next {
      next += 1
      return .inOrder
    }
    guard seq < next else {
      missing.append(next..<seq)
      defer { next = seq + 1 }
      return .gap(seq - next)
    }
    guard let index = missing.firstIndex(where: { $0.contains(seq) }) else { return .duplicate }
    let range = missing[index]
    let around = [range.lowerBound..<seq, seq + 1..<range.upperBound]
    missing.replaceSubrange(index...index, with: around.filter { !$0.isEmpty })
    return .late
  }
}
