internal import ArgumentParser

/// Journals: what is on disk, and whether it is sound.
struct Journal: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Looks at the journal of a data directory; a hub may be running on it.",
    subcommands: [Inspect.self, Verify.self])

  /// What journal to look at, and how to tell of it.
  struct Place: ParsableArguments {
    @Argument(help: "A hub's data directory.")
    var directory: String

    @Flag(help: "One JSON object.")
    var json = false
  }

  /// What the segments of a journal hold.
  struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the segments of a journal, and what is wrong with them.")

    @OptionGroup var place: Place

    func run() async throws {
      try await JournalReport.print(place.directory, json: place.json, isVerifying: false)
    }
  }

  /// Whether a hub could replay a journal.
  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reads a journal to its last byte and says whether a hub could replay it.",
      discussion: "Exits 0 when it is sound and 1 when it is not.")

    @OptionGroup var place: Place

    func run() async throws {
      try await JournalReport.print(place.directory, json: place.json, isVerifying: true)
    }
  }
}
