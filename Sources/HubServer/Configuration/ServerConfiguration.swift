package import HubStorage

/// How a hub is run (cli, `hub serve`).
package struct ServerConfiguration: Equatable, Sendable {
  /// Address to listen on.
  package var host = "127.0.0.1"
  /// TCP port to listen on; 0 takes a free one.
  package var port = 8080
  /// Where everything durable is kept; made if absent.
  package var dataDirectory = "./hub-data"
  /// Whether the tokens of development are taken.
  package var isDevelopment = false
  package var durability = Durability.commit
  /// Whether to start although neither snapshot nor journal is whole.
  package var acceptsDataLoss = false
  /// Event loops.
  package var loops: Int
  /// Bytes that all message windows take together.
  package var windowMemory = ByteCount(bytes: 1 << 30)
  /// Requests per second and connection; nil for no limit.
  package var requestsPerSecond: Int? = 100
  /// Time between snapshots.
  package var snapshotInterval = Duration.seconds(300)
  /// How long messages are kept.
  package var retention = RetentionPolicy()
  /// Time between looks for what is no longer kept.
  package var retentionInterval = Duration.seconds(60)
  /// Time between pings.
  package var heartbeat = Duration.seconds(25)

  /// The defaults, with a loop for each of `cores`.
  package init(cores: Int) {
    loops = max(1, cores)
  }
}

/// One thing that is wrong with a configuration.
package struct ConfigurationProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The setting, as its flag is called.
  package let key: String
  /// What it was set to.
  package let value: String
  /// What would be right.
  package let rule: String

  package init(key: String, value: String, rule: String) {
    self.key = key
    self.value = value
    self.rule = rule
  }

  package var description: String { "--\(key) \(value): \(rule)" }
}

/// All that is wrong with a configuration at once.
package struct ConfigurationProblems: Error, Equatable, CustomStringConvertible {
  package let problems: [ConfigurationProblem]

  package init(_ problems: [ConfigurationProblem]) {
    self.problems = problems
  }

  package var description: String {
    problems.map { "hub: \($0)" }.joined(separator: "\n")
  }
}
