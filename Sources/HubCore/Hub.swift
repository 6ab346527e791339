import HubProtocol

/// The whole hub as a value: the registry, who is connected, and the pipeline between them. The
/// shell hands in what arrives and carries out the effects; no clock, lock, socket or random source
/// is touched here.
///
/// The order of calls: `receive` for each arrival, `takeRecords` to log them, `advance` with how
/// many of them are durable, `takeEffects`. While `hasReleased` is true, arrivals that waited are
/// ready, or the hub has records of its own: call `receiveReleased` and go round again.
package struct Hub {
  /// What differs from hub to hub.
  package struct Configuration: Sendable {
    package var registry: Registry.Configuration
    /// Requests per second and connection; nil for no limit.
    package var requestsPerSecond: Int?
    /// Milliseconds between pings, told in the answer to `hello`.
    package var heartbeatMilliseconds: Int
    /// Where the rules of time zones are found.
    package var zones: any ZoneSource
    /// Two random words that session names and epochs are drawn from.
    package var idSeed: (UInt64, UInt64)

    package init(
      registry: Registry.Configuration, requestsPerSecond: Int?, heartbeatMilliseconds: Int,
      zones: any ZoneSource, idSeed: (UInt64, UInt64)
    ) {
      self.registry = registry
      self.requestsPerSecond = requestsPerSecond
      self.heartbeatMilliseconds = heartbeatMilliseconds
      self.zones = zones
      self.idSeed = idSeed
    }
  }

  let configuration: Configuration
  var registry: Registry
  var pipeline = Pipeline()
  var sessions: [ConnectionID: Session] = [:]
  var online: [UserRef: OnlineUser] = [:]
  var audiences: [ChannelRef: Audience] = [:]
  var typing = TypingSets()
  var unreadPacer = Pacer()
  /// Channels whose numbers are being told together: each of them brings the total.
  var settling: Set<ChannelRef> = []
  var receiptPacer = Pacer()
  var presentPacer = Pacer()
  /// How many were told to be there in large channels.
  var toldPresent: [ChannelRef: Int] = [:]
  /// Users whose last connection ended, and when that is to be told.
  var leaving = Deadlines<UserRef>()
  /// Channels that users have muted for a time, and when the earliest look at each is due.
  var mutings = Deadlines<Muting>()
  var watchedMutings: [Muting: Int] = [:]
  /// What users who have gone want to be seen as, and when they were last seen.
  var absent: [UserRef: Absence] = [:]
  /// Members of large channels in the order of their names.
  var rosters: [ChannelRef: NameIndex] = [:]
  /// Messages that were read by more members since `receiptPacer` last let them be told, among the
  /// newest 50.
  var newlyRead: [ChannelRef: ClosedRange<Int>] = [:]
  /// Why nothing durable can be admitted at the moment; nil while it can.
  var writeRefusal: Refusal?
  /// What notifications say, for those who are there.
  var bodies = BodyCache()
  /// Users of whose inboxes something expires, and when the earliest look at each is due.
  var expiries = Deadlines<UserRef>()
  /// Users for whom notices wait, and when there is room for them.
  var waitingNotices = Deadlines<UserRef>()
  package var noticeTally = NoticeTally()
  /// Requests that are answered when a run is done, by its id.
  var pendingRuns: [Int: PendingRun] = [:]
  /// Whether the next part of a run is on its way through the log.
  var isRunUnderWay = false
  /// Milliseconds of uptime when the next part of a run is admitted.
  var nextRunPart: Int?
  /// What history is to learn.
  var historyChanges: [HistoryChange] = []
  /// Records that history has, so that it is asked for what leaves memory.
  var historyCount = Int.max
  var eviction = WindowEviction()
  var effects: [Effect] = []
  var released: [Arrival] = []
  var ids: IDSource
  private(set) var newestTs: Timestamp

  /// A hub without anything in it, or with the registry of an earlier run.
  package init(configuration: Configuration, registry: Registry? = nil) {
    self.configuration = configuration
    self.registry = registry ?? Registry(configuration: configuration.registry)
    ids = IDSource(seed: configuration.idSeed)
    newestTs = self.registry.newestTs
    makeLargeRosters()
    if !self.registry.isFounded { found() }
  }

  /// Whether there is more to do before anything newer: requests that waited for what has now
  /// happened, or records of the hub's own.
  package var hasReleased: Bool { !released.isEmpty || pipeline.hasUnlogged }

  /// Admits what waited.
  package mutating func receiveReleased(at moment: Moment) {
    let arrivals = released
    released = []
    for arrival in arrivals { receive(arrival, at: moment) }
  }

  /// The records admitted since the last call, in order.
  package mutating func takeRecords() -> [Record] {
    pipeline.takeUnlogged()
  }

  /// Lets everything take effect that `durable` records since the start allow.
  package mutating func advance(durable: Int, at moment: Moment) {
    while let entry = pipeline.next(durable: durable) { carryOut(entry, at: moment) }
    watchRuns(at: moment)
    evictWindows(at: moment)
  }

  /// Appends what is to be done since the last call to `batch`.
  package mutating func takeEffects(into batch: inout [Effect]) {
    swap(&effects, &batch)
    effects.removeAll(keepingCapacity: true)
  }

  /// Uptime in milliseconds at which `tick` has something to do; nil when nothing is waiting.
  package var nextDeadline: Int? {
    [
      typing.nextExpiry, unreadPacer.nextDue, receiptPacer.nextDue, presentPacer.nextDue,
      leaving.next, mutings.next, expiries.next,
      waitingNotices.next, nextRunPart, hasToEvict ? eviction.due : nil,
    ].compactMap { $0 }.min()
  }

  /// Does what is due: forgets typing and those who have gone, tells numbers that were held back.
  package mutating func tick(at moment: Moment) {
    for (channel, users) in typing.expire(uptime: moment.uptime) {
      publishTyping(in: channel, because: users)
    }
    for user in leaving.takeDue(uptime: moment.uptime) { depart(user, at: moment) }
    for muting in mutings.takeDue(uptime: moment.uptime) { endMuting(muting, at: moment) }
    continueRuns(at: moment)
    for user in expiries.takeDue(uptime: moment.uptime) { expireItems(of: user, at: moment) }
    for user in waitingNotices.takeDue(uptime: moment.uptime) {
      tellWaitingNotices(of: user, at: moment)
    }
    evictWindows(at: moment)
    let unread = unreadPacer.takeDue(uptime: moment.uptime)
    settling = Set(unread)
    for channel in unread { tellUnread(in: channel, at: moment) }
    settling = []
    for channel in receiptPacer.takeDue(uptime: moment.uptime) { publishReadBy(in: channel) }
    for channel in presentPacer.takeDue(uptime: moment.uptime) { publishPresent(in: channel) }
  }

  /// The time that a record admitted now gets: it never goes back, whatever the wall clock does.
  mutating func stamp(_ moment: Moment) -> Timestamp {
    newestTs = max(newestTs, moment.wall)
    return newestTs
  }
}
