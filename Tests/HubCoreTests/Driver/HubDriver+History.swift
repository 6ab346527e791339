import HubCore
import HubProtocol
import HubStage

/// What is asked of history.
extension HubDriver {
  /// A question that is not answered.
  struct Asked {
    let query: HistoryQuery
    let read: PendingRead
    /// Nil where it is looked up when it is answered.
    let answer: HistoryAnswer?
  }

  /// What history says now.
  func look(_ query: HistoryQuery) -> HistoryAnswer {
    history?.answer(query) ?? ModelHistory.nothing(query)
  }

  func ask(_ query: HistoryQuery, _ read: PendingRead) {
    questionCount += 1
    asked.append(Asked(query: query, read: read, answer: answersEarly ? look(query) : nil))
  }

  /// Answers what was asked, in order, as often as there is more.
  func answer() {
    while !asked.isEmpty {
      let next = asked.removeFirst()
      if let meanwhile {
        self.meanwhile = nil
        meanwhile(next.query)
        if self.meanwhile == nil { self.meanwhile = meanwhile }
      }
      answer(next, with: next.answer ?? look(next.query))
    }
  }

  /// Answers the oldest question with that.
  func answer(with answer: HistoryAnswer) {
    if !asked.isEmpty { self.answer(asked.removeFirst(), with: answer) }
  }

  private func answer(_ asked: Asked, with answer: HistoryAnswer) {
    hub.resume(asked.read, with: answer, at: moment)
    run()
  }
}
