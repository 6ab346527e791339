import DequeModule
import HubProtocol

/// Lets one user's notices out at once as long as they are few, and then one by one, of each
/// channel only the latest (protocol, "Notices").
///
/// What waits is a promise to ask again, not a notice: whoever takes it decides anew.
package struct NoticeThrottle: Sendable {
  /// Notices within any `window`, at most.
  package static let limit = Limits.noticesPerSecond
  /// Milliseconds.
  package static let window = 1_000
  /// Channels that wait at most; the one that has waited longest gives way to another.
  package static let channelLimit = 1_000

  /// Milliseconds of uptime at which the newest notices went out, at most `limit`.
  private var sent: Deque<Int> = []
  /// What waits: the latest message of each channel.
  private var latest: [ChannelRef: Int] = [:]
  /// The channels that wait, in the order in which they began to.
  private var queue: Deque<ChannelRef> = []

  /// Notices that never went out because something newer took their place.
  package private(set) var dropped = 0

  package init() {}

  /// Channels that wait.
  package var waitingCount: Int { queue.count }

  /// Milliseconds of uptime when `takeDue` has something to do.
  package var nextDue: Int? {
    guard !queue.isEmpty else { return nil }
    return sent.first.map { $0 + Self.window }
  }

  /// Whether the notice of a message goes out now; if not, `takeDue` brings it later, or a newer
  /// one of the channel.
  package mutating func admit(_ channel: ChannelRef, seq: Int, uptime: Int) -> Bool {
    if queue.isEmpty, hasRoom(uptime: uptime) {
      noteSent(uptime: uptime)
      return true
    }
    if let waiting = latest[channel] {
      latest[channel] = max(waiting, seq)
      dropped += 1
      return false
    }
    if queue.count == Self.channelLimit, let first = queue.popFirst() {
      latest[first] = nil
      dropped += 1
    }
    latest[channel] = seq
    queue.append(channel)
    return false
  }

  /// What goes out now of what waited, the channel first that has waited longest.
  package mutating func takeDue(uptime: Int) -> [(channel: ChannelRef, seq: Int)] {
    var due: [(channel: ChannelRef, seq: Int)] = []
    while hasRoom(uptime: uptime), let channel = queue.popFirst() {
      guard let seq = latest.removeValue(forKey: channel) else { continue }
      noteSent(uptime: uptime)
      due.append((channel, seq))
    }
    return due
  }

  /// The user has read the channel up to a message: nothing up to there is waited for any more.
  package mutating func withdraw(_ channel: ChannelRef, upTo seq: Int) {
    guard let waiting = latest[channel], waiting <= seq else { return }
    withdraw(channel)
  }

  /// One message was deleted. Those of the channel before it that gave way to it stay untold.
  package mutating func withdraw(_ channel: ChannelRef, seq: Int) {
    guard latest[channel] == seq else { return }
    withdraw(channel)
  }

  /// The user has left the channel, or muted it.
  package mutating func withdraw(_ channel: ChannelRef) {
    guard latest.removeValue(forKey: channel) != nil else { return }
    queue.removeAll { $0 == channel }
  }

  private func hasRoom(uptime: Int) -> Bool {
    guard sent.count == Self.limit, let oldest = sent.first else { return true }
    return oldest + Self.window <= uptime
  }

  private mutating func noteSent(uptime: Int) {
    if sent.count == Self.limit { sent.removeFirst() }
    sent.append(uptime)
  }
}
