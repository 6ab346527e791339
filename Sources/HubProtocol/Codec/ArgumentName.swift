/// Every argument of every operation, and the members of objects among them, by the names of the
/// protocol in camel case.
enum ArgumentName: UInt8, CaseIterable {
  case id, op, channel, text, key, seq, on
  case data, mentions, attachments, replyTo, retry, hops
  case since, epoch, rev, limit, before, after, around
  case user, users, members, kind, name, details, avatar, custom
  case token, client, sinceUser, scope, sort, cursor
  case role, untilTs, reason, present
  case q, reaction, status, channels, screen
  case bio, username, bot
  case dmPolicy, receipts, typing, dndUntilTs, dndSchedule, mute, days, from, tz
  case to, type, actor, target, title, collapse, expiresTs, url, thumb
  case types, states, state, ids, upto, item, segment
  case dir

  /// The name on the wire.
  var text: String { Self.texts[Int(rawValue)] }

  /// The argument that `key`, a string in `source`, names; nil for one the hub does not know.
  init?(_ key: JSONSlice, in source: JSONSource) {
    guard let name = Self.table[key, in: source] else { return nil }
    self = name
  }

  /// How many names there are.
  static let count = allCases.count

  private static let texts = allCases.map { snakeCase("\($0)") }
  private static let table = NameTable(allCases) { $0.text }

  private static func snakeCase(_ name: String) -> String {
    name.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined()
  }
}

/// Some of the arguments, of which there are fewer than 128 (`NameTable`).
struct ArgumentSet {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// No arguments.
  init() {}

  mutating func insert(_ name: ArgumentName) {
    if name.rawValue < 64 { low |= Self.bit(name) } else { high |= Self.bit(name) }
  }

  func contains(_ name: ArgumentName) -> Bool {
    (name.rawValue < 64 ? low : high) & Self.bit(name) != 0
  }

  /// The bit of the name's place in its half.
  private static func bit(_ name: ArgumentName) -> UInt64 { 1 &<< UInt64(name.rawValue) }
}
