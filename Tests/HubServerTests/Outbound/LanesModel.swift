import HubCore
import HubProtocol
import HubServer
import NIOCore

/// Everything that was ever put into lanes, in plain lists, and the reader at their other end, who
/// says what is wrong with what comes: the rules of the lanes in the reader's words.
struct LanesModel {
  /// What one channel's subscriber would have got, and how far the reader is in it.
  private struct Log {
    enum Entry {
      case event(frame: Int, Mark)
      /// Gaps do not reach over this.
      case boundary
    }

    var entries: [Entry] = []
    var next = 0
    /// Where the channel stands behind the last entry, and for the reader.
    var written = ChannelPosition.start
    var read = ChannelPosition.start

    /// The position of the reader behind an event.
    mutating func pass(_ mark: Mark) {
      if case .message(_, _, let seq) = mark { read.seq = seq }
      if case .change(_, _, let rev) = mark { read.rev = rev }
    }

    mutating func skipBoundaries() {
      while next < entries.count, case .boundary = entries[next] { next += 1 }
    }
  }

  private let channels: [TestChannel]
  private var logs: [ChannelName: Log]
  private var marks: [Mark] = []
  private var newest: [LatestKey: Int] = [:]
  /// Values and user events that the reader has neither got nor been told to load.
  private var owed: Set<Int> = []
  /// Counts of what is unread that an `unsubscribed` took along, past newer ones.
  private var takenAlong: Set<Int> = []
  /// What is never dropped and was not read yet.
  private var replies: [(frame: Int, bytes: Int)] = []
  private var lastOrdered = -1
  private(set) var faults: [String] = []

  init(_ channels: [TestChannel]) {
    self.channels = channels
    logs = Dictionary(uniqueKeysWithValues: channels.map { ($0.name, Log()) })
  }

  /// The most bytes that may wait in lanes with that limit.
  func mostBytes(limit: Int) -> Int {
    let boundaries = replies.count { marks[$0.frame] != .reply }
    let gaps = channels.count * (1 + boundaries)
    return limit + replies.reduce(0) { $0 + $1.bytes } + gaps * OutboundLanes.eventBytes
  }

  /// What the next message and the next change of a channel are numbered.
  func next(_ channel: TestChannel) -> ChannelPosition {
    let position = logs[channel.name]?.written ?? .start
    return ChannelPosition(seq: position.seq + 1, rev: position.rev + 1)
  }

  /// Notes that a frame of so many bytes is put in; answers its text, and where its channel stood.
  mutating func put(_ mark: Mark, bytes: Int) -> (text: String, position: ChannelPosition) {
    let frame = marks.count
    marks.append(mark)
    var position = ChannelPosition.start
    switch mark {
    case .message(_, let name, let seq):
      position = log(.event(frame: frame, mark), in: name) { $0.seq = seq }
    case .change(_, let name, let rev):
      position = log(.event(frame: frame, mark), in: name) { $0.rev = rev }
    case .channelEvent(_, let name):
      position = log(.event(frame: frame, mark), in: name) { _ in }
    case .reply:
      replies.append((frame, bytes + 4))
    case .subscribed:
      replies.append((frame, bytes + 4))
      for channel in channels { logs[channel.name]?.entries.append(.boundary) }
    case .ended(let name):
      // With room for the count of what is unread.
      replies.append((frame, bytes + 500))
      end(name)
    case .userStream:
      owed.insert(frame)
    case .latest(let key):
      if let before = newest.updateValue(frame, forKey: key) { owed.remove(before) }
      owed.insert(frame)
    case .ephemeral:
      break
    }
    return ("\(frame)", position)
  }

  private mutating func log(
    _ entry: Log.Entry, in name: ChannelName, _ change: (inout ChannelPosition) -> Void
  ) -> ChannelPosition {
    guard var log = logs[name] else { return .start }
    let before = log.written
    log.entries.append(entry)
    change(&log.written)
    logs[name] = log
    return before
  }

  private mutating func end(_ name: ChannelName) {
    logs[name]?.entries.append(.boundary)
    for (key, frame) in newest where channel(of: key) == name {
      newest[key] = nil
      if key == .unread(name) { takenAlong.insert(frame) } else { owed.remove(frame) }
    }
  }
}

