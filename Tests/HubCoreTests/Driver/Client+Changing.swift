import HubProtocol

/// Operations on messages that are there by short names; each answers as `ask` does.
extension Client {
  @discardableResult
  func edit(
    _ name: String, _ seq: Int, _ text: String, mentions: [String]? = nil, everybody: Bool = false
  ) -> String {
    let mentioned = mentions.map {
      MessageEdit.Mentions(users: $0.map(user), channel: everybody)
    }
    return edit(name, seq, text: text.isEmpty ? .clear : .set(text), mentions: mentioned)
  }

  @discardableResult
  func edit(
    _ name: String, _ seq: Int, text: Update<String> = .keep, data: Update<RawJSON> = .keep,
    mentions: MessageEdit.Mentions? = nil
  ) -> String {
    ask(
      .messageEdit(
        MessageEdit(
          channel: channel(name), seq: seq, text: text, data: data, mentions: mentions)))
  }

  @discardableResult
  func delete(_ name: String, _ seq: Int) -> String {
    ask(.messageDelete(channel(name), seq: seq))
  }

  @discardableResult
  func react(_ name: String, _ seq: Int, _ reaction: String = "👍", on: Bool = true) -> String {
    ask(
      on
        ? .reactionAdd(channel(name), seq: seq, reaction: reaction)
        : .reactionRemove(channel(name), seq: seq, reaction: reaction))
  }

  @discardableResult
  func flag(_ name: String, _ seq: Int, reason: String? = nil) -> String {
    ask(.messageFlag(channel(name), seq: seq, reason: reason))
  }

  @discardableResult
  func flags(_ name: String) -> String { ask(.messageFlags(channel(name))) }

  @discardableResult
  func thread(_ name: String, _ seq: Int, after: Int = 0, limit: Int = 50) -> String {
    ask(
      .messageThread(
        MessageThread(channel: channel(name), seq: seq, after: after, limit: limit)))
  }

  @discardableResult
  func feed(cursor: String? = nil, limit: Int = 50) -> String {
    ask(.feedList(cursor: cursor, limit: limit))
  }

  /// Looks for messages; everywhere when no channel is named.
  @discardableResult
  func find(
    _ words: String, in name: String? = nil, cursor: String? = nil, limit: Int = 50
  ) -> String {
    ask(
      .messageSearch(
        MessageSearch(query: words, channel: name.map(channel), cursor: cursor, limit: limit)))
  }

  @discardableResult
  func readUnread(_ name: String, _ seq: Int) -> String {
    ask(.readUnread(channel(name), seq: seq))
  }

  /// The messages in the last reply that has some, each in its present state.
  var messages: [MessageView] {
    switch reply {
    case .history(let messages, _), .messages(let messages, _): messages
    case .subscribed(let reply): reply.messages
    default: []
    }
  }

  /// The cursor in the last reply.
  var cursor: String? {
    switch reply {
    case .channels(_, let cursor), .messages(_, let cursor), .members(_, let cursor): cursor
    case .inbox(_, _, let cursor): cursor
    default: nil
    }
  }
}
