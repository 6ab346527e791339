internal import HubProtocol

/// A person or bot as others see them (protocol, "Users").
public struct HubUser: Hashable, Sendable {
  /// The user id.
  public let id: String
  /// The name that people see; the id where none was given.
  public let name: String
  /// A unique name in lower case.
  public let username: String?
  /// URL of a picture.
  public let avatar: String?
  /// A few words about them.
  public let bio: String?
  /// Whether it is a bot.
  public let isBot: Bool
  /// The app's own value, byte for byte.
  public let custom: HubJSON?
  /// How many follow them; nil where it was not told.
  public let followers: Int?
  /// How many they follow; nil where it was not told.
  public let following: Int?
  /// The whole object as it came.
  public let json: HubJSON

  /// Nil without an id.
  init?(json: HubJSON) {
    guard let object = json.object, let id = object.string("id") else { return nil }
    self.id = id
    name = object.string("name") ?? id
    username = object.string("username")
    avatar = object.string("avatar")
    bio = object.string("bio")
    isBot = object.bool("bot") ?? false
    custom = object.json("custom")
    followers = object.integer("followers")
    following = object.integer("following")
    self.json = json
  }
}

/// One user's membership of a channel (protocol, "Channels and membership").
public struct HubMember: Hashable, Sendable {
  /// The user id.
  public let user: String
  /// Who that is; nil where it was not told.
  public let profile: HubUser?
  /// `owner`, `moderator` or `member`.
  public let role: String
  /// Whether they are there.
  public let isPresent: Bool
  /// Number of the last message that they have read; nil where that is not for the caller to see.
  public let read: Int?
  /// Number of the last message that reached them; nil where that is not for the caller to see.
  public let delivered: Int?
  /// Since when they are a member, in milliseconds since the Unix epoch.
  public let joinedTs: Int
  /// The member's own value, byte for byte.
  public let custom: HubJSON?
  /// Until when they must not write, in milliseconds since the Unix epoch; told to moderators and
  /// to themselves, while it lasts.
  public let silencedUntilTs: Int?
  /// The whole object as it came.
  public let json: HubJSON

  /// Nil without a user.
  init?(json: HubJSON) {
    guard let object = json.object, let user = object.string("user") else { return nil }
    self.user = user
    profile = object.json("profile").flatMap { HubUser(json: $0) }
    role = object.string("role") ?? ""
    isPresent = object.bool("present") ?? false
    read = object.integer("read")
    delivered = object.integer("delivered")
    joinedTs = object.integer("joined_ts") ?? 0
    custom = object.json("custom")
    silencedUntilTs = object.integer("silenced_until_ts")
    self.json = json
  }
}
