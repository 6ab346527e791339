import DequeModule

/// Lets something happen at once, and then at most once an interval for each channel, the last time
/// never lost.
package struct Pacer {
  /// Milliseconds between two times for one channel.
  package static let interval = 1_000

  /// Channels within an interval.
  private var resting: Set<ChannelRef> = []
  private var queue: Deque<(due: Int, channel: ChannelRef)> = []

  /// Channels for which something waits.
  package private(set) var waiting: Set<ChannelRef> = []

  package init() {}

  /// Milliseconds of uptime when `takeDue` has something to do.
  package var nextDue: Int? { queue.first?.due }

  /// Whether it may happen now; if not, `takeDue` brings the channel later.
  package mutating func mayHappen(in channel: ChannelRef, uptime: Int) -> Bool {
    guard resting.insert(channel).inserted else {
      waiting.insert(channel)
      return false
    }
    queue.append((uptime + Self.interval, channel))
    return true
  }

  /// The channels whose turn it is, each of which begins a new interval.
  package mutating func takeDue(uptime: Int) -> [ChannelRef] {
    var due: [ChannelRef] = []
    while let first = queue.first, first.due <= uptime {
      queue.removeFirst()
      guard waiting.remove(first.channel) != nil else {
        resting.remove(first.channel)
        continue
      }
      queue.append((uptime + Self.interval, first.channel))
      due.append(first.channel)
    }
    return due
  }
}
