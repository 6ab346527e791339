/// Writes requests as a client sends them (protocol, "Envelope"). What is absent, or as it would be
/// anyway, is left out; the decoder makes the same request of it again.
package enum RequestEncoder {
  /// One text message: `{"id":…,"op":…,…}`.
  package static func encode(_ request: Request) -> [UInt8] {
    var writer = JSONWriter(capacity: 256)
    writer.literal("{")
    if let id = request.id {
      writer.literal("\"id\":")
      writer.integer(id.number)
      writer.literal(",")
    }
    writer.literal("\"op\":")
    writer.name(request.operation.name)
    writer.arguments(request.operation)
    writer.literal("}")
    return writer.bytes
  }
}

/// The arguments of each operation, each with a comma in front.
extension JSONWriter {
  private mutating func sessionArguments(_ operation: Operation) {
    if case .hello(let hello) = operation { self.hello(hello) }
    if case .adminBackup(let directory) = operation { member(",\"dir\":", directory) }
    if case .tokenRefresh(let token) = operation { member(",\"token\":", token) }
  }

  fileprivate mutating func arguments(_ operation: Operation) {
    switch operation {
    case .ping, .adminSnapshot, .inboxOpened: break
    case .hello, .adminBackup, .tokenRefresh: sessionArguments(operation)
    case .channelGet(let channel), .channelJoin(let channel), .channelLeave(let channel),
      .channelDelete(let channel), .channelUnmute(let channel), .unsubscribe(let channel),
      .messageFlags(let channel):
      member(",\"channel\":", channel)
    case .directOpen(let user), .userBlock(let user), .userUnblock(let user),
      .userDisconnect(let user):
      member(",\"user\":", user)
    case .messageDelete(let channel, let seq), .read(let channel, let seq),
      .delivered(let channel, let seq), .readUnread(let channel, let seq):
      one(channel, seq)
    case .channelCreate(let create): channelCreate(create)
    case .channelUpdate(let update): channelUpdate(update)
    case .channelList(let list): channelList(list)
    case .channelMute(let channel, let until): channelMute(channel, until)
    case .subscribe(let subscribe): self.subscribe(subscribe)
    case .memberAdd(let channel, let users), .memberRemove(let channel, let users):
      members(channel, users)
    case .memberRole(let channel, let user, let role): memberRole(channel, user, role)
    case .memberUpdate(let channel, let custom): memberUpdate(channel, custom)
    case .memberBan(let ban): memberBan(ban)
    case .memberUnban(let channel, let user): memberUnban(channel, user)
    case .memberSilence(let channel, let user, let until): memberSilence(channel, user, until)
    case .memberList(let list): memberList(list)
    case .messageSend(let send): messageSend(send)
    case .messageEdit(let edit): messageEdit(edit)
    case .messageHistory(let history): messageHistory(history)
    case .messageThread(let thread): messageThread(thread)
    case .messageSearch(let search): messageSearch(search)
    case .feedList(let cursor, let limit): page(cursor: cursor, limit: limit)
    case .reactionAdd(let channel, let seq, let reaction),
      .reactionRemove(let channel, let seq, let reaction):
      self.reaction(channel, seq, reaction)
    case .messageFlag(let channel, let seq, let reason): messageFlag(channel, seq, reason)
    case .typing(let channel, let on): typing(channel, on)
    case .signal(let signal): self.signal(signal)
    case .presenceSet(let status): member(",\"status\":", word: status)
    case .presenceOfUsers(let users), .userGet(let users): member(",\"users\":[", users: users)
    case .presenceOfChannels(let channels): member(",\"channels\":[", channels: channels)
    case .focus(let focus): self.focus(focus)
    case .userUpdate(let update): profileUpdate(update)
    case .userPut(let puts): userPut(puts)
    case .userSearch(let query, let limit): userSearch(query, limit)
    case .userSettings(let update): userSettings(update)
    case .notify, .notifyRetract, .inboxList, .inboxCounts, .inboxMark, .inboxDelete, .inboxAct:
      inboxArguments(operation)
    }
  }

  /// Where a list goes on, and how many items are asked for.
  mutating func page(cursor: String? = nil, limit: Int) {
    member(",\"cursor\":", cursor)
    if limit != Limits.pageItemsDefault { member(",\"limit\":", limit) }
  }

  /// A member of an update; an empty string clears.
  mutating func update(_ head: StaticString, _ update: Update<String>) {
    switch update {
    case .keep: break
    case .clear: member(head, "")
    case .set(let text): member(head, text)
    }
  }

  /// A member of an update; `empty` clears.
  mutating func update(
    _ head: StaticString, _ update: Update<RawJSON>, empty: StaticString = "\"\""
  ) {
    switch update {
    case .keep: break
    case .clear:
      literal(head)
      literal(empty)
    case .set(let value): member(head, value)
    }
  }

  private mutating func hello(_ hello: Hello) {
    member(",\"token\":", hello.token)
    member(",\"since_user\":", hello.sinceUser)
  }
}
