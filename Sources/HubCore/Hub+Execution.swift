import HashTreeCollections
import HubProtocol

/// Carrying out what comes out of the pipeline.
extension Hub {
  /// Does one step whose turn it is.
  mutating func carryOut(_ entry: Pipeline.Entry, at moment: Moment) {
    let origin = entry.origin
    switch entry.step {
    case .record(let record):
      carryOut(record, entry, at: moment)
    case .operation(let operation):
      // Nothing that is live begins on a connection that was ended meanwhile.
      guard let user = entry.user, sessions[origin.connection]?.user == user else { return }
      carryOut(operation, origin, by: user, at: moment)
    case .subscription(let subscribe, let loaded):
      guard let user = entry.user, sessions[origin.connection]?.user == user else { return }
      attempt(origin) { (hub: inout Hub) throws(Refusal) in
        try hub.subscribe(subscribe, loaded, origin, by: user, at: moment)
      }
    case .unlogged(let record, let refusal):
      giveUp(record, origin, refusal)
    case .greeting(let identity, let since):
      guard let user = registry.userRefs[identity.user] else { return }
      greet(user, since: since, origin, at: moment)
    case .refresh(let identity):
      guard let user = entry.user else { return }
      refresh(identity, origin, by: user)
    case .badToken(let refusal):
      refuse(origin, refusal)
      end(origin.connection, .badToken, at: moment)
    case .refusal(let refusal):
      refuse(origin, refusal)
    case .violation(let code):
      end(origin.connection, code, at: moment)
    case .disconnection:
      disconnect(origin.connection, at: moment)
    }
  }

  private mutating func carryOut(
    _ record: Record, _ entry: Pipeline.Entry, at moment: Moment
  ) {
    let origin = entry.origin
    if case .windowsCleared = record.change { eviction.isUnderWay = false }
    if case .runContinued = record.change { isRunUnderWay = false }
    do {
      let applied = try registry.apply(record)
      historyChanges += registry.historyChanges(of: applied)
      defer { tellInboxNews(at: moment) }
      if case .user(let user) = applied {
        return greet(user, since: nil, origin, at: moment)
      }
      if case .expired(let expiries) = applied { return expired(expiries, at: moment) }
      if case .ran(let id, let count, let isDone) = applied {
        return ran(id, count: count, isDone: isDone)
      }
      guard let user = entry.user else { return }
      finish(applied, origin, by: user, at: moment)
    } catch {
      refuse(origin, error)
      if case .userAppeared = record.change { end(origin.connection, .badToken, at: moment) }
    }
  }

  private mutating func finish(
    _ applied: Applied, _ origin: Origin, by user: UserRef, at moment: Moment
  ) {
    switch applied {
    case .user, .expired, .ran: break
    case .nothing: answer(origin, .empty)
    case .sent(let channel, let stored):
      sent(stored.message, to: channel, origin, by: user, at: moment)
    case .repeated(let seq, let ts):
      answer(origin, .sent(seq: seq, ts: ts, isDuplicate: true))
    case .changed(let channel, let stored, let ts):
      answer(origin, .stamped(ts))
      messageChanged(stored, in: channel, by: user, at: moment)
    case .unchanged(let ts): answer(origin, .stamped(ts))
    case .reacted(let channel, let change, _):
      answer(origin, .empty)
      publish(.reaction(change), in: channel)
    case .moved(let channel, let before, let read, let delivered, let isNew):
      answer(origin, .empty)
      guard isNew else { return }
      retractNotices(of: user, in: channel, upTo: read)
      tellReceipt(of: user, in: channel, read: read, delivered: delivered, from: origin.connection)
      noteNewlyRead(by: user, after: before, upTo: read, in: channel, at: moment)
      tellUnread(of: user, in: channel, whoHadRead: before, at: moment)
    case .movedBack(let channel, let before, let read, let delivered):
      answer(origin, .empty)
      tellReceipt(
        of: user, in: channel, read: read, delivered: delivered, isBack: true,
        from: origin.connection)
      noteNewlyRead(by: user, after: read, upTo: before, in: channel, at: moment)
      tellUnread(of: user, in: channel, whoHadRead: read, at: moment)
    case .channel(let outcome): finish(outcome, origin, by: user, at: moment)
    case .members(let channel, let outcome):
      finish(outcome, in: channel, origin, at: moment)
    case .profiles(let changed, let named):
      profilesChanged(changed, named: named, origin)
    case .blocked(let other, let isNew):
      answer(origin, .empty)
      if isNew { blockChanged(between: user, and: other, at: moment) }
    case .settings(let before): settingsChanged(from: before, of: user, origin, at: moment)
    case .notified(let run, let unknown, let isRetraction):
      begun(run, unknown: unknown, isRetraction: isRetraction, origin)
    case .inboxMarked:
      answer(origin, .inboxMarked(registry.inboxStand(of: user, at: moment.wall)))
    case .inboxDeleted(let count):
      answer(origin, .inboxDeleted(count, registry.inboxStand(of: user, at: moment.wall)))
    case .inboxActed(let body): acted(on: body, origin, by: user)
    }
  }

  private mutating func finish(
    _ outcome: Applied.ChannelOutcome, _ origin: Origin, by user: UserRef, at moment: Moment
  ) {
    switch outcome {
    case .created(let channel): channelCreated(channel, origin, by: user, at: moment)
    case .unchanged(let channel):
      answer(origin, .channel(summary(of: channel, for: user, at: moment)))
    case .updated(let channel): channelUpdated(channel, origin, by: user, at: moment)
    case .deleted(let channel, let members):
      channelDeleted(channel, members, origin, at: moment)
    case .joined(let channel, let isNew):
      joined(channel, isNew: isNew, origin, user, at: moment)
    case .left(let channel, let departure): left(channel, departure, origin, user, at: moment)
    case .muted(let channel, let isNew): muted(channel, isNew: isNew, origin, user, at: moment)
    }
  }

