package import HubProtocol

/// What the clocks of one time zone show over time, as a value: how far they are from UTC.
package struct ZoneRules: Equatable, Sendable {
  /// A moment at which the clocks change.
  package struct Transition: Equatable, Sendable {
    package let from: Timestamp
    /// Seconds east of UTC from that moment on, up to the next transition.
    package let offset: Int

    package init(from: Timestamp, offset: Int) {
      self.from = from
      self.offset = offset
    }
  }

  /// Seconds east of UTC before the first transition.
  package let firstOffset: Int
  /// The earliest first, each at a time of its own.
  package let transitions: [Transition]

  /// Of two transitions at one time the later in the list counts.
  package init(firstOffset: Int, transitions: [Transition] = []) {
    self.firstOffset = firstOffset
    var ordered: [Transition] = []
    for transition in transitions.sorted(by: { $0.from < $1.from }) {
      if ordered.last?.from == transition.from { ordered.removeLast() }
      ordered.append(transition)
    }
    self.transitions = ordered
  }

  /// Seconds to add to UTC for what the clocks of the zone show at that moment.
  package func offset(at moment: Timestamp) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].from <= moment { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? firstOffset : transitions[low - 1].offset
  }
}

/// Where the core finds the rules of time zones. The shell brings it, because they are data of the
/// system: the core reads no files, and for it the same name always has the same rules.
package protocol ZoneSource: Sendable {
  /// The rules of a zone by its IANA name; nil for a name that nobody knows.
  func rules(of zone: String) -> ZoneRules?
}
