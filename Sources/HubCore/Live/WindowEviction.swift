import HubProtocol

/// Chooses the channels whose messages leave memory: a hand goes round, and passes by what was
/// written to since its last round began.
struct WindowEviction {
  /// The channel that is looked at next.
  private var hand: UInt32 = 0
  /// Records there were when this round began, and the one before it.
  private var mark = 0
  /// Uptime in milliseconds at which the next look is due, after one that found nothing.
  private(set) var due: Int?
  /// Whether what was chosen last has still to take effect.
  var isUnderWay = false

  /// Channels looked at in one go at most.
  private static let reach: UInt32 = 10_000
  /// Milliseconds after which a search that found nothing is repeated.
  private static let patience = 1_000

  /// There is more that may go than when the last look found nothing.
  mutating func lookAgain() { due = nil }

  /// Channels with more than their newest message in memory, of which history has `count` records.
  mutating func choose(
    from registry: Registry, historyHas count: Int, uptime: Int
  ) -> [ChannelRef] {
    let channels = UInt32(registry.channels.count)
    guard due.map({ $0 <= uptime }) ?? true, channels > 0 else { return [] }
    var excess = registry.windowWeight - registry.windowMemory
    var chosen: [ChannelRef] = []
    for _ in 0..<min(2 * channels, Self.reach) where excess > 0 {
      if hand >= channels {
        hand = 0
        mark = registry.appliedCount
      }
      let channel = registry.channels[hand]
      let hasMore = channel.window.count > 1 || !channel.window.recalled.isEmpty
      if hasMore, channel.changedAt <= min(mark, count) {
        chosen.append(ChannelRef(index: hand))
        excess -= channel.window.weight - (channel.window.last?.weight ?? 0)
      }
      hand += 1
    }
    isUnderWay = !chosen.isEmpty
    due = chosen.isEmpty ? uptime + Self.patience : nil
    return chosen
  }
}