  private mutating func finish(
    _ outcome: Applied.MembersOutcome, in channel: ChannelRef, _ origin: Origin, at moment: Moment
  ) {
    switch outcome {
    case .added(let users):
      answer(origin, .empty)
      for user in users { entered(channel, user, at: moment) }
    case .removed(let users, let reason):
      for user in users { removed(user, from: channel, reason, at: moment) }
      answer(origin, .empty)
    case .barred(let user):
      endSubscriptions(of: user, to: channel, .banned)
      answer(origin, .empty)
    case .updated(let users):
      answer(origin, .empty)
      for user in users { memberUpdated(user, in: channel, at: moment) }
    }
  }

  private mutating func carryOut(
    _ operation: Operation, _ origin: Origin, by user: UserRef, at moment: Moment
  ) {
    attempt(origin) { (hub: inout Hub) throws(Refusal) in
      try hub.perform(operation, origin, by: user, at: moment)
    }
  }

  /// Does something that answers by itself, or refuses the request.
  private mutating func attempt(
    _ origin: Origin, _ body: (inout Hub) throws(Refusal) -> Void
  ) {
    do {
      try body(&self)
    } catch {
      refuse(origin, error)
    }
  }

  private mutating func perform(
    _ operation: Operation, _ origin: Origin, by user: UserRef, at moment: Moment
  ) throws(Refusal) {
    switch operation {
    case .ping: answer(origin, .pong(serverTs: moment.wall))
    case .channelGet(let name):
      let (channel, _) = try registry.visibleChannel(name, to: user, at: moment.wall)
      answer(origin, .channel(summary(of: channel, for: user, at: moment)))
    case .channelList(let list): try self.list(list, origin, for: user, at: moment)
    case .memberList(let list): try listMembers(list, origin, for: user, at: moment)
    case .subscribe(let subscribe):
      try self.subscribe(subscribe, nil, origin, by: user, at: moment)
    case .unsubscribe(let name): unsubscribe(name, origin, by: user)
    case .messageHistory(let request): try history(request, origin, for: user, at: moment)
    case .messageThread(let request): try thread(request, origin, for: user, at: moment)
    case .messageSearch(let request): try search(request, origin, for: user, at: moment)
    case .messageFlags(let name): try listFlags(of: name, origin, for: user, at: moment)
    case .feedList(let cursor, let limit):
      try listFeed(below: cursor, limit, origin, for: user)
    case .typing(let name, let isOn):
      try setTyping(isOn, in: name, origin, by: user, at: moment)
    case .signal(let signal): try self.signal(signal, origin, by: user, at: moment)
    case .presenceSet(let status): setPresence(status, origin, by: user, at: moment)
    case .presenceOfUsers(let users): presence(of: users, origin, for: user, at: moment)
    case .presenceOfChannels(let names):
      try presence(in: names, origin, for: user, at: moment)
    case .focus(let focus): try setFocus(focus, origin, by: user, at: moment)
    case .userGet(let ids): answer(origin, .users(try registry.shownUsers(ids)))
    case .userSearch(let query, let limit):
      answer(origin, .users(registry.search(query, limit: limit)))
    case .userSettings: answer(origin, settings(of: user))
    case .userDisconnect(let id): try disconnect(id, origin, by: user, at: moment)
    case .inboxList(let list): try listInbox(list, origin, for: user, at: moment)
    case .inboxCounts(let types):
      answer(origin, .inboxCounts(registry.inboxStand(of: user, types: types, at: moment.wall)))
    case .inboxOpened: answer(origin, .empty)
    case .adminSnapshot: try takeSnapshot(origin, for: user)
    case .adminBackup(let directory): try backUp(to: directory, origin, for: user)
    case .hello, .tokenRefresh, .channelCreate, .channelUpdate, .channelDelete, .channelJoin,
      .channelLeave, .channelMute, .channelUnmute, .directOpen, .memberAdd, .memberRemove,
      .memberRole, .memberUpdate, .memberBan, .memberUnban, .memberSilence, .messageSend,
      .messageEdit, .messageDelete, .reactionAdd, .reactionRemove, .messageFlag, .read,
      .delivered, .readUnread, .userUpdate, .userPut, .userBlock, .userUnblock, .notify,
      .notifyRetract, .inboxMark, .inboxDelete, .inboxAct:
      preconditionFailure("these are admitted as records")
    }
  }

  /// Answers a request with success.
  mutating func answer(_ origin: Origin, _ reply: Reply) {
    answer(origin, origin.id.map { .reply($0, reply) } ?? .silent)
  }

  /// Answers a request with an error: under its id, or as an event when it has none.
  mutating func refuse(_ origin: Origin, _ refusal: Refusal) {
    answer(origin, origin.id.map { .refusal($0, refusal) } ?? .refusalEvent(op: origin.op, refusal))
  }

  /// A connection that the hub has ended gets no answer to what it asked before.
  private mutating func answer(_ origin: Origin, _ answer: Answer) {
    guard sessions[origin.connection]?.isEnded == false else { return }
    effects.append(.answer(origin.connection, answer, bytes: origin.bytes))
    if origin.holdsUp { letWaitingGoOn(on: origin.connection) }
  }

  /// Closes a connection; what it still sends is dropped.
  mutating func end(_ connection: ConnectionID, _ code: CloseCode, at moment: Moment) {
    guard let session = sessions[connection], !session.isEnded else { return }
    if session.user != nil { disconnect(connection, at: moment) }
    sessions[connection] = session.hasGone ? nil : Session(phase: .ended)
    effects.append(.close(connection, code))
  }
}
