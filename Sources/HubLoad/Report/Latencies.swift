internal import Histogram

/// Times from a message's moment to its deliveries. Recorded in microseconds with three digits, up
/// to an hour.
package struct Latencies: Sendable {
  private static let longest: UInt64 = 3_600_000_000
  private var histogram = Histogram<UInt64>(
    highestTrackableValue: longest, numberOfSignificantValueDigits: .three)

  package init() {}

  package mutating func record(nanoseconds: UInt64) {
    histogram.record(min(nanoseconds / 1_000, Self.longest))
  }

  package var summary: Summary {
    Summary(
      p50Ms: percentile(50), p90Ms: percentile(90), p99Ms: percentile(99),
      p999Ms: percentile(99.9), maxMs: histogram.totalCount == 0 ? 0 : ms(histogram.maxRecorded))
  }

  /// Milliseconds.
  package struct Summary: Sendable, Equatable, Encodable {
    package let p50Ms, p90Ms, p99Ms, p999Ms, maxMs: Double

    package init(p50Ms: Double, p90Ms: Double, p99Ms: Double, p999Ms: Double, maxMs: Double) {
      self.p50Ms = p50Ms
      self.p90Ms = p90Ms
      self.p99Ms = p99Ms
      self.p999Ms = p999Ms
      self.maxMs = maxMs
    }
  }

  private func percentile(_ percentile: Double) -> Double {
    histogram.totalCount == 0 ? 0 : ms(histogram.valueAtPercentile(percentile))
  }

  private func ms(_ microseconds: UInt64) -> Double { Double(microseconds) / 1_000 }
}
