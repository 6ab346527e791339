/// What a load test found.
package struct LoadReport: Sendable, Equatable, Encodable {
  /// The hub's memory after one wave of opening.
  package struct Stage: Sendable, Equatable, Encodable {
    package let name: String
    /// Resident kilobytes that it has grown by, per connection, since the stage before.
    package let kbPerConnection: Double

    package init(name: String, kbPerConnection: Double) {
      self.name = name
      self.kbPerConnection = kbPerConnection
    }
  }

  package var scenario: Scenario
  package var run: String
  package var seed: UInt64
  package var connections: Int
  package var channels: Int
  package var isJoined = false
  package var bytes: Int
  /// Nil in an open loop, and for `idle`.
  package var window: Int?
  /// Messages a second asked for; nil in a closed loop, and for `idle`.
  package var rate: Double?
  /// Whether somebody ended the run before its time.
  package var isInterrupted = false
  /// Connections opened, a publisher's of its own included.
  package var opened = 0
  /// How many of them a second.
  package var connectsPerS = 0.0
  /// From the first message published to the last delivery, or the time watched.
  package var seconds = 0.0
  package var tally = Tally()
  /// Of deliveries; in an open loop since the message was due, else since it was sent.
  package var latency = Latencies.Summary(p50Ms: 0, p90Ms: 0, p99Ms: 0, p999Ms: 0, maxMs: 0)
  /// Processor time of the hub for each delivery; nil without `--server-pid` or deliveries.
  package var serverCpuUs: Double?
  /// Resident memory of the hub for each connection; nil without `--server-pid`.
  package var kbPerConnection: Double?
  package var serverResidentKb: Int?
  /// Empty without `--server-pid`.
  package var stages: [Stage] = []
  /// Every threshold that was given; see ``Thresholds``.
  package var thresholds: [Thresholds.Verdict] = []

  package init(_ plan: LoadPlan) {
    scenario = plan.scenario
    run = plan.run
    seed = plan.seed
    connections = plan.connections
    channels = plan.channels
    isJoined = plan.isJoined
    bytes = plan.bytes
    guard plan.scenario != .idle else { return }
    switch plan.pace {
    case .window(let window): self.window = window
    case .rate(let rate): self.rate = rate
    }
  }

  package var deliveriesPerS: Double {
    seconds > 0 ? Double(tally.delivered) / seconds : 0
  }

  package var bytesPerDelivery: Double {
    tally.delivered > 0 ? Double(tally.frameBytes) / Double(tally.delivered) : 0
  }

  /// Why the run does not count as passed; empty when it does.
  package var failures: [String] {
    tally.failures + thresholds.filter { !$0.isMet }.map(\.sentence)
  }

  /// Takes the hub's memory: before the first wave, and after each.
  package mutating func measure(
    before: ProcessFigures, marks: [(name: String, figures: ProcessFigures)]
  ) {
    var previous = before.residentKilobytes
    let share = Double(max(1, connections))
    for mark in marks {
      let growth = Double(mark.figures.residentKilobytes - previous) / share
      stages.append(Stage(name: mark.name, kbPerConnection: growth))
      previous = mark.figures.residentKilobytes
    }
    kbPerConnection = Double(previous - before.residentKilobytes) / share
    serverResidentKb = previous
  }
}
