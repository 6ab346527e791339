internal import ArgumentParser
internal import HubClient

/// One message.
struct Send: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sends a message and prints its number in the channel.",
    discussion: """
      With --json the hub's answer is printed, with the channel: \
      {"channel":"room:swift","seq":42,"ts":…}.
      """)

  @Argument(help: "The channel.")
  var channel: String

  @Argument(help: "The text: 1 to 5,000 characters. Put -- in front of one that begins with -.")
  var text: String?

  @Option(help: "Makes repeating harmless: the same key is sent once. At most 64 bytes.")
  var key: String?

  @Option(help: "A JSON value to go along, or instead of a text.")
  var data: String?

  @Flag(help: "Joins a public or broadcast channel first when you are not a member.")
  var join = false

  @Flag(help: "Makes a public channel first when there is none of that name.")
  var create = false

  @OptionGroup var options: HubOptions

  func validate() throws {
    guard text != nil || data != nil else {
      throw ValidationError("Give a text, or --data, or both.")
    }
    if let data, HubJSON(data) == nil {
      throw ValidationError("--data must be one JSON value, for instance '{\"poll\":1}'.")
    }
  }

  func run() async throws {
    let subject = Explanation.Subject(channel: channel, canJoin: !join)
    try await options.run(about: subject) { connection, output in
      let sent = try await send(connection)
      if options.json {
        try await output.line(sent.json.prefixed(by: JSONLiteral.member("channel", channel)))
      } else {
        try await output.line("\(sent.seq)\(sent.isDuplicate ? " (sent before)" : "")")
      }
    }
  }

  private func send(_ connection: HubConnection) async throws(HubError) -> HubSent {
    let data = data.flatMap { HubJSON($0) }
    do {
      return try await connection.send(text, to: channel, data: data, key: key)
    } catch {
      try await prepare(connection, after: error)
    }
    return try await connection.send(text, to: channel, data: data, key: key)
  }

  /// Joins or makes the channel, when that was allowed and is what was missing.
  private func prepare(
    _ connection: HubConnection, after error: HubError
  ) async throws(HubError) {
    switch (error.origin, error.code) {
    case (.hub, "not_member") where join: try await connection.join(channel)
    case (.hub, "not_found") where create:
      _ = try await connection.createChannel(channel, kind: .public)
    default: throw error
    }
  }
}
