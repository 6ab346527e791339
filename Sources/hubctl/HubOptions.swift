internal import ArgumentParser
internal import Foundation
internal import HubClient

/// What every command takes.
struct HubOptions: ParsableArguments {
  static let defaultURL = "ws://127.0.0.1:8080"
  static let defaultToken = "dev:me"

  @Option(help: "The hub. Else HUBCTL_URL, else \(Self.defaultURL).")
  var url: String?

  @Option(help: "Who you are. Else HUBCTL_TOKEN, else \(Self.defaultToken).")
  var token: String?

  @Flag(help: "Prints JSON, one object a line; errors too, on standard error.")
  var json = false

  /// Connects, does `body`, closes. Whatever goes wrong is explained on standard error.
  func run(
    about subject: Explanation.Subject, _ body: (HubConnection, Output) async throws -> Void
  ) async throws {
    let environment = ProcessInfo.processInfo.environment
    let url = url ?? environment["HUBCTL_URL"] ?? Self.defaultURL
    let token = token ?? environment["HUBCTL_TOKEN"] ?? Self.defaultToken
    let output = Output()
    do {
      try await Self.run(url: url, token: token, output, body)
    } catch let error as HubError {
      try await fail(Explanation(of: error, url: url, about: subject), output)
    } catch let error as ChannelError {
      let subject = Explanation.Subject(channel: error.channel)
      try await fail(Explanation(of: error.error, url: url, about: subject), output)
    } catch is Output.Closed {
      // Nobody reads on: as good as done.
    }
  }

  private func fail(_ explanation: Explanation, _ output: Output) async throws {
    await output.note(json ? explanation.json : "Error: \(explanation.sentence)")
    throw ExitCode(explanation.exitCode)
  }

  private static func run(
    url: String, token: String, _ output: Output,
    _ body: (HubConnection, Output) async throws -> Void
  ) async throws {
    var configuration = HubConfiguration()
    configuration.clientName = "hubctl"
    let connection = try HubConnection(url: url, token: token, configuration: configuration)
    try await connection.connect()
    do {
      try await body(connection, output)
    } catch {
      await connection.close()
      throw error
    }
    await connection.close()
  }
}
