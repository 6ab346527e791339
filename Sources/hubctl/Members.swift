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
    guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
  }

  func run() async throws {
    try await options.run(about: Explanation.Subject(channel: channel)) { connection, output in
      let (members, hasMore) = try await Paging.collect(limit) {
        (cursor, limit) async throws(HubError) in
        let page = try await connection.members(
          of: channel, onlyPresent: present, cursor: cursor, limit: limit)
        return (page.members, page.cursor)
      }
      if options.json {
        for member in members { try await output.line(member.json) }
      } else if members.isEmpty {
        await output.note(present ? "Nobody is there." : "The channel has no members.")
      } else {
        for line in MemberTable.lines(members) { try await output.line(line) }
      }
      if hasMore { await output.note("There are more; raise --limit.") }
    }
  }
}
