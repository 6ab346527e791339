import DequeModule
package import HubProtocol

/// The newest messages of one channel, in memory: at most 1,000, and at most 1 MiB of them. What
/// lies below is asked of history.
package struct MessageWindow: Sendable {
  /// Messages kept at most.
  package static let messageLimit = 1_000
  /// `Message.weight` kept at most; the newest message always stays.
  package static let weightLimit = 1024 * 1024

  private var messages: Deque<Message> = []
  /// All messages kept, oldest first.
  var kept: Deque<Message> { messages }
  /// The sum of the messages' weights: bytes of memory, about.
  package private(set) var weight = 0

  package init() {}

  /// Number of the oldest message kept; nil when there is none.
  package var firstSeq: Int? { messages.first?.seq }
  /// The newest message kept.
  package var last: Message? { messages.last }

  /// Takes the message after the newest one, and lets the oldest go where the window is full.
  package mutating func append(_ message: Message) {
    precondition(
      messages.last.map { $0.seq + 1 == message.seq } ?? true, "messages come without holes")
    messages.append(message)
    weight += message.weight
    while messages.count > Self.messageLimit || (weight > Self.weightLimit && messages.count > 1) {
      weight -= messages.removeFirst().weight
    }
  }

  /// The message of that number, if it is kept.
  package subscript(seq: Int) -> Message? {
    guard let index = index(of: seq) else { return nil }
    return messages[index]
  }

  /// Puts the message's new state in the place of the old; false when it is not kept.
  package mutating func replace(_ message: Message) -> Bool {
    guard let index = index(of: message.seq) else { return false }
    weight += message.weight - messages[index].weight
    messages[index] = message
    return true
  }

  /// The messages of `range` that are kept, oldest first.
  package func messages(in range: ClosedRange<Int>) -> [Message] {
    guard let first = messages.first?.seq, let last = messages.last?.seq,
      range.overlaps(first...last)
    else { return [] }
    let kept = range.clamped(to: first...last)
    return Array(messages[(kept.lowerBound - first)...(kept.upperBound - first)])
  }

  /// Lets all messages go.
  package mutating func removeAll() {
    messages = []
    weight = 0
  }

  private func index(of seq: Int) -> Int? {
    guard let first = messages.first?.seq, seq >= first, seq - first < messages.count else {
      return nil
    }
    return seq - first
  }
}
