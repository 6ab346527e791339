import DequeModule
import HubCore
package import HubProtocol
package import NIOCore

/// What waits for a connection that does not take what it is sent (architecture, "Outbound lanes"):
/// the ordered lane, one FIFO of replies and events, and the latest values, which come when it is
/// empty. There is one only for as long as something waits.
///
/// Over its limit the latest values go first, then what is ordered and not a reply. What was
/// dropped of a channel becomes one `gap` in the place of the first event dropped, which grows
/// until it is written. From the first gap on nothing more of any channel is taken in until all
/// gaps are written: so the lanes run empty at the reader's own pace, and its requests, which wait
/// for that, go on. What was dropped of the user stream becomes one `gap` behind everything.
package struct OutboundLanes {
  /// One thing to be written.
  package enum Item: Sendable {
    case frame(ByteBuffer)
    /// An event that is the lanes' own, to be encoded now.
    case event(Event)
  }

  /// What an event of the lanes' own counts for: about the bytes of its frame.
  package static let eventBytes = 256

  private enum Place {
    case frame(ByteBuffer)
    case gap(Int)
  }

  private struct Missed {
    let channel: ChannelRef
    let name: ChannelName
    let from: Int
    var to: Int
    let rev: Int
  }

  /// The most bytes that may wait, but for what is never dropped.
  private let limit: Int
  private var ordered: Deque<Place> = []
  private var orderedBytes = 0
  private var latest = LatestValues()
  /// The gaps that are not written yet, by number.
  private var missed: [Int: Missed] = [:]
  /// Which of them, if it is not written yet, grows with what is dropped of the channel.
  private var growing: [ChannelRef: Int] = [:]
  private var lastGap = 0
  /// Whether something of the user stream was dropped, and the reader does not know it yet.
  private var missesUserStream = false

  /// Lanes for `limit` bytes of frames that may be dropped.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Whether nothing waits.
  package var isEmpty: Bool { ordered.isEmpty && latest.isEmpty && !missesUserStream }

  /// Bytes of the frames that wait, and of gaps about as much as they will take.
  package var bytes: Int { orderedBytes + latest.bytes }
}

// MARK: - Taking in

extension OutboundLanes {
  /// Takes in a frame behind the others, or drops what has to be dropped. `position` is where the
  /// frame's channel stood before it.
  package mutating func add(_ frame: ByteBuffer, _ mark: Mark, behind position: ChannelPosition) {
    switch mark {
    case .reply:
      append(frame)
    case .subscribed:
      growing.removeAll()
      append(frame)
    case .message(let channel, let name, let seq):
      add(frame, Missed(channel: channel, name: name, from: seq, to: seq, rev: position.rev))
    case .change(let channel, let name, let rev):
      let seq = position.seq
      add(frame, Missed(channel: channel, name: name, from: seq + 1, to: seq, rev: rev - 1))
    case .channelEvent(let channel, let name):
      let (seq, rev) = (position.seq, position.rev)
      add(frame, Missed(channel: channel, name: name, from: seq + 1, to: seq, rev: rev))
    case .ended(let channel):
      end(channel)
      append(frame)
    case .userStream:
      if !missesUserStream, hasRoom(for: frame) { append(frame) } else { missesUserStream = true }
    case .ephemeral:
      if missed.isEmpty, hasRoom(for: frame) { append(frame) }
    case .latest(let key):
      if fits(frame, over: key) { return latest.write(frame, key) }
      if !latest.drop(key) { missesUserStream = true }
    }
  }

  private mutating func append(_ frame: ByteBuffer) {
    ordered.append(.frame(frame))
    orderedBytes += frame.readableBytes
  }

  /// Takes in an ordered event of a channel, or drops it; `gap` is what it would leave alone.
  private mutating func add(_ frame: ByteBuffer, _ gap: Missed) {
    if missed.isEmpty, hasRoom(for: frame) { return append(frame) }
    if let number = growing[gap.channel], let known = missed[number] {
      missed[number]?.to = max(known.to, gap.to)
      return
    }
    lastGap += 1
    missed[lastGap] = gap
    growing[gap.channel] = lastGap
    ordered.append(.gap(lastGap))
    orderedBytes += Self.eventBytes
  }

  /// Whether an ordered frame fits, once the latest values have gone if need be.
  private mutating func hasRoom(for frame: ByteBuffer) -> Bool {
    guard bytes + frame.readableBytes > limit else { return true }
    if latest.dropAll() { missesUserStream = true }
    return bytes + frame.readableBytes <= limit
  }

  private func fits(_ frame: ByteBuffer, over key: LatestKey) -> Bool {
    bytes - latest.bytes(of: key) + frame.readableBytes <= limit
  }

  private mutating func end(_ channel: ChannelName) {
    growing = growing.filter { missed[$0.value]?.name != channel }
    if let unread = latest.end(channel) { append(unread) }
  }
}

// MARK: - Giving out

extension OutboundLanes {
  /// Takes out what is to be written next: at most about `bytes` of it, but one thing always, and
  /// nothing when nothing waits.
  package mutating func takePiece(ofAbout bytes: Int) -> [Item] {
    var items: [Item] = []
    var rest = bytes
    while let next = nextBytes(), items.isEmpty || next <= rest {
      guard let item = takeNext() else { break }
      items.append(item)
      rest -= next
    }
    return items
  }

  private mutating func nextBytes() -> Int? {
    switch ordered.first {
    case .frame(let frame): return frame.readableBytes
    case .gap: return Self.eventBytes
    case nil: return latest.firstBytes() ?? (missesUserStream ? Self.eventBytes : nil)
    }
  }

  private mutating func takeNext() -> Item? {
    switch ordered.popFirst() {
    case .frame(let frame):
      orderedBytes -= frame.readableBytes
      return .frame(frame)
    case .gap(let number):
      orderedBytes -= Self.eventBytes
      return takeGap(number)
    case nil:
      return takeLatest()
    }
  }

  private mutating func takeGap(_ number: Int) -> Item? {
    guard let gap = missed.removeValue(forKey: number) else { return nil }
    return .event(.gap(Gap(channel: gap.name, from: gap.from, to: gap.to, rev: gap.rev)))
  }

  private mutating func takeLatest() -> Item? {
    if let (key, frame) = latest.takeFirst() {
      if let frame { return .frame(frame) }
      return key.channel.map { .event(.typing($0, users: [])) }
    }
    guard missesUserStream else { return nil }
    missesUserStream = false
    return .event(.userGap)
  }
}
