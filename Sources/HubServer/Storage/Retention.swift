import HubCore
import HubProtocol
import HubStorage
import Logging

/// Applies the rules of retention in the background: channel by channel, what history says is too
/// old or too many is let go by a record.
struct Retention: Sendable {
  /// Channels that are looked at in one go.
  private static let slice = 1_000

  let policy: RetentionPolicy
  let history: HistoryStore
  let sequencer: Sequencer
  let logger: Logger

  /// Looks at every channel once.
  func sweep(at now: Timestamp) async {
    var start: UInt32 = 0
    while !Task.isCancelled,
      let (channels, next) = await sequencer.channels(from: start, Self.slice)
    {
      let rules = channels.compactMap { policy.rule(for: $0.ref, $0.kind, at: now) }
      start = next
      guard !rules.isEmpty else { continue }
      switch await expiries(rules) {
      case .success(let expiries):
        await sequencer.expire(
          expiries.map { Record.Expiry(channel: $0.channel, seq: $0.upTo) })
      case .failure(let failure):
        logger.warning("retention postponed", metadata: ["error": "\(failure)"])
        return
      }
    }
  }

  private func expiries(_ rules: [RetentionRule]) async -> Result<[Expiry], HistoryFailure> {
    await withCheckedContinuation { continuation in
      history.expiries(rules) { continuation.resume(returning: $0) }
    }
  }
}

extension RetentionPolicy {
  /// What holds for a channel; nil when everything is kept.
  fileprivate func rule(
    for channel: ChannelRef, _ kind: ChannelKind, at now: Timestamp
  ) -> RetentionRule? {
    let rule = self.rule(for: kind)
    guard rule.newest != nil || rule.age != nil else { return nil }
    let before = rule.age.map { age in
      Timestamp(milliseconds: max(0, now.milliseconds - Int(age.components.seconds) * 1_000))
    }
    return RetentionRule(channel: channel, newest: rule.newest, before: before)
  }
}
