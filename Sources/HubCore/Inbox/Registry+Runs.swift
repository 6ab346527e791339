import HashTreeCollections
import HubProtocol

/// Working off what is done to many inboxes.
extension Registry {
  /// Whether something is left to be done to inboxes.
  package var hasRuns: Bool { !runs.isEmpty }

  /// Begins a run with its first slice; what is left of it is done by `continueRun`. Where an older
  /// run is still doing the opposite, all of it waits for that.
  @discardableResult
  mutating func begin(_ work: NotifyRun.Work, _ audience: NotifyRun.Audience) -> NotifyRun {
    var run = NotifyRun(
      id: recordCount, work: work, audience: audience,
      end: audience.extent(userCount: users.count))
    if !runs.contains(where: { $0.work.undoes(work) }) { doSlice(of: &run) }
    if !run.isDone { runs.append(run) }
    return run
  }

  /// Does the next slice of the oldest run.
  mutating func continueRun() -> Applied {
    guard var run = runs.first else { return .nothing }
    doSlice(of: &run)
    if run.isDone { runs.removeFirst() } else { runs[0] = run }
    return .ran(id: run.id, count: run.count, isDone: run.isDone)
  }

  private mutating func doSlice(of run: inout NotifyRun) {
    let end = min(run.end, run.next + run.audience.sliceExtent)
    var changed = 0
    while run.next < end, changed < NotifyRun.sliceInboxes {
      defer { run.next += 1 }
      guard let user = user(at: run.next, of: run.audience), carryOut(run.work, user) else {
        continue
      }
      changed += 1
    }
    run.count += changed
  }

  private func user(at place: Int, of audience: NotifyRun.Audience) -> UserRef? {
    let user = UserRef(index: UInt32(truncatingIfNeeded: place))
    switch audience {
    case .users(let users): return users[place]
    case .members(let channel): return channels[channel.index].members[user].map { _ in user }
    case .segment(let segment):
      return segment.holds(for: users[user.index].profile.custom) ? user : nil
    }
  }

  /// Does it to one inbox; false when nothing came of it.
  private mutating func carryOut(_ work: NotifyRun.Work, _ user: UserRef) -> Bool {
    switch work {
    case .deliver(let arrival): return deliver(arrival, to: user)
    case .retract(let key, let type, let spared):
      return !spared.contains(user) && retract(key, of: type, from: user)
    case .forget(let channel):
      let removed = users[user.index].inbox.removeAll { $0.publisher == .hub(channel) }
      guard !removed.isEmpty else { return false }
      inboxNews.note(.removed(removed), of: user)
      return true
    }
  }

  /// Puts a notification into an inbox, unless its owner does not want it, or its key is known.
  mutating func deliver(_ arrival: Inbox.Arrival, to user: UserRef) -> Bool {
    guard wants(arrival, user) else { return false }
    let changes = users[user.index].inbox.add(arrival)
    inboxNews.note(changes, of: user)
    return !changes.isEmpty
  }

  /// Takes a notification back; false when there is none.
  @discardableResult
  mutating func retract(_ key: UInt64, of type: UInt16? = nil, from user: UserRef) -> Bool {
    guard let change = users[user.index].inbox.retract(key, of: type) else { return false }
    inboxNews.note([change], of: user)
    return true
  }

  /// Whether nothing stands between a user and a notification: it is not their own doing, nobody
  /// has blocked the other, and nothing about it is muted.
  private func wants(_ arrival: Inbox.Arrival, _ user: UserRef) -> Bool {
    let settings = users[user.index].settings
    guard arrival.actor != users[user.index].id,
      !settings.mutedTypes.contains(notificationTypes.name(of: arrival.type)),
      isWelcome(arrival.actor, user)
    else { return false }
    if let channel = arrival.channel, isMuted(channel, by: user, at: arrival.ts) { return false }
    switch arrival.publisher {
    case .user(let publisher): return isWelcome(users[publisher.index].id, user)
    case .hub: return true
    }
  }

  private func isWelcome(_ actor: UserID?, _ user: UserRef) -> Bool {
    guard let actor else { return true }
    guard !users[user.index].settings.mutedUsers.contains(actor) else { return false }
    return userRefs[actor].map { !isBlocked($0, user) } ?? true
  }
}
