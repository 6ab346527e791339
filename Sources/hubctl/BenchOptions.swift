internal import ArgumentParser
internal import Foundation
internal import HubLoad

/// What every load test takes.
struct BenchOptions: ParsableArguments {
  static let defaultToken = "dev:bench"

  @Option(help: "The hub. Else HUBCTL_URL, else \(HubOptions.defaultURL).")
  var url: String?

  @Option(
    help: """
      What the users' tokens begin with: user 7 of run ab12 has \(Self.defaultToken)-ab12-7. \
      Else HUBCTL_TOKEN, else \(Self.defaultToken).
      """)
  var token: String?

  @Flag(help: "Prints one JSON object; errors too, on standard error.")
  var json = false

  @Option(help: "Connections that listen, or idle.")
  var connections = 1_000

  @Option(help: "Connections opened a second.")
  var connectRate = 2_000.0

  @Option(help: "How long messages are published, or idle connections are watched.")
  var seconds = 5.0

  @Option(help: "The hub's process on this machine: reports its CPU time and memory.")
  var serverPid: Int?

  @Option(help: "What the messages are filled from; printed, so that a run can be repeated.")
  var seed: UInt64?

  func validate() throws {
    if let serverPid, ProcessMeter(pid: serverPid) == nil {
      throw ValidationError("--server-pid: there is no process \(serverPid), or no /proc here.")
    }
  }

  var hubURL: String {
    url ?? ProcessInfo.processInfo.environment["HUBCTL_URL"] ?? HubOptions.defaultURL
  }

  func plan(_ scenario: Scenario, channels: Int) -> LoadPlan {
    var plan = LoadPlan(
      scenario: scenario, connections: connections, channels: channels,
      seed: seed ?? .random(in: 0..<1_000_000),
      run: String(UInt32.random(in: .min ... .max), radix: 36))
    plan.connectRate = connectRate
    plan.seconds = seconds
    plan.tokenPrefix =
      token ?? ProcessInfo.processInfo.environment["HUBCTL_TOKEN"] ?? Self.defaultToken
    return plan
  }
}

/// What is published, and how fast.
struct BenchMessages: ParsableArguments {
  @Option(help: "Bytes of text of each message, at least \(Stamp.byteCount).")
  var bytes = 128

  @Option(help: "Closed loop: messages that may be on their way. 1 when there is no --rate.")
  var window: Int?

  @Option(help: "Open loop: messages a second. Latency counts from when a message was due.")
  var rate: Double?

  @Flag(help: "Those who listen join first.")
  var joined = false

  func validate() throws {
    guard window == nil || rate == nil else {
      throw ValidationError("Give --window or --rate, not both.")
    }
  }

  func apply(to plan: inout LoadPlan) {
    plan.bytes = bytes
    plan.isJoined = joined
    plan.pace = rate.map { .rate($0) } ?? .window(window ?? 1)
  }
}

/// What decides the exit status besides the verification.
struct BenchThresholds: ParsableArguments {
  @Option(name: .customLong("max-p99-ms"), help: "Milliseconds that 99 % of deliveries may take.")
  var maxP99Ms: Double?

  @Option(help: "Microseconds of the hub's CPU per delivery. Needs --server-pid.")
  var maxCpuUs: Double?

  @Option(name: .customLong("min-deliveries-per-s"), help: "Deliveries a second.")
  var minDeliveriesPerS: Double?

  @Option(help: "Kilobytes of the hub's memory per connection. Needs --server-pid.")
  var maxKbPerConnection: Double?

  var values: Thresholds {
    var values = Thresholds()
    values.maxP99Ms = maxP99Ms
    values.maxCpuUs = maxCpuUs
    values.minDeliveriesPerS = minDeliveriesPerS
    values.maxKbPerConnection = maxKbPerConnection
    return values
  }
}
