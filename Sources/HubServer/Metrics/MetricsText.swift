/// Figures in the text form that Prometheus reads (exposition format 0.0.4).
struct MetricsText {
  /// What a figure means.
  enum Kind: String {
    case counter
    case gauge
  }

  private(set) var text = ""

  /// Adds one figure.
  mutating func add(_ name: String, _ kind: Kind, _ value: Int, _ help: String) {
    head(name, kind, help)
    text += "\(name) \(value)\n"
  }

  /// Adds one figure in seconds.
  mutating func add(_ name: String, _ kind: Kind, seconds nanoseconds: Int, _ help: String) {
    head(name, kind, help)
    text += "\(name) \(Double(nanoseconds) / 1_000_000_000)\n"
  }

  /// Adds one figure for each value of a label, which holds neither quotes nor backslashes.
  mutating func add(
    _ name: String, _ kind: Kind, by label: String, _ values: [String: Int], _ help: String
  ) {
    head(name, kind, help)
    for (value, count) in values.sorted(by: { $0.key < $1.key }) {
      text += "\(name){\(label)=\"\(value)\"} \(count)\n"
    }
  }

  private mutating func head(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }
}
