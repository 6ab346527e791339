import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// A hub as a process: logs, signals, and the one line on standard output.
package enum Lifecycle {
  /// Serves until SIGTERM or SIGINT, then takes the hub down; a second signal ends the process at
  /// once.
  package static func run(_ configuration: ServerConfiguration) async throws {
    let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
    LoggingSystem.bootstrap { label -> any LogHandler in
      isTerminal ? StreamLogHandler.standardError(label: label) : JSONLogHandler()
    }
    let logger = Logger(label: "hub")
    let server = HubServer(configuration, logger: logger) { url in
      print("hub listening on \(url)")
      fflush(nil)
    }
    var quiet = logger
    quiet.logLevel = .error
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [.init(service: server, successTerminationBehavior: .gracefullyShutdownGroup)],
        logger: quiet))
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let watch = Task { await watchSignals(signals, group, logger) }
    defer { watch.cancel() }
    try await group.run()
  }

  private static func watchSignals(
    _ signals: UnixSignalsSequence, _ group: ServiceGroup, _ logger: Logger
  ) async {
    var count = 0
    for await signal in signals {
      count += 1
      logger.notice("signal", metadata: ["signal": "\(signal)", "count": "\(count)"])
      guard count == 1 else { exit(1) }
      await group.triggerGracefulShutdown()
    }
  }
}

extension StartError {
  /// What the process exits with: 69 when the address cannot be had, 78 when the configuration is
  /// at fault (cli, "Programs").
  package var exitCode: Int32 {
    switch self {
    case .cannotListen: 69
    case .dataDirectory, .recovery: 78
    }
  }
}
