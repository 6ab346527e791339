internal import ArgumentParser
internal import Foundation
internal import HubClient

/// One notification.
struct Notify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts a notification into people's inboxes, or takes it back.",
    discussion: """
      Bots and admins may: with a hub that runs with --dev, --token dev-bot:<name>.
      Exit code 1 when the hub knows none of the people.

      EXAMPLES:
        hubctl notify ann bob --text "Dinner is ready" --expires 2h
        hubctl notify --segment plan=gold --type system --text "Thank you" --key thanks-2026
        hubctl notify --segment plan=gold --key thanks-2026 --retract
      """)

  @OptionGroup var audience: NotifyAudience

  @OptionGroup var content: NotifyContent

  @Option(
    help: """
      Makes repeating harmless, and lets it be taken back: the same key is delivered once. At most \
      64 bytes.
      """)
  var key: String?

  @Flag(help: "Takes back what was published with --key.")
  var retract = false

  @OptionGroup var options: HubOptions

  func validate() throws {
    try audience.check()
    guard retract else { return try content.check(now: Self.now) }
    guard key != nil else { throw ValidationError("--retract needs --key.") }
    guard content.isAbsent else {
      throw ValidationError("--retract takes --key and whom it went to, nothing else.")
    }
  }

  func run() async throws {
    var unknown: [String] = []
    try await options.run(about: Explanation.Subject(channel: audience.channel)) {
      (connection, output) in
      unknown = try await retract ? takeBack(connection, output) : publish(connection, output)
      if !unknown.isEmpty, !options.json {
        let names = unknown.map { TerminalText.escape($0) }.joined(separator: ", ")
        await output.note("The hub does not know \(names).")
      }
    }
    if audience.isNobody(but: unknown) { throw ExitCode.failure }
  }

  /// - Returns: whom the hub does not know.
  private func publish(
    _ connection: HubConnection, _ output: Output
  ) async throws -> [String] {
    var notification = content.notification(to: audience.wanted, now: Self.now)
    notification.key = key
    let reply = try await connection.notify(notification)
    if options.json {
      try await output.line(reply.json)
    } else {
      let people = audience.users.isEmpty ? "" : " of \(audience.users.count)"
      try await output.line("\(reply.made)\(people) notified")
    }
    return reply.unknown
  }

  /// - Returns: whom the hub does not know.
  private func takeBack(
    _ connection: HubConnection, _ output: Output
  ) async throws -> [String] {
    let reply = try await connection.retractNotification(to: audience.wanted, key: key ?? "")
    if options.json {
      try await output.line(reply.json)
    } else {
      try await output.line("\(reply.retracted) taken back")
    }
    return reply.unknown
  }

  private static var now: Int { Int(Date().timeIntervalSince1970 * 1_000) }
}
