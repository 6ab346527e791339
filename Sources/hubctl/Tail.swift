internal import ArgumentParser
internal import HubClient

/// Live events.
struct Tail: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints what happens in channels, one line an event, until Ctrl-C.",
    discussion: """
      Lost connections are made anew; what was missed meanwhile comes first, in order. With --json \
      each line is an event as the hub sent it; messages of --last have "ev":"message" in front.
      """)

  @Argument(help: "The channels.")
  var channels: [String]

  @Option(help: "Begin with so many of the newest messages of each channel: 0 to 300.")
  var last = 0

  @Option(help: "End after so many messages.")
  var count: Int?

  @OptionGroup var options: HubOptions

  func validate() throws {
    guard !channels.isEmpty else { throw ValidationError("Name at least one channel.") }
    guard Set(channels).count == channels.count else {
      throw ValidationError("Name each channel once.")
    }
    guard 0...300 ~= last else { throw ValidationError("--last must be 0 to 300.") }
    if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
  }

  func run() async throws {
    try await options.run(about: Explanation.Subject()) { connection, output in
      var subscriptions: [HubSubscription] = []
      for channel in channels {
        subscriptions.append(
          try await ChannelError.naming(channel) { () async throws(HubError) in
            try await connection.subscribe(to: channel, newest: last)
          })
      }
      try await follow(subscriptions, connection, output)
    }
  }

  /// Until the count is reached, every subscription is over, or somebody ends it.
  private func follow(
    _ subscriptions: [HubSubscription], _ connection: HubConnection, _ output: Output
  ) async throws {
    let tail = TailPrinter(
      output: output, json: options.json, count: count, showsChannel: channels.count > 1)
    try await Following.run(connection, output) { try await tail.print(subscriptions) }
  }
}
