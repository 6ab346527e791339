internal import ArgumentParser
internal import HubStorage

/// Journals: what is on disk, and whether it is sound.
struct Journal: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Looks at the journal of a data directory; a hub may be running on it.",
    subcommands: [Inspect.self, Verify.self])

  /// What the segments of a journal hold.
  struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the segments of a journal, and what is wrong with them.")

    @Argument(help: "A hub's data directory.")
    var directory: String

    @Flag(help: "One JSON object.")
    var json = false

    func run() async throws {
      try await JournalReport.print(directory, json: json, isVerifying: false)
    }
  }

  /// Whether a hub could replay a journal.
  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reads a journal to its last byte and says whether a hub could replay it.",
      discussion: "Exits 0 when it is sound and 1 when it is not.")

    @Argument(help: "A hub's data directory.")
    var directory: String

    @Flag(help: "One JSON object.")
    var json = false

    func run() async throws {
      try await JournalReport.print(directory, json: json, isVerifying: true)
    }
  }
}
