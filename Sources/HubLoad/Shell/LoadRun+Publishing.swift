internal import NIOCore

extension LoadRun {
  /// Looks at what the deliveries of this turn have made possible.
  func goOn() {
    switch phase {
    case .publishing: fillWindow()
    case .draining: if tally.missing == 0 { finish() }
    case .opening, .watching, .ended: break
    }
  }

  /// Closed loop: publishes as long as the window is open.
  private func fillWindow() {
    guard case .window(let window) = plan.pace else { return }
    let room = (window - 1) * layout.fewestListeners
    while tally.missing <= room { publish(at: now()) }
  }

  /// Open loop: publishes what is due, each stamped with the moment it was due.
  func publishDue() {
    guard case .publishing = phase, case .rate(let rate) = plan.pace else { return }
    let timetable = Timetable(perSecond: rate)
    let due = timetable.count(by: now() - begun)
    while tally.sent < due { publish(at: begun + timetable.due(tally.sent)) }
    timers.scheduleTask(deadline: .uptimeNanoseconds(begun + timetable.due(tally.sent))) {
      self.publishDue()
    }
  }

  private func publish(at time: UInt64) {
    let channel = tally.sent % layout.channelCount
    let stamp = Stamp(time: time, number: UInt64(tally.sent), channel: channel)
    tally.sent += 1
    tally.expected += layout.listeners(of: channel)
    users[layout.publisher(of: channel)].publish(
      stamp.text(bytes: plan.bytes, seed: plan.seed), to: name(of: channel))
  }

  func timeIsUp() {
    switch phase {
    case .publishing: drain()
    case .watching: finish()
    case .opening, .draining, .ended: break
    }
  }

  /// Waits for what is on its way.
  func drain() {
    phase = .draining
    waitForQuiet()
  }

  private func waitForQuiet() {
    guard case .draining = phase else { return }
    let silence = now() - lastDelivery
    guard tally.missing > 0, silence < UInt64(Self.quiet.nanoseconds) else { return finish() }
    timers.scheduleTask(in: .milliseconds(50)) { self.waitForQuiet() }
  }

  func makeReport() -> LoadReport {
    var report = LoadReport(plan)
    report.isInterrupted = isInterrupted
    report.tally = tally
    report.latency = latencies.summary
    report.opened = opening.connected
    let present = begun == 0 ? now() - opening.begun : 0
    let connecting = Double(opening.connecting + present) / 1e9
    report.connectsPerS = connecting > 0 ? Double(opening.connected) / connecting : 0
    if begun > 0 {
      let end = plan.scenario == .idle ? now() : lastDelivery
      report.seconds = Double(end - begun) / 1e9
    }
    if let before = opening.before { report.measure(before: before, marks: opening.marks) }
    if let figuresAtBegin, let figures = meter?.figures(), tally.delivered > 0 {
      report.serverCpuUs =
        (figures.cpuMicroseconds - figuresAtBegin.cpuMicroseconds) / Double(tally.delivered)
    }
    return report
  }
}
