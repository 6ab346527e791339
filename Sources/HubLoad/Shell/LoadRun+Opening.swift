internal import HubClient
internal import NIOCore

extension LoadRun {
  /// How far the opening of connections has come.
  struct Opening {
    var wave = 0
    var name = ""
    /// Users of this wave, how many have begun, and how many are done.
    var count = 0
    var started = 0
    var done = 0
    var begun: UInt64 = 0
    /// When a user was done last.
    var progressed: UInt64 = 0
    var isTimerSet = false
    /// Users ready in waves that open connections, and the nanoseconds spent in them before the
    /// present one.
    var connected = 0
    var connecting: UInt64 = 0
    /// The hub's figures before the first wave and after each.
    var before: ProcessFigures?
    var marks: [(name: String, figures: ProcessFigures)] = []
  }

  /// Users of a wave that may be under way at once; more would only wait in the listener's queue.
  private static let concurrent = 512
  /// How long the hub gets to settle before its memory is read.
  private static let settling = TimeAmount.milliseconds(500)
  /// How long no user may become ready before the hub counts as silent.
  private static let patience = TimeAmount.seconds(15)

  func beginOpening() {
    opening.before = meter?.figures()
    beginWave()
    watchOpening()
  }

  private func beginWave() {
    guard layout.waves.indices.contains(opening.wave) else { return begin() }
    let wave = layout.waves[opening.wave]
    opening.name = wave.name
    opening.count = wave.users.count
    opening.started = 0
    opening.done = 0
    opening.begun = now()
    opening.progressed = opening.begun
    guard opening.count > 0 else { return endWave() }
    openDue()
  }

  /// Lets those begin whose time has come.
  private func openDue() {
    guard case .opening = phase, opening.started < opening.count else { return }
    let wave = layout.waves[opening.wave]
    let timetable = Timetable(perSecond: plan.connectRate)
    let due = min(timetable.count(by: now() - opening.begun), opening.done + Self.concurrent)
    while opening.started < min(due, opening.count) {
      opening.started += 1
      users[wave.users.lowerBound + opening.started - 1].take(wave.steps)
      // It may have been the last straw.
      guard case .opening = phase else { return }
    }
    guard opening.started < opening.count, !opening.isTimerSet else { return }
    opening.isTimerSet = true
    let next = opening.begun + timetable.due(opening.started)
    timers.scheduleTask(deadline: .uptimeNanoseconds(max(next, now() + 1_000_000))) {
      self.opening.isTimerSet = false
      self.openDue()
    }
  }

  /// A user took all steps of the wave.
  func finished() {
    guard case .opening = phase else { return }
    opening.done += 1
    opening.progressed = now()
    if isConnecting { opening.connected += 1 }
    if opening.done == opening.count { endWave() }
  }

  private var isConnecting: Bool { layout.waves[opening.wave].steps.contains(.connect) }

  private func endWave() {
    if isConnecting { opening.connecting += now() - opening.begun }
    timers.scheduleTask(in: meter == nil ? .zero : Self.settling) {
      guard case .opening = self.phase else { return }
      if let figures = self.meter?.figures() {
        self.opening.marks.append((self.opening.name, figures))
      }
      self.opening.wave += 1
      self.beginWave()
    }
  }

  /// Gives up on a hub that does not answer.
  private func watchOpening() {
    guard case .opening = phase else { return }
    if now() - opening.progressed > UInt64(Self.patience.nanoseconds),
      opening.started > opening.done
    {
      let sentence = "\(opening.started - opening.done) users wait for the hub (\(opening.name))"
      return fail(HubError(HubError.timedOut, sentence))
    }
    timers.scheduleTask(in: .seconds(1)) { self.watchOpening() }
  }

  private func begin() {
    figuresAtBegin = meter?.figures()
    begun = now()
    lastDelivery = begun
    timers.scheduleTask(in: .nanoseconds(Int64(plan.seconds * 1e9))) { self.timeIsUp() }
    guard plan.scenario != .idle else {
      phase = .watching
      return
    }
    phase = .publishing
    switch plan.pace {
    case .window: goOn()
    case .rate: publishDue()
    }
  }
}
