import HubLoad
import Testing

@Suite("Report: thresholds")
struct ThresholdTests {
  private var report: LoadReport {
    var report = LoadReport(
      LoadPlan(scenario: .fanout, connections: 10, channels: 1, seed: 1, run: "t"))
    report.tally.sent = 100
    report.tally.expected = 1_000
    report.tally.delivered = 1_000
    report.seconds = 2
    report.latency = Latencies.Summary(p50Ms: 1, p90Ms: 2, p99Ms: 5, p999Ms: 8, maxMs: 9)
    report.serverCpuUs = 4
    report.kbPerConnection = 6
    return report
  }

  @Test("none given, none judged")
  func none() {
    #expect(Thresholds().verdicts(on: report).isEmpty)
    #expect(!Thresholds().needServerPid)
  }

  @Test(
    "a limit that is reached is met; past it it is not",
    arguments: [
      (Change<Thresholds>("max-p99-ms") { $0.maxP99Ms = 5 }, true),
      (Change<Thresholds>("max-p99-ms") { $0.maxP99Ms = 4.9 }, false),
      (Change<Thresholds>("max-cpu-us") { $0.maxCpuUs = 4 }, true),
      (Change<Thresholds>("max-cpu-us") { $0.maxCpuUs = 3.9 }, false),
      (Change<Thresholds>("min-deliveries-per-s") { $0.minDeliveriesPerS = 500 }, true),
      (Change<Thresholds>("min-deliveries-per-s") { $0.minDeliveriesPerS = 501 }, false),
      (Change<Thresholds>("max-kb-per-connection") { $0.maxKbPerConnection = 6 }, true),
      (Change<Thresholds>("max-kb-per-connection") { $0.maxKbPerConnection = 5 }, false),
    ])
  func limits(change: Change<Thresholds>, isMet: Bool) {
    var thresholds = Thresholds()
    change.apply(&thresholds)
    let verdicts = thresholds.verdicts(on: report)
    #expect(verdicts.map(\.isMet) == [isMet])
    #expect(verdicts.map(\.name) == [change.words])
  }

  @Test("what was not measured is not met")
  func notMeasured() {
    var thresholds = Thresholds()
    thresholds.maxCpuUs = 1_000
    thresholds.maxP99Ms = 1_000
    thresholds.minDeliveriesPerS = 1
    #expect(thresholds.needServerPid)
    let empty = LoadReport(
      LoadPlan(scenario: .fanout, connections: 10, channels: 1, seed: 1, run: "t"))
    #expect(thresholds.verdicts(on: empty).map(\.isMet) == [false, false, false])
  }

  @Test("a threshold that is not met fails the run, with its option and both numbers")
  func failure() {
    var report = report
    var thresholds = Thresholds()
    thresholds.maxP99Ms = 2.5
    report.thresholds = thresholds.verdicts(on: report)
    #expect(report.failures == ["--max-p99-ms 2.50: 5.00"])
  }
}
