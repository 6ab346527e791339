internal import HubClient
internal import HubProtocol
internal import NIOCore

/// A load test under way: belongs to the connector's loop, like everything it holds.
final class LoadRun {
  enum Phase {
    /// → `publishing`, `watching`, `ended`
    case opening
    /// → `draining`, `ended`
    case publishing
    /// `idle` only. → `ended`
    case watching
    /// Nothing is published any more; what is on its way is waited for. → `ended`
    case draining
    /// Final.
    case ended
  }

  let plan: LoadPlan
  let layout: LoadLayout
  let connector: BareConnector
  let timers: NIOIsolatedEventLoop
  let meter: ProcessMeter?

  var phase = Phase.opening
  var users: [VirtualUser] = []
  var opening = Opening()
  var tally = Tally()
  var latencies = Latencies()
  /// When the first message was published, or watching began.
  var begun: UInt64 = 0
  var lastDelivery: UInt64 = 0
  var figuresAtBegin: ProcessFigures?
  var isInterrupted = false

  private let names: [ChannelName]
  private let report: (Result<LoadReport, HubError>) -> Void
  private let progress: (LoadProgress) -> Void
  private var progressCount = 0
  private var deliveredAtProgress = 0
  private var progressedAt: UInt64 = 0

  /// How often progress is told.
  private static let progressInterval = TimeAmount.milliseconds(500)
  /// How long nothing may arrive before what is missing counts as lost.
  static let quiet = TimeAmount.seconds(2)

  /// To be called on the connector's loop.
  /// - Parameter report: called once, on the loop.
  init(
    plan: LoadPlan, connector: BareConnector, meter: ProcessMeter?,
    progress: @escaping (LoadProgress) -> Void,
    report: @escaping (Result<LoadReport, HubError>) -> Void
  ) {
    self.plan = plan
    self.connector = connector
    self.meter = meter
    self.progress = progress
    self.report = report
    layout = LoadLayout(plan)
    names = (0..<layout.channelCount).compactMap { plan.channelName($0) }
    // SAFETY: the caller is on this loop, as the doc comment demands.
    timers = connector.loop.assumeIsolated()
  }

  /// The client's monotonic clock, nanoseconds.
  func now() -> UInt64 { NIODeadline.now().uptimeNanoseconds }

  func name(of channel: Int) -> ChannelName { names[channel] }

  func start() {
    users = (0..<layout.userCount).map { VirtualUser(number: $0, run: self) }
    progressedAt = now()
    beginOpening()
    tellProgress()
  }

  /// Ends the run before its time, with the results so far.
  func stop() {
    isInterrupted = true
    switch phase {
    case .opening, .watching: finish()
    case .publishing: drain()
    case .draining, .ended: break
    }
  }

  /// Ends the run without a report.
  func fail(_ error: HubError) {
    end(.failure(error))
  }

  func finish() {
    end(.success(makeReport()))
  }

  private func end(_ result: Result<LoadReport, HubError>) {
    if case .ended = phase { return }
    phase = .ended
    for user in users { user.close() }
    users = []
    report(result)
  }

  private func tellProgress() {
    let toldPhase: LoadProgress.Phase
    switch phase {
    case .opening: toldPhase = .opening
    case .publishing: toldPhase = .publishing
    case .watching: toldPhase = .watching
    case .draining: toldPhase = .draining
    case .ended: return
    }
    let now = now()
    let seconds = Double(now - progressedAt) / 1e9
    var told = LoadProgress(phase: toldPhase, number: progressCount)
    told.stage = opening.name
    told.opened = opening.done
    told.toOpen = opening.count
    told.elapsed = begun == 0 ? 0 : Double(now - begun) / 1e9
    told.seconds = plan.seconds
    told.tally = tally
    told.deliveriesPerS = seconds > 0 ? Double(tally.delivered - deliveredAtProgress) / seconds : 0
    told.p99Ms = latencies.summary.p99Ms
    progress(told)
    progressCount += 1
    deliveredAtProgress = tally.delivered
    progressedAt = now
    timers.scheduleTask(in: Self.progressInterval) { self.tellProgress() }
  }
}

// MARK: - What users report

extension LoadRun {
  func received(
    _ verdict: SequenceVerifier.Verdict, _ check: Stamp.Check, payloadBytes: Int
  ) {
    switch verdict {
    // What a gap leaves out is missing from the deliveries in the end.
    case .inOrder, .gap: break
    case .late: tally.late += 1
    case .duplicate:
      tally.duplicates += 1
      return
    }
    lastDelivery = now()
    switch check {
    case .valid(let stamp):
      tally.delivered += 1
      tally.frameBytes += payloadBytes + (payloadBytes < 126 ? 2 : 4)
      latencies.record(nanoseconds: lastDelivery - min(lastDelivery, stamp.time))
    case .misrouted: tally.misrouted += 1
    case .corrupt: tally.corrupt += 1
    }
  }

  func hubDropped() {
    tally.gapEvents += 1
  }

  func countOther() {
    tally.otherEvents += 1
  }

  func count(error: String) {
    tally.errors[error, default: 0] += 1
  }

  /// An error reply or event; while the connections are opened it ends the run.
  func hubRefused(_ refusal: Refusal) {
    guard case .opening = phase else { return count(error: refusal.codeText) }
    let retryAfter = refusal.retryAfterMilliseconds.map { Duration.milliseconds($0) }
    fail(
      HubError(
        code: refusal.codeText, message: refusal.message, retryAfter: retryAfter, origin: .hub))
  }

  func closed(code: UInt16?, reason: String) {
    let name = code.map { "\($0)" } ?? "abrupt"
    switch phase {
    case .ended: break
    case .opening:
      let sentence = "a connection ended (\(name) \(reason)) before all were open"
      fail(HubError(HubError.connectionLost, sentence))
    case .publishing, .watching, .draining: tally.closes[name, default: 0] += 1
    }
  }
}
