internal import Foundation
internal import HubClient

/// What goes on until somebody ends it: Ctrl-C, SIGTERM, or nobody reads standard output any more.
enum Following {
  /// Returns when `print` does, or when it is ended. Meanwhile it says on standard error when the
  /// connection breaks and when it is back.
  static func run(
    _ connection: HubConnection, _ output: Output,
    _ print: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await Interruption.signal() }
      group.addTask { await Interruption.outputClosed() }
      group.addTask { try await print() }
      let states = await connection.states()
      let watcher = Task { await watch(states, output) }
      defer {
        watcher.cancel()
        group.cancelAll()
      }
      try await group.next()
    }
  }

  private static func watch(_ states: HubStates, _ output: Output) async {
    var isCutOff = false
    for await state in states {
      switch state {
      case .waiting(let delay):
        isCutOff = true
        let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
        let text = String(format: "%.1f", seconds)
        await output.note("hubctl: the connection is lost; trying again in \(text) s")
      case .connected where isCutOff:
        isCutOff = false
        await output.note("hubctl: connected again")
      case .idle, .connecting, .connected, .closed: break
      }
    }
  }
}
