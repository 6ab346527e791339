internal import ArgumentParser
internal import HubClient

/// Messages of the past.
struct History: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints messages of a channel, oldest first: the newest, or those around a number.",
    discussion: "With --json each line is one message as the hub sent it.")

  @Argument(help: "The channel.")
  var channel: String

  @Option(help: "The newest messages below this number.")
  var before: Int?

  @Option(help: "The oldest messages above this number.")
  var after: Int?

  @Option(help: "The message of this number and its neighbours; at most 100.")
  var around: Int?

  @Option(help: "The most messages to print.")
  var limit = 50

  @OptionGroup var options: HubOptions

  func validate() throws {
    try Paging.check(limit)
    let anchors = [before, after, around].compactMap(\.self)
    guard anchors.count <= 1 else {
      throw ValidationError("Give one of --before, --after and --around.")
    }
    guard anchors.allSatisfy({ 0...HistoryPages.greatestSeq ~= $0 }) else {
      throw ValidationError("A message's number is 0 to 2^53-1.")
    }
    guard around == nil || limit <= Paging.pageItems else {
      throw ValidationError("With --around, --limit must be at most \(Paging.pageItems).")
    }
  }

  func run() async throws {
    try await options.run(about: Explanation.Subject(channel: channel)) { connection, output in
      let pages = HistoryPages(connection: connection, channel: channel, limit: limit)
      let (messages, hasMore) = try await pages.collect(anchor)
      try await options.list(
        messages, hasMore: hasMore, to: output, nothing: "There is no message there.",
        json: \.json
      ) { $0.map(line) }
    }
  }

  private func line(_ message: HubMessage) -> String {
    TerminalText.escape("\(Clock.dateAndTime(message.ts)) \(MessageText.line(message))")
  }

  private var anchor: HubConnection.Anchor {
    if let after { return .after(after) }
    if let around { return .around(around) }
    return .before(before ?? HistoryPages.greatestSeq)
  }
}
