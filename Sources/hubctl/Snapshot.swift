internal import ArgumentParser
internal import HubClient

/// Snapshots: what is on disk, whether it is sound, and a new one.
struct Snapshot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Looks at snapshots on disk, or has a running hub take one.",
    subcommands: [Inspect.self, Verify.self, Take.self])

  /// What snapshot to look at, and how to tell of it.
  struct Place: ParsableArguments {
    @Argument(help: "A snapshot file: snapshot-… in a hub's data directory.")
    var file: String

    @Flag(help: "One JSON object.")
    var json = false
  }

  /// What the header and the blocks of a snapshot say.
  struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints what a snapshot is, and of which moment.")

    @OptionGroup var place: Place

    func run() async throws {
      try await SnapshotOutline.print(place.file, json: place.json, isVerifying: false)
    }
  }

  /// Whether a hub could start from a snapshot.
  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reads a snapshot to its last byte and says whether a hub could start from it.",
      discussion: "Exits 0 when it is sound and 1 when it is not.")

    @OptionGroup var place: Place

    func run() async throws {
      try await SnapshotOutline.print(place.file, json: place.json, isVerifying: true)
    }
  }

  /// A snapshot of a running hub, now.
  struct Take: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Has the hub take a snapshot now; needs an admin's token, on the hub's machine.")

    @OptionGroup var options: HubOptions

    func run() async throws {
      try await options.run(about: Explanation.Subject()) { connection, output in
        try await output.line(connection.request("admin.snapshot"))
      }
    }
  }
}