// MARK: - The reader

extension LanesModel {
  /// The reader gets one thing.
  mutating func read(_ item: OutboundLanes.Item) {
    switch item {
    case .frame(let frame):
      guard let index = Int(String(buffer: frame).replacing("~", with: "")) else { return }
      read(index, marks[index])
    case .event(.gap(let gap)):
      readGap(gap)
    case .event(.userGap):
      owed = owed.filter { !isUserStream(marks[$0]) }
    case .event(.typing(let name, [])):
      let frame = newest[.typing(name)].flatMap { owed.remove($0) }
      if frame == nil { fault("a typing set of \(name) was told twice") }
    case .event(let event):
      fault("\(event)")
    }
  }

  /// Everything was read: nothing may be missing.
  mutating func finish() {
    if !replies.isEmpty { fault("\(replies.count) replies are missing") }
    if !owed.isEmpty { fault("missing without a word: \(owed.sorted().map { marks[$0] })") }
    for (name, log) in logs {
      let isMissing = log.entries[log.next...].contains {
        if case .event = $0 { true } else { false }
      }
      if isMissing { fault("events of \(name) are missing without a gap") }
    }
  }

  private mutating func read(_ frame: Int, _ mark: Mark) {
    switch mark {
    case .latest(let key):
      if newest[key] != frame, !takenAlong.contains(frame) { fault("\(key) is not the newest") }
      if owed.remove(frame) == nil { fault("\(key) came twice, or after its channel's end") }
      return
    case .userStream:
      if owed.remove(frame) == nil { fault("user event \(frame) came again") }
    case .ephemeral:
      break
    case .reply, .subscribed:
      readReply(frame)
    case .ended(let name):
      readReply(frame)
      readEvent(nil, mark, in: name)
    case .message(_, let name, _), .change(_, let name, _), .channelEvent(_, let name):
      readEvent(frame, mark, in: name)
    }
    if frame <= lastOrdered { fault("\(frame) came after \(lastOrdered)") }
    lastOrdered = frame
  }

  private mutating func readReply(_ frame: Int) {
    guard replies.first?.frame == frame else { return fault("reply \(frame) out of order") }
    replies.removeFirst()
  }

  /// The next event of a channel; `frame` is nil for its end.
  private mutating func readEvent(_ frame: Int?, _ mark: Mark, in name: ChannelName) {
    guard var log = logs[name] else { return }
    defer { logs[name] = log }
    if frame != nil { log.skipBoundaries() }
    let next = log.next < log.entries.count ? log.entries[log.next] : nil
    log.next += 1
    switch (next, frame) {
    case (.boundary?, nil): break
    case (.event(let index, _)?, let frame?) where index == frame: log.pass(mark)
    default: fault("\(mark) is not what comes next of \(name)")
    }
  }

  private mutating func readGap(_ gap: Gap) {
    guard var log = logs[gap.channel] else { return fault("a gap of \(gap.channel)") }
    log.skipBoundaries()
    let before = log.read
    var missed: [Int] = []
    var count = 0
    while log.next < log.entries.count, case .event(_, let mark) = log.entries[log.next] {
      if case .message(_, _, let seq) = mark { missed.append(seq) }
      log.pass(mark)
      log.next += 1
      count += 1
    }
    logs[gap.channel] = log
    let expected = Gap(
      channel: gap.channel, from: before.seq + 1, to: missed.last ?? before.seq, rev: before.rev)
    if gap != expected || count == 0 { fault("\(gap) instead of \(expected)") }
  }

  private func isUserStream(_ mark: Mark) -> Bool {
    switch mark {
    case .userStream: true
    case .latest(.typing), .latest(.notice): false
    case .latest: true
    case .reply, .subscribed, .message, .change, .channelEvent, .ended, .ephemeral: false
    }
  }

  private func channel(of key: LatestKey) -> ChannelName? {
    switch key {
    case .typing(let name), .present(let name), .receipt(let name, _), .activity(let name),
      .unread(let name):
      name
    case .presence, .notice: nil
    }
  }

  private mutating func fault(_ what: String) {
    faults.append(what)
  }
}
