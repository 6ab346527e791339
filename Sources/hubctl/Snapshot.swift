internal import ArgumentParser
internal import HubClient
internal import HubCore
internal import HubStorage

/// Snapshots: what is on disk, whether it is sound, and a new one.
struct Snapshot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Looks at snapshots on disk, or has a running hub take one.",
    subcommands: [Inspect.self, Verify.self, Take.self])

  /// What the header and the blocks of a snapshot say.
  struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints what a snapshot is, and of which moment.")

    @Argument(help: "A snapshot file: snapshot-… in a hub's data directory.")
    var file: String

    @Flag(help: "One JSON object.")
    var json = false

    func run() async throws {
      try await SnapshotOutline.explaining(file, json: json) { () throws(SnapshotFlaw) in
        try SnapshotOutline(file)
      }
    }
  }

  /// Whether a hub could start from a snapshot.
  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reads a snapshot to its last byte and says whether a hub could start from it.",
      discussion: "Exits 0 when it is sound and 1 when it is not.")

    @Argument(help: "A snapshot file: snapshot-… in a hub's data directory.")
    var file: String

    @Flag(help: "One JSON object.")
    var json = false

    func run() async throws {
      try await SnapshotOutline.explaining(file, json: json) { () throws(SnapshotFlaw) in
        var outline = try SnapshotOutline(file)
        let (_, registry) = try SnapshotReader.registry(at: file, windowMemory: .max)
        (outline.users, outline.channels) = registry.counts
        return outline
      }
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
