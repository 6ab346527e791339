internal import ArgumentParser
internal import HubLoad

/// Load tests.
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts load on a hub, checks every delivery, and measures.",
    discussion: """
      Start the hub with --dev and --rate-limit off. Every virtual user checks the order, gaps, \
      duplicates and content of what it gets. Exits 1 when that, or a threshold, fails.

      EXAMPLES:
        hubctl bench fanout --connections 1000 --window 8 --server-pid $(pgrep -x hub)
        hubctl bench rooms --room-size 10 --rate 2000 --max-p99-ms 20
        hubctl bench idle --connections 10000 --staged --server-pid $(pgrep -x hub)
      """,
    subcommands: [BenchFanout.self, BenchRooms.self, BenchIdle.self])
}

/// `hubctl bench fanout`.
struct BenchFanout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fanout", abstract: "One user publishes to channels that all others listen to.")

  @Option(help: "Channels over which the connections are dealt out.")
  var channels = 1

  @OptionGroup var options: BenchOptions
  @OptionGroup(title: "Messages") var messages: BenchMessages
  @OptionGroup(title: "Thresholds") var thresholds: BenchThresholds

  func run() async throws {
    var plan = options.plan(.fanout, channels: channels)
    messages.apply(to: &plan)
    try await BenchRun(options: options, thresholds: thresholds.values).run(plan)
  }
}

/// `hubctl bench rooms`.
struct BenchRooms: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rooms",
    abstract: "Small rooms: the first member of each publishes, all listen.")

  @Option(help: "Connections in each room.")
  var roomSize = 10

  @OptionGroup var options: BenchOptions
  @OptionGroup(title: "Messages") var messages: BenchMessages
  @OptionGroup(title: "Thresholds") var thresholds: BenchThresholds

  func validate() throws {
    guard roomSize > 0 else { throw ValidationError("--room-size must be at least 1.") }
  }

  func run() async throws {
    var plan = options.plan(.rooms, channels: max(1, options.connections / roomSize))
    messages.apply(to: &plan)
    try await BenchRun(options: options, thresholds: thresholds.values).run(plan)
  }
}

/// `hubctl bench idle`.
struct BenchIdle: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "idle", abstract: "Connections that said hello and do nothing more.")

  @Flag(
    help: """
      All connections take each step before the next one begins (TCP, WebSocket, hello, \
      subscribe), which tells where the hub's memory goes.
      """)
  var staged = false

  @OptionGroup var options: BenchOptions
  @OptionGroup(title: "Thresholds") var thresholds: BenchThresholds

  func run() async throws {
    var plan = options.plan(.idle, channels: 1)
    plan.isStaged = staged
    try await BenchRun(options: options, thresholds: thresholds.values).run(plan)
  }
}
