internal import ArgumentParser
internal import HubClient

/// One notification.
struct Notify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts a notification into people's inboxes.",
    discussion: """
      Bots and admins may: with a hub that runs with --dev, --token dev-bot:<name>.
      Exit code 1 when the hub knows none of the people.
      """)

  @Argument(help: "Whose inboxes: user ids.")
  var users: [String]

  @Option(help: "What it is: message, system, like, … or a word of your own.")
  var type = "message"

  @Option(help: "What it says.")
  var text: String

  @Option(help: "A heading.")
  var title: String?

  @Option(help: "Makes repeating harmless: the same key is delivered once. At most 64 bytes.")
  var key: String?

  @OptionGroup var options: HubOptions

  func run() async throws {
    var notification = HubNotification(to: .users(users), type: type, text: text)
    notification.title = title
    notification.key = key
    var isForNobody = false
    try await options.run(about: Explanation.Subject()) { connection, output in
      let notified = try await connection.notify(notification)
      if options.json {
        try await output.line(notified.json)
      } else {
        try await output.line("\(notified.made) of \(users.count) notified")
      }
      if !notified.unknown.isEmpty, !options.json {
        let unknown = notified.unknown.map { TerminalText.escape($0) }.joined(separator: ", ")
        await output.note("The hub does not know \(unknown).")
      }
      isForNobody = notified.made == 0 && notified.unknown.count >= Set(users).count
    }
    if isForNobody { throw ExitCode.failure }
  }
}
