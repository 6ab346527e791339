/// A user's place in the registry: dense, given out in order of appearance, never used again.
package struct UserRef: Hashable, Sendable, Comparable {
  package let index: UInt32

  package init(index: UInt32) { self.index = index }

  package static func < (lhs: UserRef, rhs: UserRef) -> Bool { lhs.index < rhs.index }
}

/// A channel's place in the registry: dense, given out in order of creation, never used again, so
/// that a channel deleted and created anew is another one.
package struct ChannelRef: Hashable, Sendable, Comparable {
  package let index: UInt32

  package init(index: UInt32) { self.index = index }

  package static func < (lhs: ChannelRef, rhs: ChannelRef) -> Bool { lhs.index < rhs.index }
}

/// Lists that are kept in ascending order, each element once.
extension Array where Element: Comparable {
  /// Whether the element is in the list.
  func containsSorted(_ element: Element) -> Bool {
    guard !isEmpty else { return false }
    let place = sortedPlace(of: element)
    return place < count && self[place] == element
  }

  /// Puts the element in its place; false when it is there.
  @discardableResult
  mutating func insertSorted(_ element: Element) -> Bool {
    let place = sortedPlace(of: element)
    guard place == count || self[place] != element else { return false }
    insert(element, at: place)
    return true
  }

  /// Takes the element out; false when it is not there.
  @discardableResult
  mutating func removeSorted(_ element: Element) -> Bool {
    let place = sortedPlace(of: element)
    guard place < count, self[place] == element else { return false }
    remove(at: place)
    return true
  }

  private func sortedPlace(of element: Element) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
