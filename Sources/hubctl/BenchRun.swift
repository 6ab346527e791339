internal import ArgumentParser
internal import HubClient
internal import HubLoad

/// Runs a load test, shows how it goes, prints what it found, and exits with 1 when it failed.
struct BenchRun {
  let options: BenchOptions
  let thresholds: Thresholds

  func run(_ plan: LoadPlan) async throws {
    let output = Output()
    guard !thresholds.needServerPid || options.serverPid != nil else {
      throw ValidationError("--max-cpu-us and --max-kb-per-connection need --server-pid.")
    }
    let report: LoadReport
    do {
      report = try await measure(plan)
    } catch {
      let explanation = Explanation(
        of: error, url: options.hubURL, about: Explanation.Subject())
      await output.note(options.json ? explanation.json : "Error: \(explanation.sentence)")
      throw ExitCode(explanation.exitCode)
    }
    let lines = options.json ? [report.json] : report.table
    for line in lines {
      // Nobody reads on: the exit status still tells how it went.
      do { try await output.line(line) } catch { break }
    }
    guard report.failures.isEmpty else { throw ExitCode(1) }
  }

  private func measure(_ plan: LoadPlan) async throws(HubError) -> LoadReport {
    let meter = options.serverPid.flatMap { ProcessMeter(pid: $0) }
    let test = try LoadTest(plan, url: options.hubURL, meter: meter)
    let interruption = Task {
      await Interruption.signal()
      test.stop()
    }
    defer { interruption.cancel() }
    let line = BenchProgress()
    defer { line.clear() }
    var report = try await test.run { line.show($0) }
    report.thresholds = thresholds.verdicts(on: report)
    return report
  }
}
