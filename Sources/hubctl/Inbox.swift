internal import ArgumentParser
internal import HubClient

/// One's own notifications.
struct Inbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists your notifications, newest first, without the archived ones.",
    discussion: "With --json each line is one notification as the hub sent it.")

  @Option(help: "Only this type: like, mention, … May be given several times.")
  var type: [String] = []

  @Option(help: "The most notifications to list.")
  var limit = 50

  @OptionGroup var options: HubOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
  }

  func run() async throws {
    try await options.run(about: Explanation.Subject()) { connection, output in
      let types = type.isEmpty ? nil : type
      var counts: HubInboxCounts?
      let (items, hasMore) = try await Paging.collect(limit) {
        (cursor, limit) async throws(HubError) in
        let page = try await connection.inbox(types: types, cursor: cursor, limit: limit)
        counts = counts ?? page.counts
        return (page.items, page.cursor)
      }
      if options.json {
        for item in items { try await output.line(item.json) }
      } else if items.isEmpty {
        await output.note("There is no notification.")
      } else {
        let table = InboxTable { Clock.dateAndTime($0) }
        for line in table.lines(items) { try await output.line(line) }
        if let counts {
          await output.note("In all \(counts.unseen) unseen, \(counts.unread) unread.")
        }
      }
      if hasMore { await output.note("There are more; raise --limit.") }
    }
  }
}
