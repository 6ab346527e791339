import DequeModule
import HashTreeCollections
package import HubProtocol

/// The newest messages of one channel, in memory: at most 1,000, and at most 1 MiB of them, with
/// who reacted to them. What lies below is asked of history.
package struct MessageWindow: Sendable {
  /// Messages kept at most.
  package static let messageLimit = 1_000
  /// `weight` kept at most; the newest message always stays.
  package static let weightLimit = 1024 * 1024
  /// Older messages in memory at most, and their `weight` as the window's own.
  static let recalledLimit = 512
  /// Messages remembered of which what was loaded may be out of date.
  static let doubtLimit = 1_024
  /// What one reaction of one person counts for.
  static let reactorWeight = 16

  /// Who made each of a message's reactions, in the order of `Message.reactions`.
  typealias Reactors = [TreeSet<UserRef>]

  private var messages: Deque<Message> = []
  /// Older messages: those that were loaded to be changed, and those that had been changed when
  /// they left the window, the latest used last. What holds for the window's own messages holds
  /// for them until others take their places.
  private(set) var recalled: [Message] = []
  private(set) var reactors: [Int: Reactors] = [:]
  /// All messages kept, oldest first.
  var kept: Deque<Message> { messages }
  /// Bytes of memory, about, of the newest messages.
  private var newestWeight = 0
  /// The same of the recalled ones.
  private var recalledWeight = 0
  /// The newest `rev` of a message that is no longer kept: who has seen less cannot be told from
  /// the window what has changed.
  package private(set) var forgottenRev = 0
  /// How often something that was loaded before may have become out of date.
  private(set) var generation = 0
  /// Which messages that was about, the newest last: as many of the latest as are remembered.
  private(set) var doubts: [Doubt] = []

  /// A message of which what was loaded before may be out of date.
  struct Doubt: Equatable {
    let seq: Int
    /// Its newest change when it left memory; nil when nobody knows how many answer it.
    let rev: Int?
  }

  package init() {}

  /// Bytes of memory, about.
  package var weight: Int { newestWeight + recalledWeight }

  /// A window that has let messages go.
  init(forgottenRev: Int, generation: Int, doubts: [Doubt]) {
    self.forgottenRev = forgottenRev
    self.generation = generation
    self.doubts = doubts
  }

  /// How many of the newest messages are kept.
  var count: Int { messages.count }
  /// Number of the oldest message kept; nil when there is none.
  package var firstSeq: Int? { messages.first?.seq }
  /// The newest message kept.
  package var last: Message? { messages.last }

  /// Takes the message after the newest one, and lets the oldest go where the window is full.
  package mutating func append(_ message: Message) {
    precondition(
      messages.last.map { $0.seq + 1 == message.seq } ?? true, "messages come without holes")
    messages.append(message)
    newestWeight += message.weight
    trim()
  }

  /// Whether a message may leave memory when that many records more have taken effect.
  func mayLeave(_ seq: Int, behind records: Int) -> Bool {
    guard let first = firstSeq, seq >= first else { return true }
    // One message may push out several, where the window is full by weight.
    if newestWeight > Self.weightLimit / 2 { return true }
    return messages.count + records > Self.messageLimit && seq - first < records
  }

  /// The message of that number, if it is in memory.
  package subscript(seq: Int) -> Message? {
    if let index = index(of: seq) { return messages[index] }
    return recalled.first { $0.seq == seq }
  }

  /// Puts the message's new state in the place of the old; false when it is not kept. A deleted
  /// message's reactions go. What has become too much stays until `trim`.
  package mutating func replace(_ message: Message) -> Bool {
    if let index = index(of: message.seq) {
      newestWeight += message.weight - messages[index].weight
      messages[index] = message
    } else if let index = recalled.firstIndex(where: { $0.seq == message.seq }) {
      recalledWeight += message.weight - recalled[index].weight
      recalled.remove(at: index)
      recalled.append(message)
    } else {
      return false
    }
    if message.isDeleted { setReactors(nil, of: message.seq) }
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

  /// The messages up to `seq` that were changed after `rev`, oldest first, as far as they are in
  /// memory: all of them when `rev` is not below `forgottenRev`.
  package func changedInMemory(after rev: Int, upTo seq: Int) -> [Message] {
    let older = recalled.filter { $0.seq <= seq && $0.rev > rev }.sorted { $0.seq < $1.seq }
    return older + messages.prefix { $0.seq <= seq }.filter { $0.rev > rev }
  }

  /// Lets all messages but the newest go.
  package mutating func clear() {
    while !recalled.isEmpty { dropRecalled() }
    while messages.count > 1, let (oldest, _) = takeOldest() {
      if oldest.hasChanged { forget(oldest) }
    }
  }

  /// Lets the messages up to `seq` go for ever: nobody is to be told of changes to them.
  mutating func expire(upTo seq: Int) {
    while let first = messages.first, first.seq <= seq { _ = takeOldest() }
    for message in recalled where message.seq <= seq {
      setReactors(nil, of: message.seq)
      recalledWeight -= message.weight
    }
    recalled.removeAll { $0.seq <= seq }
  }

  /// Takes a message that is below the window; nothing when it is in memory, which knows better.
  mutating func recall(_ message: Message, _ reactors: Reactors) {
    guard self[message.seq] == nil else { return }
    recalled.append(message)
    recalledWeight += message.weight
    setReactors(reactors, of: message.seq)
    trimRecalled()
  }

  /// What was loaded of a message before is no longer to be trusted.
  mutating func doubt(_ seq: Int, _ rev: Int?) {
    generation += 1
    doubts.append(Doubt(seq: seq, rev: rev))
    if doubts.count > Self.doubtLimit { doubts.removeFirst() }
  }

  /// What has become doubtful since that generation; nil when that is too long ago.
  func doubts(since generation: Int) -> ArraySlice<Doubt>? {
    let count = self.generation - generation
    return 0...doubts.count ~= count ? doubts.suffix(count) : nil
  }

  /// Whether what was loaded of a message at that generation is still so.
  func isCurrent(_ seq: Int, since generation: Int) -> Bool {
    doubts(since: generation).map { !$0.contains { $0.seq == seq } } ?? false
  }

  /// Puts in who reacted to a message in memory; nil for nobody.
  mutating func setReactors(_ users: Reactors?, of seq: Int) {
    let before = reactors.removeValue(forKey: seq)
    if let users, !users.isEmpty { reactors[seq] = users }
    let growth = (users.map(Self.weight) ?? 0) - (before.map(Self.weight) ?? 0)
    if index(of: seq) != nil { newestWeight += growth } else { recalledWeight += growth }
  }

  /// Hands over who reacted to a message, to be put back with `setReactors`.
  mutating func takeReactors(of seq: Int) -> Reactors {
    let users = reactors[seq] ?? []
    setReactors(nil, of: seq)
    return users
  }

  /// Lets go what is above the limits.
  package mutating func trim() {
    trimRecalled()
    while messages.count > Self.messageLimit
      || (newestWeight > Self.weightLimit && messages.count > 1)
    {
      guard let (oldest, reactors) = takeOldest() else { break }
      // Requests that are on their way may be about it.
      if oldest.hasChanged { recall(oldest, reactors) }
    }
  }

  private mutating func trimRecalled() {
    while recalled.count > Self.recalledLimit
      || (recalledWeight > Self.weightLimit && recalled.count > 1)
    {
      dropRecalled()
    }
  }

  /// Takes out the oldest of the newest messages, with who reacted to it; nil when there is none.
  private mutating func takeOldest() -> (message: Message, reactors: Reactors)? {
    guard let oldest = messages.first else { return nil }
    let reactors = takeReactors(of: oldest.seq)
    messages.removeFirst()
    newestWeight -= oldest.weight
    return (oldest, reactors)
  }

  private mutating func dropRecalled() {
    let oldest = recalled.removeFirst()
    setReactors(nil, of: oldest.seq)
    recalledWeight -= oldest.weight
    forget(oldest)
  }

  /// Notes that a message that may have changed is no longer in memory.
  private mutating func forget(_ message: Message) {
    forgottenRev = max(forgottenRev, message.rev)
    doubt(message.seq, message.rev)
  }

  private func index(of seq: Int) -> Int? {
    guard let first = messages.first?.seq, seq >= first, seq - first < messages.count else {
      return nil
    }
    return seq - first
  }

  static func weight(of reactors: Reactors) -> Int {
    reactors.reduce(0) { $0 + $1.count * reactorWeight }
  }
}

extension Message {
  /// Whether somebody has changed it, answered it or reacted to it.
  fileprivate var hasChanged: Bool { rev > 0 || replyCount > 0 }
}
