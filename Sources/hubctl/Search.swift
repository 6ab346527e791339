internal import ArgumentParser
internal import HubClient

/// Messages that hold certain words.
struct Search: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds messages that hold all of the words, newest first.",
    discussion: """
      Looks through all of your channels, or one. The last word may be the beginning of one. \
      With --json each line is one message as the hub sent it.
      """)

  @Argument(help: "The words.")
  var words: [String]

  @Option(help: "Look in this channel only.")
  var channel: String?

  @Option(help: "The most messages to print.")
  var limit = 20

  @OptionGroup var options: HubOptions

  func validate() throws {
    try Paging.check(limit)
  }

  func run() async throws {
    let text = words.joined(separator: " ")
    try await options.run(about: Explanation.Subject(channel: channel)) { connection, output in
      let (messages, hasMore) = try await Paging.collect(limit) {
        (cursor, limit) async throws(HubError) in
        let page = try await connection.search(
          text, in: channel, cursor: cursor, limit: limit)
        return (page.messages, page.cursor)
      }
      try await options.list(
        messages, hasMore: hasMore, to: output, nothing: "Nothing was found.", json: \.json
      ) { $0.map(line) }
    }
  }

  private func line(_ message: HubMessage) -> String {
    let place = "\(Clock.dateAndTime(message.ts)) \(message.channel)"
    return TerminalText.escape("\(place) \(MessageText.line(message))")
  }
}
