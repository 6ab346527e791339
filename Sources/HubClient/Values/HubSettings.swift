internal import HubProtocol

/// The user's own settings (protocol, "Users": `user.settings`).
public struct HubSettings: Hashable, Sendable {
  /// From whom direct messages are taken.
  public enum DirectPolicy: String, Hashable, Sendable, CaseIterable {
    /// From anybody.
    case everyone
    /// From those whom the user follows, shares a group with, or has written to directly.
    case contacts
    /// From nobody.
    case nobody
  }

  /// From whom direct messages are taken.
  public let directPolicy: DirectPolicy
  /// Whether others see how far the user has read, and the user sees it of them.
  public let showsReceipts: Bool
  /// The same for typing.
  public let showsTyping: Bool
  /// Do not disturb until then, in milliseconds since the Unix epoch; nil where not set.
  public let quietUntilTs: Int?
  /// Weekly times of do-not-disturb.
  public let quietPeriods: [HubQuietPeriod]
  /// Types of notification that do not come.
  public let mutedTypes: [String]
  /// Users of whom nothing is notified.
  public let mutedUsers: [String]
  /// The channels that are muted for good.
  public let mutedChannels: [String]
  /// Whom the user has blocked.
  public let blocked: [String]
  /// All of them as they came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object else { return nil }
    let policy = object.string("dm_policy")
    directPolicy = policy.flatMap { DirectPolicy(rawValue: $0) } ?? .everyone
    showsReceipts = object.bool("receipts") ?? true
    showsTyping = object.bool("typing") ?? true
    quietUntilTs = object.integer("dnd_until_ts")
    quietPeriods = object.elements("dnd_schedule").compactMap { HubQuietPeriod($0.object) }
    let mute = object.object("mute")
    mutedTypes = mute?.strings("types") ?? []
    mutedUsers = mute?.strings("users") ?? []
    mutedChannels = mute?.strings("channels") ?? []
    blocked = object.strings("blocked")
    self.json = json
  }
}

/// A time of the week during which nothing interrupts (protocol, "Users": `dnd_schedule`).
public struct HubQuietPeriod: Hashable, Sendable {
  /// A day of the week.
  public enum Day: String, Hashable, Sendable, CaseIterable {
    /// The days.
    case monday = "mon"
    case tuesday = "tue"
    case wednesday = "wed"
    case thursday = "thu"
    case friday = "fri"
    case saturday = "sat"
    case sunday = "sun"
  }

  /// Days on which the period begins: 1 to 7, each once.
  public var days: [Day]
  /// Its beginning in minutes after midnight: 0 to 1,439.
  public var from: Int
  /// Its end, in the same way; not after `from` when it ends on the next day.
  public var to: Int
  /// IANA name of the time zone, at most 64 bytes.
  public var zone: String

  /// A period that comes every week.
  public init(days: [Day], from: Int, to: Int, zone: String) {
    self.days = days
    self.from = from
    self.to = to
    self.zone = zone
  }

  init?(_ object: JSONObject?) {
    guard let object, let zone = object.string("tz"),
      let from = object.string("from").flatMap({ Self.minutes($0) }),
      let to = object.string("to").flatMap({ Self.minutes($0) })
    else { return nil }
    let days = object.strings("days").compactMap { Day(rawValue: $0) }
    self.init(days: days, from: from, to: to, zone: zone)
  }

  /// Minutes after midnight of `HH:MM`.
  private static func minutes(_ clock: String) -> Int? {
    let parts = clock.split(separator: ":").map { Int($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1],
      0...23 ~= hour, 0...59 ~= minute
    else { return nil }
    return hour * 60 + minute
  }
}

/// What is to change in the user's settings. What is nil stays as it is; an empty list clears.
public struct HubSettingsChange: Hashable, Sendable {
  /// From whom direct messages are taken.
  public var directPolicy: HubSettings.DirectPolicy?
  /// Whether others see how far the user has read, and the user sees it of them.
  public var showsReceipts: Bool?
  /// The same for typing.
  public var showsTyping: Bool?
  /// Do not disturb until then, in milliseconds since the Unix epoch; 0 clears.
  public var quietUntilTs: Int?
  /// Weekly times of do-not-disturb, at most 100.
  public var quietPeriods: [HubQuietPeriod]?
  /// Types of notification that are not to come, at most 100 of at most 64 bytes.
  public var mutedTypes: [String]?
  /// Users of whom nothing is to be notified, at most 100.
  public var mutedUsers: [String]?
  /// Channels to be muted for good, at most 100.
  public var mutedChannels: [String]?

  /// A change of nothing.
  public init() {}
}
