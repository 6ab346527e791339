internal import HubProtocol

/// What the hub said to `hello` (protocol, "Session").
public struct HubSession: Hashable, Sendable {
  /// Id of the user whom the token stands for.
  public let user: String
  /// The session's opaque name.
  public let session: String
  /// The hub's clock when it answered, in milliseconds since the Unix epoch.
  public let serverTs: Int
  /// How often the hub gives a sign of life.
  public let heartbeat: Duration
  /// The user's 200 most active channels.
  public let channels: [HubChannel]
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object, let user = object.object("user")?.string("id") else {
      return nil
    }
    self.user = user
    session = object.string("session") ?? ""
    serverTs = object.integer("server_ts") ?? 0
    let heartbeat = object.integer("heartbeat_ms") ?? 25_000
    self.heartbeat = .milliseconds(min(max(heartbeat, 1), 86_400_000))
    let stream = object.object("user_stream")
    channels = stream?.elements("channels").compactMap { HubChannel(json: $0) } ?? []
    self.json = json
  }
}

/// What the hub said to `message.send`: the message is ordered, and durable as far as the hub is
/// configured to be (protocol, "Messages").
public struct HubSent: Hashable, Sendable {
  /// The message's number in its channel.
  public let seq: Int
  /// When the hub took it, in milliseconds since the Unix epoch.
  public let ts: Int
  /// Whether its key had been sent before, so that nothing was delivered now.
  public let isDuplicate: Bool
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object, let seq = object.integer("seq") else { return nil }
    self.seq = seq
    ts = object.integer("ts") ?? 0
    isDuplicate = object.bool("duplicate") ?? false
    self.json = json
  }
}

/// One page of `channel.list`.
public struct HubChannelPage: Hashable, Sendable {
  /// In the order asked for.
  public let channels: [HubChannel]
  /// Where the next page begins; nil on the last.
  public let cursor: String?
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object else { return nil }
    channels = object.elements("channels").compactMap { HubChannel(json: $0) }
    cursor = object.string("cursor")
    self.json = json
  }
}

/// One page of `message.history` or `message.thread`.
public struct HubHistory: Hashable, Sendable {
  /// Oldest first.
  public let messages: [HubMessage]
  /// Whether there are more in the direction asked for.
  public let hasMore: Bool
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object else { return nil }
    messages = object.messages("messages")
    hasMore = object.bool("has_more") ?? false
    self.json = json
  }
}

/// One page of `message.search` or `feed.list`.
public struct HubMessagePage: Hashable, Sendable {
  /// Newest first.
  public let messages: [HubMessage]
  /// Where the next page begins; nil on the last.
  public let cursor: String?
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object else { return nil }
    messages = object.messages("messages")
    cursor = object.string("cursor")
    self.json = json
  }
}

/// One page of `member.list`.
public struct HubMemberPage: Hashable, Sendable {
  /// Those who are there first, then by name.
  public let members: [HubMember]
  /// Where the next page begins; nil on the last.
  public let cursor: String?
  /// The whole reply as it came.
  public let json: HubJSON

  init?(json: HubJSON) {
    guard let object = json.object else { return nil }
    members = object.elements("members").compactMap { HubMember(json: $0) }
    cursor = object.string("cursor")
    self.json = json
  }
}
