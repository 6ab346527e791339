/// What waits for one reader: a queue with a limit, which counts what it could not take.
package struct Mailbox<Element> {
  /// What is done with an element that finds the mailbox full.
  package enum Overflow: Sendable {
    /// It and all after it are dropped until the reader has emptied the mailbox; then the reader is
    /// told how many.
    case count
    /// It takes the place of the oldest: only the newest matter.
    case replaceOldest
  }

  /// What the reader gets.
  package enum Next {
    case element(Element)
    /// So many were dropped here.
    case missed(Int)
  }

  private let limit: Int
  private let overflow: Overflow
  private var elements: [Element?] = []
  private var first = 0
  private var missed = 0

  package init(limit: Int, overflow: Overflow) {
    precondition(limit > 0, "a mailbox holds at least one element")
    self.limit = limit
    self.overflow = overflow
  }

  package var count: Int { elements.count - first }

  package mutating func offer(_ element: Element) {
    switch overflow {
    case .count where missed > 0 || count >= limit: missed += 1
    case .replaceOldest where count >= limit:
      _ = take()
      elements.append(element)
    case .count, .replaceOldest: elements.append(element)
    }
  }

  /// The oldest; nil when there is nothing.
  package mutating func take() -> Next? {
    guard first < elements.count, let element = elements[first].take() else {
      guard missed > 0 else { return nil }
      defer { missed = 0 }
      return .missed(missed)
    }
    first += 1
    // Taken places are given back when they are the greater part.
    if first * 2 > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return .element(element)
  }
}

extension Mailbox: Sendable where Element: Sendable {}
