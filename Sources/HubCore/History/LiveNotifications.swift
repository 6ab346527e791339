/// Which notifications some inbox held at one moment: a bit for each number from the first of them
/// on.
package struct LiveNotifications: Sendable {
  /// The number that the next notification was to get. Nothing is known of it and of later ones.
  package let next: Int
  /// The place of the first word among all words of 64 numbers.
  private var first = 0
  private var words: [UInt64] = []

  /// Those with `numbers`, in any order and as often as they like; what is not below `next` is left
  /// out.
  package init(next: Int, numbers: some Sequence<Int>) {
    self.next = next
    insert(numbers)
  }

  /// Adds some, of which the same holds.
  mutating func insert(_ numbers: some Sequence<Int>) {
    for number in numbers where (0..<max(0, next)).contains(number) { insert(number) }
  }

  /// Whether an inbox held it, or nothing is known of it.
  package func contains(_ number: Int) -> Bool {
    guard number < next else { return true }
    let place = (number >> 6) - first
    guard number >= 0, words.indices.contains(place) else { return false }
    return words[place] & Self.bit(number) != 0
  }

  private mutating func insert(_ number: Int) {
    let word = number >> 6
    if words.isEmpty { first = word }
    if word < first { reach(down: word) }
    let place = word - first
    if place >= words.count {
      words.append(contentsOf: repeatElement(0, count: place - words.count + 1))
    }
    words[place] |= Self.bit(number)
  }

  /// Makes room for lower numbers, and some more, so that it is not moved for each.
  private mutating func reach(down word: Int) {
    let room = min(first, max(first - word, words.count))
    words.insert(contentsOf: repeatElement(0, count: room), at: 0)
    first -= room
  }

  private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number & 63) }
}
