extension LoadReport {
  /// The report for people: a line for each figure.
  package var table: [String] {
    var rows: [(String, String)] = [("scenario", headline)]
    rows.append(("opened", "\(Figure.grouped(opened)) at \(Figure.text(connectsPerS)) /s"))
    rows += scenario == .idle ? [("watched", "\(Figure.text(seconds)) s")] : deliveries
    rows += hub
    rows.append(("verified", verification))
    rows += thresholds.map { ($0.isMet ? "met" : "NOT MET", $0.sentence) }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, value in
      name + String(repeating: " ", count: width - name.count + 2) + value
    }
  }

  private var headline: String {
    let end = isInterrupted ? ", interrupted" : ""
    guard scenario != .idle else {
      return "idle, \(Figure.grouped(connections)) connections\(end)"
    }
    let pace = window.map { "window \($0)" } ?? rate.map { "\(Figure.text($0)) /s" } ?? ""
    return "\(scenario.rawValue), \(Figure.grouped(connections)) connections"
      + "\(isJoined ? " (joined)" : "") in \(Figure.grouped(channels)) channels,"
      + " \(bytes) bytes, \(pace), seed \(seed)\(end)"
  }

  private var deliveries: [(String, String)] {
    let origin = window == nil ? "since due: corrected for coordinated omission" : "since sent"
    return [
      (
        "delivered",
        "\(Figure.grouped(tally.delivered)) of \(Figure.grouped(tally.expected))"
          + " for \(Figure.grouped(tally.sent)) messages in \(Figure.text(seconds)) s"
      ),
      (
        "throughput",
        "\(Figure.text(deliveriesPerS)) deliveries/s,"
          + " \(Figure.text(bytesPerDelivery)) bytes each"
      ),
      (
        "latency ms",
        "p50 \(Figure.text(latency.p50Ms))  p90 \(Figure.text(latency.p90Ms))"
          + "  p99 \(Figure.text(latency.p99Ms))  p99.9 \(Figure.text(latency.p999Ms))"
          + "  max \(Figure.text(latency.maxMs))  (\(origin))"
      ),
    ]
  }

  private var hub: [(String, String)] {
    var rows: [(String, String)] = []
    if let serverCpuUs {
      rows.append(("hub CPU", "\(Figure.text(serverCpuUs)) µs per delivery"))
    }
    if let kbPerConnection, let serverResidentKb {
      rows.append(
        (
          "hub memory",
          "\(Figure.text(kbPerConnection)) KB per connection,"
            + " \(Figure.grouped(serverResidentKb)) KB resident"
        ))
    }
    guard stages.count > 1 else { return rows }
    return rows
      + stages.map { ("", "\(Figure.text($0.kbPerConnection)) KB for \($0.name)") }
  }

  private var verification: String {
    let failures = tally.failures
    guard failures.isEmpty else { return "FAILED: " + failures.joined(separator: "; ") }
    guard scenario == .idle || tally.delivered > 0 else {
      return "nothing: there are no deliveries"
    }
    return scenario == .idle ? "every connection stayed" : "order, gaps, duplicates, content"
  }
}
