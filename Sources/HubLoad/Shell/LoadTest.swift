package import HubClient
internal import NIOCore

/// One load test, from any task.
package final class LoadTest: Sendable {
  private let plan: LoadPlan
  private let connector: BareConnector
  private let meter: ProcessMeter?
  private let run: NIOLoopBoundBox<LoadRun?>

  /// Files and sockets beside the connections.
  private static let otherDescriptors = 64

  /// - Parameters:
  ///   - url: the hub's, as ``HubConnection`` takes it.
  ///   - meter: reads the hub's process; nil leaves its figures out.
  /// - Throws: ``HubError/badURL``, `bad_request` when the plan is out of range or needs more
  ///   descriptors than the process may have, and ``HubError/unreachable`` when the host is not
  ///   known.
  package init(_ plan: LoadPlan, url: String, meter: ProcessMeter?) throws(HubError) {
    var problems = plan.problems()
    let limit = DescriptorLimit.raise() - Self.otherDescriptors
    if plan.connections >= limit {
      problems.append("--connections must be below \(limit): so many descriptors are allowed here")
    }
    guard problems.isEmpty else {
      throw HubError("bad_request", problems.joined(separator: "; "))
    }
    self.plan = plan
    self.meter = meter
    connector = try BareConnector(url: url)
    run = .makeEmptyBox(eventLoop: connector.loop)
  }

  /// Carries the plan out. To be called once.
  /// - Parameter progress: called on the loop that carries the load, twice a second.
  /// - Throws: what kept the connections from being opened. What goes wrong later is in the
  ///   report.
  package func run(
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) async throws(HubError) -> LoadReport {
    try await withCheckedContinuation { continuation in
      connector.loop.execute {
        let run = LoadRun(
          plan: self.plan, connector: self.connector, meter: self.meter, progress: progress
        ) { continuation.resume(returning: $0) }
        self.run.value = run
        run.start()
      }
    }.get()
  }

  /// Ends the test early; `run` returns what was found so far.
  package func stop() {
    connector.loop.execute { self.run.value?.stop() }
  }
}
