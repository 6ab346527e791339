import DequeModule
import HubProtocol

/// A user with at least one connection, or whose last one ended a moment ago.
struct OnlineUser {
  /// Unread messages of one channel.
  struct Count: Equatable {
    var unread = 0
    var mentions = 0
  }

  /// A count as it is, and as the user's connections were last told.
  struct Tracked {
    var current = Count()
    /// Nil when they do not all know the same.
    var told: Count? = Count()
    /// The version of what it was last counted from for the total.
    var countedAt = -1
    /// Whether it is part of the total: it is not where `unread` is never sent, nor where the user
    /// has muted the channel.
    var isInTotal = true
  }

  private(set) var connections: [ConnectionID] = []
  /// What the user wants to be seen as.
  var status: PresenceStatus
  /// When the user was last seen to be there, for one who is not shown to be.
  var lastSeenTs: Timestamp?
  /// Milliseconds of uptime when the last connection ended.
  var leftAt: Int?
  /// What happened to the inbox and waits to be told, the oldest first.
  var inboxTellings: Deque<InboxTelling> = []
  /// Milliseconds of uptime when an item of the inbox is looked at, because it may have expired.
  var inboxExpiry: Int?
  var noticeThrottle = NoticeThrottle()
  var noticesShown = NoticesShown()
  private(set) var counts: [ChannelRef: Tracked] = [:]
  /// The sum of the current counts.
  private(set) var total = 0
  /// The sum as the connections know it.
  private var toldTotal = 0

  init(status: PresenceStatus = .online, lastSeenTs: Timestamp? = nil) {
    self.status = status
    self.lastSeenTs = lastSeenTs
  }

  /// What others see.
  var shownStatus: ShownStatus {
    switch status {
    case .online: .online
    case .away: .away
    case .dnd: .dnd
    case .invisible: .offline
    }
  }

  /// Another connection of the same user.
  mutating func connect(_ connection: ConnectionID) {
    connections.append(connection)
    leftAt = nil
  }

  /// One connection less; true when none is left.
  mutating func disconnect(_ connection: ConnectionID) -> Bool {
    connections.removeAll { $0 == connection }
    return connections.isEmpty
  }

  /// Forgets all channels, and what was told of them.
  mutating func followNothing() {
    counts = [:]
    total = 0
    toldTotal = 0
  }

  /// Begins to follow a channel whose count the user knows or is about to be told.
  mutating func follow(_ channel: ChannelRef, count: Count, isInTotal: Bool) {
    forget(channel)
    counts[channel] = Tracked(current: count, told: count, isInTotal: isInTotal)
    guard isInTotal else { return }
    total += count.unread
    toldTotal += count.unread
  }

  /// Stops following a channel; answers whether the connections may know of something unread
  /// there, by itself or in the total.
  @discardableResult
  mutating func forget(_ channel: ChannelRef) -> Bool {
    guard let tracked = counts.removeValue(forKey: channel) else { return false }
    if tracked.isInTotal { total -= tracked.current.unread }
    return tracked.told != Count() || tracked.current != Count()
  }

  /// Notes that a connection may know another count than was told the others.
  mutating func doubt(_ channel: ChannelRef) {
    counts[channel]?.told = nil
  }

  /// Whether a channel that the user follows has to be counted again from this version.
  mutating func beginCount(of channel: ChannelRef, at version: Int) -> Bool {
    guard let countedAt = counts[channel]?.countedAt, countedAt != version else { return false }
    counts[channel]?.countedAt = version
    return true
  }

  /// What was counted may be counted otherwise now.
  mutating func countAgain() {
    for channel in counts.keys { counts[channel]?.countedAt = -1 }
  }

  /// Puts a channel's count into the total, or takes it out.
  mutating func setInTotal(_ channel: ChannelRef, _ isInTotal: Bool) {
    guard let tracked = counts[channel], tracked.isInTotal != isInTotal else { return }
    total += isInTotal ? tracked.current.unread : -tracked.current.unread
    counts[channel]?.isInTotal = isInTotal
  }

  /// Puts in the count of this moment.
  mutating func update(_ channel: ChannelRef, to count: Count) {
    guard let tracked = counts[channel], tracked.current != count else { return }
    if tracked.isInTotal { total += count.unread - tracked.current.unread }
    counts[channel]?.current = count
  }

  /// Notes that the connections are being told the current count; false when they know it, and the
  /// total.
  mutating func tell(_ channel: ChannelRef) -> Bool {
    guard let tracked = counts[channel], tracked.current != tracked.told || total != toldTotal
    else { return false }
    counts[channel]?.told = tracked.current
    return true
  }

  /// The sum, which the connections are being told.
  mutating func tellTotal() -> Int {
    toldTotal = total
    return total
  }
}
