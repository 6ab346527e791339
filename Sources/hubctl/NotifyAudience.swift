internal import ArgumentParser
package import HubClient

/// Whose inboxes `hubctl notify` is about.
struct NotifyAudience: ParsableArguments {
  @Argument(help: "Whose inboxes: user ids.")
  var users: [String] = []

  @Option(help: "Instead of users: the members of this channel.")
  var channel: String?

  @Option(
    help: """
      Instead of users: everybody of whose custom data this is so, as plan=gold or level=3. May be \
      given several times; all must hold.
      """)
  var segment: [SegmentField] = []

  func check() throws {
    let named = [!users.isEmpty, channel != nil, !segment.isEmpty].count { $0 }
    guard named == 1 else {
      throw ValidationError("Say whom: users, or --channel, or --segment.")
    }
    guard Set(segment.map(\.name)).count == segment.count else {
      throw ValidationError("--segment: name each field once.")
    }
  }

  var wanted: HubNotification.Audience {
    if let channel { return .channel(channel) }
    guard segment.isEmpty else {
      let fields = segment.map { ($0.name, $0.value) }
      return .segment(Dictionary(fields) { $1 })
    }
    return .users(users)
  }

  /// Whether `unknown` are all of the users.
  func isNobody(but unknown: [String]) -> Bool {
    !users.isEmpty && Set(unknown) == Set(users)
  }
}

/// `field=value` of `--segment`.
package struct SegmentField: Equatable, Sendable {
  package let name: String
  package let value: HubNotification.SegmentValue

  /// The value is a truth value or a number where it reads as one, else a string; in quotation
  /// marks it is a string always. Nil without a field or a value.
  package init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    name = String(parts[0])
    value = Self.value(String(parts[1]))
  }

  private static func value(_ text: String) -> HubNotification.SegmentValue {
    if text == "true" || text == "false" { return .bool(text == "true") }
    // What JSON would not read as a number is none.
    if HubJSON(text) != nil, let number = Int(text) { return .integer(number) }
    if HubJSON(text) != nil, let number = Double(text) { return .decimal(number) }
    guard text.count > 1, text.first == "\"", text.last == "\"" else { return .string(text) }
    return .string(String(text.dropFirst().dropLast()))
  }
}

extension SegmentField: ExpressibleByArgument {}
