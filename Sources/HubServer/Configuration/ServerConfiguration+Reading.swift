import HubStorage

/// Reading a configuration from settings written as text.
extension ServerConfiguration {
  /// The names of all settings; flags, environment variables and file keys are made from them.
  package static let keys = [
    "host", "port", "data-dir", "dev", "durability", "accept-data-loss", "loops",
    "window-memory", "rate-limit", "snapshot-interval", "retention", "retention-interval",
  ]

  /// Takes each setting's text from `read`, keeps the default where that is nil, and reports
  /// everything that is wrong.
  package init(
    cores: Int, reading read: @escaping (String) -> String?
  ) throws(ConfigurationProblems) {
    self.init(cores: cores)
    var reader = SettingReader(read: read)
    reader.set("host", &host, "an address or a host name") { $0.isEmpty ? nil : $0 }
    reader.set("port", &port, "a port from 0 to 65535") { UInt16($0).map(Int.init) }
    reader.set("data-dir", &dataDirectory, "a directory") { $0.isEmpty ? nil : $0 }
    reader.set("dev", &isDevelopment, "true or false", Self.truth)
    reader.set("durability", &durability, "one of commit, interval, none") {
      Durability(rawValue: $0)
    }
    reader.set("accept-data-loss", &acceptsDataLoss, "true or false", Self.truth)
    reader.set("loops", &loops, "a number from 1 to 256") { Self.integer($0, in: 1...256) }
    reader.set("window-memory", &windowMemory, "at least 1MiB, such as 512MiB or 1GiB") {
      ByteCount($0).flatMap { $0.bytes >= 1 << 20 ? $0 : nil }
    }
    reader.set("rate-limit", &requestsPerSecond, "`off` or requests per second, 1 to 1000000") {
      $0 == "off" ? .some(nil) : Self.integer($0, in: 1...1_000_000).map(Optional.some)
    }
    reader.set("snapshot-interval", &snapshotInterval, "at least 1s, such as 30s, 5m or 1h") {
      Duration(written: $0).flatMap { $0 >= .seconds(1) ? $0 : nil }
    }
    reader.set(
      "retention", &retention,
      "`off`, or ages and counts with or without a kind, such as 365d,public=30d,public=5000"
    ) {
      $0 == "off" ? RetentionPolicy() : RetentionPolicy($0)
    }
    reader.set("retention-interval", &retentionInterval, "at least 1s, such as 30s, 5m or 1h") {
      Duration(written: $0).flatMap { $0 >= .seconds(1) ? $0 : nil }
    }
    let badKeys = Set(reader.problems.map(\.key))
    let problems = reader.problems + conflicts().filter { !badKeys.contains($0.key) }
    guard problems.isEmpty else { throw ConfigurationProblems(problems) }
  }

  /// What does not go together.
  private func conflicts() -> [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    if isDevelopment, !LoopbackPolicy.isLoopback(host: host.lowercased()[...]) {
      let rule = "--dev takes tokens that prove nothing, so the host must be a loopback address"
      problems.append(ConfigurationProblem(key: "host", value: host, rule: rule))
    }
    if !isDevelopment {
      let rule = "no way to verify tokens is configured; --dev takes development tokens"
      problems.append(ConfigurationProblem(key: "dev", value: "false", rule: rule))
    }
    return problems
  }

  private static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0": false
    default: nil
    }
  }

  private static func integer(_ text: String, in range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }
}

/// Reads settings one by one and remembers what is wrong with them.
private struct SettingReader {
  let read: (String) -> String?
  private(set) var problems: [ConfigurationProblem] = []

  init(read: @escaping (String) -> String?) {
    self.read = read
  }

  mutating func set<Value>(
    _ key: String, _ value: inout Value, _ rule: String, _ parse: (String) -> Value?
  ) {
    guard let text = read(key) else { return }
    if let parsed = parse(text) {
      value = parsed
    } else {
      problems.append(
        ConfigurationProblem(key: key, value: text, rule: "must be \(rule)"))
    }
  }
}
