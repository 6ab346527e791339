public import ArgumentParser
public import HubClient

/// A list of channels.
struct Channels: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists channels, the most active first.",
    discussion: "With --json each line is one channel's summary as the hub sent it.")

  @Option(
    help: "joined: those you are in. joinable: public ones you are not in. all: all public ones.")
  var scope = HubConnection.Scope.joined

  @Option(help: "Only direct, group, public or broadcast channels.")
  var kind: HubChannel.Kind?

  @Option(help: "The most channels to list.")
  var limit = 50

  @OptionGroup var options: HubOptions

  func validate() throws {
    try Paging.check(limit)
  }

  func run() async throws {
    try await options.run(about: Explanation.Subject()) { connection, output in
      let (channels, hasMore) = try await Paging.collect(limit) {
        (cursor, limit) async throws(HubError) in
        let page = try await connection.channels(scope, kind: kind, cursor: cursor, limit: limit)
        return (page.channels, page.cursor)
      }
      try await options.list(
        channels, hasMore: hasMore, to: output, nothing: nothing, json: \.json,
        lines: ChannelTable.lines)
    }
  }

  private var nothing: String {
    switch scope {
    case .joined: "You are in no channel. `hubctl channels --scope joinable` lists open ones."
    case .joinable, .all: "There is no such channel."
    }
  }
}

extension HubConnection.Scope: ExpressibleByArgument {}
extension HubChannel.Kind: ExpressibleByArgument {}
