import ArgumentParser

/// The hub's program.
@main
struct Hub: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hub", abstract: "A real-time chat and notification server.",
    version: "0.1.0", subcommands: [Serve.self])
}
