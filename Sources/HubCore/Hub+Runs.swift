import HubProtocol

/// What is done to many inboxes: a record after the other, so that others come in between
/// (protocol, "Inbox": `notify`, "In parts").
extension Hub {
  /// A request that is answered when a run is done.
  struct PendingRun {
    let origin: Origin
    let unknown: [UserID]
    let isRetraction: Bool
  }

  /// Somebody's run has begun, and may be done already.
  mutating func begun(
    _ run: NotifyRun, unknown: [UserID], isRetraction: Bool, _ origin: Origin
  ) {
    let pending = PendingRun(origin: origin, unknown: unknown, isRetraction: isRetraction)
    guard run.isDone else {
      pendingRuns[run.id] = pending
      return
    }
    finish(pending, count: run.count)
  }

  /// A run went on.
  mutating func ran(_ id: Int, count: Int, isDone: Bool) {
    guard isDone, let pending = pendingRuns.removeValue(forKey: id) else { return }
    finish(pending, count: count)
  }

  private mutating func finish(_ pending: PendingRun, count: Int) {
    answer(
      pending.origin,
      pending.isRetraction
        ? .retracted(count, unknown: pending.unknown)
        : .notified(made: count, unknown: pending.unknown))
  }

  /// Milliseconds after a part of a run before the next is admitted: what others want comes first.
  private static let pause = 1

  /// Sees to it that the oldest run goes on, if one is left and no part of it is on its way.
  mutating func watchRuns(at moment: Moment) {
    guard registry.hasRuns, !isRunUnderWay, nextRunPart == nil, writeRefusal == nil else { return }
    nextRunPart = moment.uptime + Self.pause
  }

  /// Admits the next part of a run when it is due.
  mutating func continueRuns(at moment: Moment) {
    guard let due = nextRunPart, due <= moment.uptime else { return }
    nextRunPart = nil
    guard registry.hasRuns, writeRefusal == nil else { return }
    isRunUnderWay = true
    append(.runContinued)
  }

  /// Tells those who wait for runs that the log takes nothing more.
  mutating func giveUpRuns(_ refusal: Refusal) {
    let waiting = pendingRuns.sorted { $0.key < $1.key }
    pendingRuns = [:]
    for (_, pending) in waiting { refuse(pending.origin, refusal) }
  }
}

extension Operation {
  /// Whether it may be worked off in parts, so that what comes behind it on its connection waits.
  var isDoneInParts: Bool {
    let audience: Notify.Audience
    if case .notify(let notify) = self {
      audience = notify.audience
    } else if case .notifyRetract(let retract) = self {
      audience = retract.audience
    } else {
      return false
    }
    switch audience {
    case .users(let users): return users.count > NotifyRun.sliceInboxes
    case .channel, .segment: return true
    }
  }
}
