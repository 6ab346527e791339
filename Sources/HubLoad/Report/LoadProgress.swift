/// How a load test stands while it runs.
package struct LoadProgress: Sendable {
  package enum Phase: Sendable, Equatable {
    case opening, publishing, watching, draining
  }

  package let phase: Phase
  /// Counts what is told, from 0.
  package let number: Int
  /// The wave that is being opened.
  package var stage = ""
  package var opened = 0
  package var toOpen = 0
  /// Seconds since the first message, and how many are planned.
  package var elapsed = 0.0
  package var seconds = 0.0
  package var tally = Tally()
  /// Since the last progress.
  package var deliveriesPerS = 0.0
  /// Since the first message.
  package var p99Ms = 0.0

  package init(phase: Phase, number: Int) {
    self.phase = phase
    self.number = number
  }

  /// One line for people.
  package var sentence: String {
    switch phase {
    case .opening:
      "opening (\(stage)): \(Figure.grouped(opened)) of \(Figure.grouped(toOpen))"
    case .publishing, .draining:
      "\(time) · \(Figure.grouped(tally.delivered)) delivered"
        + " · \(Figure.text(deliveriesPerS)) /s · p99 \(Figure.text(p99Ms)) ms\(trouble)"
    case .watching: "\(time) · watching\(trouble)"
    }
  }

  private var time: String { "\(Int(elapsed)) of \(Figure.text(seconds)) s" }

  private var trouble: String {
    var failures = tally
    // On its way, not lost, as long as messages are published.
    if phase != .draining { failures.expected = 0 }
    return failures.failures.map { " · \($0)" }.joined()
  }
}
