import ArgumentParser
import Foundation
import HubClient

/// The command line: plays the bot until SIGTERM or Ctrl-C, and explains what goes wrong.
@main
struct ExampleBot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "example-bot", abstract: "Greets and answers people in one channel of a hub.",
    discussion: "Exit codes: 1 the hub refused, 64 bad arguments, 69 no hub, 77 bad token.")

  @Option(help: "The hub.")
  var url = "ws://127.0.0.1:8080"

  @Option(help: "Who the bot is.")
  var token = "dev-bot:swift"

  @Option(help: "The channel; one that is open to join.")
  var channel: String

  func run() async throws {
    do throws(HubError) {
      let connection = try HubConnection(url: url, token: token)
      let signals = [SIGTERM, SIGINT].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { Task { await connection.close() } }
        source.resume()
        return source
      }
      defer { for signal in signals { signal.cancel() } }
      try await Bot.run(connection, in: channel)
      if case .connected = await connection.state { Self.exit(withError: ExitCode(1)) }
    } catch let error where error.code == HubError.closed {
      // A signal closed the connection: that is how a bot ends.
    } catch {
      note("\(url): \(error.message) (\(error.code))")
      let codes = ["unauthenticated": 77, "unreachable": 69, "timed_out": 69, "bad_url": 64]
      throw ExitCode(Int32(codes[error.code] ?? 1))
    }
  }
}

/// A line on standard error.
func note(_ text: String) {
  try? FileHandle.standardError.write(contentsOf: Data("example-bot: \(text)\n".utf8))
}
