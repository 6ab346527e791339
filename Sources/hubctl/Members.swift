internal import ArgumentParser
internal import HubClient

/// Who is in a channel.
struct Members: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the members of a channel, those who are there first.",
    discussion: "With --json each line is one member as the hub sent it.")

  @Argument(help: "The channel.")
  var channel: String

  @Flag(help: "Only those who are there.")
  var present = false

  @Option(help: "The most members to list.")
  var limit = 50

  @OptionGroup var options: HubOptions

  func validate() throws {
    try Paging.check(limit)
  }

  func run() async throws {
    try await options.run(about: Explanation.Subject(channel: channel)) { connection, output in
      let (members, hasMore) = try await Paging.collect(limit) {
        (cursor, limit) async throws(HubError) in
        let page = try await connection.members(
          of: channel, onlyPresent: present, cursor: cursor, limit: limit)
        return (page.members, page.cursor)
      }
      try await options.list(
        members, hasMore: hasMore, to: output,
        nothing: present ? "Nobody is there." : "The channel has no members.", json: \.json,
        lines: MemberTable.lines)
    }
  }
}
