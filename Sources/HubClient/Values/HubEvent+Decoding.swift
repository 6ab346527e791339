internal import HubProtocol

extension HubEvent {
  /// The event in one text message of the hub; nil when the message is none.
  package init?(json: HubJSON) {
    guard let object = json.object, let name = object.string("ev") else { return nil }
    self.init(name: name, object, json: json)
  }

  init(name: String, _ object: JSONObject, json: HubJSON) {
    self.name = name
    channel = object.string("channel")
    body = Body(name: name, object, json: json) ?? .other
    self.json = json
  }

  /// A message that stood in a reply, as if it had come as the event `name`.
  init(_ message: HubMessage, name: String) {
    self.name = name
    channel = message.channel
    let json = message.json.prefixed(by: JSONLiteral.member("ev", name))
    body = json.object.flatMap { Body(name: name, $0, json: json) } ?? .other
    self.json = json
  }

  /// Whether it changes a message that is there already.
  var isChange: Bool {
    if case .messageUpdated = body { return true }
    if case .messageDeleted = body { return true }
    if case .reaction = body { return true }
    return false
  }

  /// The channel's revision that the event brings about; nil when it brings none.
  var rev: Int? {
    if case .messageUpdated(_, let rev) = body { return rev }
    if case .messageDeleted(_, let rev) = body { return rev }
    if case .reaction(let reaction) = body { return reaction.rev }
    return nil
  }
}

extension HubEvent.Body {
  fileprivate init?(name: String, _ object: JSONObject, json: HubJSON) {
    let body: HubEvent.Body? =
      switch name {
      case "message", "message.updated", "message.deleted", "reaction":
        Self.messages(name, object, json: json)
      case "typing", "signal", "receipt", "presence", "present", "member", "user", "self":
        Self.people(name, object)
      case "channel.created", "channel.updated", "channel.deleted", "activity", "unread":
        Self.channels(name, object)
      case "inbox.added", "inbox.updated", "inbox.removed", "inbox.cleared", "notice",
        "notice.retract":
        Self.inbox(name, object)
      default: Self.connection(name, object)
      }
    guard let body else { return nil }
    self = body
  }

  private static func messages(
    _ name: String, _ object: JSONObject, json: HubJSON
  ) -> HubEvent.Body? {
    if name == "reaction" { return reaction(object) }
    guard let message = HubMessage(object, json: json) else { return nil }
    return switch name {
    case "message": .message(message)
    case "message.updated": .messageUpdated(message, rev: object.integer("rev"))
    default: .messageDeleted(message, rev: object.integer("rev"))
    }
  }

  private static func reaction(_ object: JSONObject) -> HubEvent.Body? {
    guard let seq = object.integer("seq"), let user = object.string("user"),
      let reaction = object.string("reaction"), let isOn = object.bool("on")
    else { return nil }
    return .reaction(
      HubReaction(
        seq: seq, user: user, reaction: reaction, isOn: isOn,
        count: object.integer("count") ?? 0, rev: object.integer("rev")))
  }

  private static func people(_ name: String, _ object: JSONObject) -> HubEvent.Body? {
    switch name {
    case "typing":
      let users = object.strings("users")
      return .typing(users: users, count: object.integer("count") ?? users.count)
    case "present": return object.integer("count").map { .present(count: $0) }
    case "user":
      return object.json("user").flatMap { HubUser(json: $0) }.map { .user($0) }
    case "self": return own(object)
    case "receipt": return receipt(object)
    default: break
    }
    guard let user = object.string("user") else { return nil }
    if name == "signal" {
      return .signal(user: user, name: object.string("name") ?? "", data: object.json("data"))
    }
    if name == "presence" {
      return object.string("status").map {
        .presence(user: user, status: $0, lastSeenTs: object.integer("last_seen_ts"))
      }
    }
    return object.string("change").map {
      .member(user: user, change: $0, role: object.string("role"))
    }
  }

  private static func own(_ object: JSONObject) -> HubEvent.Body? {
    if let settings = object.json("settings").flatMap({ HubSettings(json: $0) }) {
      return .ownSettings(settings)
    }
    guard object.string("channel") != nil else { return nil }
    return object.bool("muted").map { .ownMute(isMuted: $0) }
  }

  private static func receipt(_ object: JSONObject) -> HubEvent.Body? {
    if let counts = object.object("read_by") {
      var readBy: [Int: Int] = [:]
      for key in counts.keys {
        if let seq = Int(key) { readBy[seq] = counts.integer(key) }
      }
      return .readBy(readBy)
    }
    guard let user = object.string("user"), let read = object.integer("read"),
      let delivered = object.integer("delivered")
    else { return nil }
    return .receipt(user: user, read: read, delivered: delivered)
  }

  private static func channels(_ name: String, _ object: JSONObject) -> HubEvent.Body? {
    guard object.string("channel") != nil else { return nil }
    let summary = object.json("summary").flatMap { HubChannel(json: $0) }
    switch name {
    case "channel.created": return summary.map { .channelCreated($0) }
    case "channel.updated": return summary.map { .channelUpdated($0) }
    case "channel.deleted": return .channelDeleted
    case "unread":
      guard let unread = object.integer("unread"), let at = object.integer("at") else {
        return nil
      }
      return .unread(
        unread: unread, mentions: object.integer("mentions") ?? 0,
        total: object.integer("total") ?? 0, at: at)
    default:
      guard let seq = object.integer("seq"), let user = object.string("user") else { return nil }
      return .activity(
        seq: seq, user: user, ts: object.integer("ts") ?? 0,
        preview: object.string("preview") ?? "")
    }
  }

  private static func inbox(_ name: String, _ object: JSONObject) -> HubEvent.Body? {
    let counts = HubInboxCounts(object.object("counts"), at: object.integer("at"))
    let item = object.json("item").flatMap { HubInboxItem(json: $0) }
    switch name {
    case "inbox.added": return item.map { .inboxAdded($0, counts) }
    case "inbox.updated": return updated(item, object, counts)
    case "inbox.removed": return .inboxRemoved(ids: object.strings("ids"), item, counts)
    case "inbox.cleared": return .inboxCleared(counts)
    case "notice.retract": return object.integer("seq").map { .noticeRetracted(seq: $0) }
    default: return HubNotice(object).map { .notice($0) }
    }
  }

  private static func updated(
    _ item: HubInboxItem?, _ object: JSONObject, _ counts: HubInboxCounts
  ) -> HubEvent.Body? {
    if let item { return .inboxUpdated(item, counts) }
    let ids = object.strings("ids")
    guard let state = object.string("state").flatMap({ HubInboxState(rawValue: $0) }),
      !ids.isEmpty
    else { return nil }
    return .inboxMarked(ids: ids, state, counts)
  }

  private static func connection(_ name: String, _ object: JSONObject) -> HubEvent.Body? {
    switch name {
    case "unsubscribed": return object.string("reason").map { .unsubscribed(reason: $0) }
    case "gap":
      if object.string("scope") == "user" { return .userGap }
      guard let from = object.integer("from"), let to = object.integer("to") else { return nil }
      return .gap(from: from, to: to, rev: object.integer("rev"))
    case "drain":
      let delay = min(max(object.integer("reconnect_after_ms") ?? 0, 0), 120_000)
      return .drain(reconnectAfter: .milliseconds(delay))
    case "error":
      guard let refusal = object.object("error").flatMap({ Refusal($0) }) else { return nil }
      return .error(operation: object.string("op"), HubError(refusal))
    default: return nil
    }
  }
}
