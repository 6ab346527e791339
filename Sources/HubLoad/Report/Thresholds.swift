/// What a run must reach to count as passed. Each is optional.
package struct Thresholds: Sendable, Equatable {
  /// One threshold and what was measured.
  package struct Verdict: Sendable, Equatable, Encodable {
    /// The option that set it, without dashes.
    package let name: String
    package let limit: Double
    /// Nil when nothing was measured; the threshold is not met then.
    package let measured: Double?
    package let isMet: Bool

    package var sentence: String {
      let found = measured.map { Figure.text($0) } ?? "nothing was measured"
      return "--\(name) \(Figure.text(limit)): \(found)"
    }
  }

  package var maxP99Ms: Double?
  /// Microseconds of the hub's processor time per delivery.
  package var maxCpuUs: Double?
  package var minDeliveriesPerS: Double?
  package var maxKbPerConnection: Double?

  package init() {}

  /// Whether one of them is about the hub's process.
  package var needServerPid: Bool { maxCpuUs != nil || maxKbPerConnection != nil }

  /// Judges those that are set.
  package func verdicts(on report: LoadReport) -> [Verdict] {
    let hasDeliveries = report.tally.delivered > 0
    return [
      atMost("max-p99-ms", maxP99Ms, hasDeliveries ? report.latency.p99Ms : nil),
      atMost("max-cpu-us", maxCpuUs, report.serverCpuUs),
      atLeast("min-deliveries-per-s", minDeliveriesPerS, report.deliveriesPerS),
      atMost("max-kb-per-connection", maxKbPerConnection, report.kbPerConnection),
    ].compactMap { $0 }
  }

  private func atMost(_ name: String, _ limit: Double?, _ measured: Double?) -> Verdict? {
    limit.map {
      Verdict(name: name, limit: $0, measured: measured, isMet: (measured ?? .infinity) <= $0)
    }
  }

  private func atLeast(_ name: String, _ limit: Double?, _ measured: Double?) -> Verdict? {
    limit.map { Verdict(name: name, limit: $0, measured: measured, isMet: (measured ?? 0) >= $0) }
  }
}
