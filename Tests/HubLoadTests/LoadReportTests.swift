import Foundation
import HubLoad
import Testing

@Suite("Report: what was found")
struct LoadReportTests {
  private var report: LoadReport {
    var plan = LoadPlan(scenario: .rooms, connections: 1_000, channels: 100, seed: 7, run: "ab")
    plan.pace = .rate(2_000)
    var report = LoadReport(plan)
    report.opened = 1_000
    report.connectsPerS = 1_999.99
    report.seconds = 2
    report.tally.sent = 4_000
    report.tally.expected = 40_000
    report.tally.delivered = 40_000
    report.tally.frameBytes = 8_000_000
    report.latency = Latencies.Summary(p50Ms: 0.5, p90Ms: 1, p99Ms: 12.345, p999Ms: 20, maxMs: 31)
    report.serverCpuUs = 4.25
    return report
  }

  @Test("a flawless run has no failures, and says what was verified")
  func flawless() {
    #expect(report.failures.isEmpty)
    #expect(
      report.table == [
        "scenario    rooms, 1,000 connections in 100 channels, 128 bytes, 2,000 /s, seed 7",
        "opened      1,000 at 2,000 /s",
        "delivered   40,000 of 40,000 for 4,000 messages in 2.00 s",
        "throughput  20,000 deliveries/s, 200.0 bytes each",
        "latency ms  p50 0.500  p90 1.00  p99 12.35  p99.9 20.00  max 31.00"
          + "  (since due: corrected for coordinated omission)",
        "hub CPU     4.25 µs per delivery",
        "verified    order, gaps, duplicates, content",
      ])
  }

  @Test(
    "every flaw fails the run",
    arguments: [
      Change<Tally>("3 deliveries never came") { $0.delivered -= 3 },
      Change<Tally>("1 deliveries came out of order") { $0.late = 1 },
      Change<Tally>("2 deliveries came twice") { $0.duplicates = 2 },
      Change<Tally>("1 messages came to the wrong channel") { $0.misrouted = 1 },
      Change<Tally>("1 messages were changed on the way") { $0.corrupt = 1 },
      Change<Tally>("1 gap events: listeners were too slow") { $0.gapEvents = 1 },
      Change<Tally>("9 errors from the hub: rate_limited") { $0.errors["rate_limited"] = 9 },
      Change<Tally>("1 connections ended: 4413") { $0.closes["4413"] = 1 },
    ])
  func flaws(flaw: Change<Tally>) {
    var report = report
    flaw.apply(&report.tally)
    #expect(report.failures == [flaw.words])
    #expect(report.table.contains("verified    FAILED: \(flaw.words)"))
  }

  @Test("a run that ended before anything was delivered has verified nothing, and says so")
  func early() {
    var report = report
    report.isInterrupted = true
    report.tally = Tally()
    #expect(report.table.contains("verified    nothing: there are no deliveries"))
    #expect(report.table.contains { $0.hasSuffix("seed 7, interrupted") })
  }

  @Test("JSON has every figure under a stable name")
  func json() throws {
    var report = report
    report.tally.errors["not_member"] = 1
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
    #expect(object["scenario"] as? String == "rooms")
    #expect(object["rate"] as? Double == 2_000)
    #expect(object["window"] == nil)
    #expect(object["bytes_per_delivery"] as? Double == 200)
    #expect(object["deliveries_per_s"] as? Double == 20_000)
    #expect(object["server_cpu_us_per_delivery"] as? Double == 4.25)
    let latency = try #require(object["latency"] as? [String: Any])
    #expect(latency.keys.sorted() == ["max_ms", "p50_ms", "p90_ms", "p999_ms", "p99_ms"])
    let counts = try #require(object["counts"] as? [String: Any])
    #expect(counts["errors"] as? [String: Int] == ["not_member": 1])
    #expect(object["failures"] as? [String] == ["1 errors from the hub: not_member"])
    #expect(!report.json.contains("\n"))
  }

  @Test("memory is the growth since before, stage by stage")
  func memory() {
    var report = report
    let sizes = [10_000, 12_000, 11_500].map {
      ProcessFigures(cpuMicroseconds: 0, residentKilobytes: $0)
    }
    report.measure(before: sizes[0], marks: [("TCP", sizes[1]), ("hello", sizes[2])])
    #expect(report.stages.map(\.kbPerConnection) == [2, -0.5])
    #expect(report.kbPerConnection == 1.5)
    #expect(report.serverResidentKb == 11_500)
  }

  @Test("percentiles are those of the nearest recorded value, to three digits")
  func latencies() {
    var latencies = Latencies()
    #expect(latencies.summary.maxMs == 0)
    for ms in 1...1_000 { latencies.record(nanoseconds: UInt64(ms) * 1_000_000) }
    let summary = latencies.summary
    #expect(abs(summary.p50Ms - 500) <= 0.5)
    #expect(abs(summary.p99Ms - 990) <= 1)
    #expect(abs(summary.maxMs - 1_000) <= 1)
    latencies.record(nanoseconds: .max)
    #expect(latencies.summary.maxMs >= 3_600_000)
  }
}
