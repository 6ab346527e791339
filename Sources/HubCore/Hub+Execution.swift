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
      guard let user = entry.user else { return }
      carryOut(operation, origin, by: user, at: moment)
    case .greeting(let identity):
      guard let user = registry.userRefs[identity.user] else { return }
      greet(user, origin, at: moment)
    case .badToken(let refusal):
      refuse(origin, refusal)
      end(origin.connection, .badToken)
    case .refusal(let refusal):
      refuse(origin, refusal)
    case .violation(let code):
      end(origin.connection, code)
    case .disconnection:
      disconnect(origin.connection)
    }
  }

  private mutating func carryOut(
    _ record: Record, _ entry: Pipeline.Entry, at moment: Moment
  ) {
    let origin = entry.origin
    do {
      let applied = try registry.apply(record)
      if case .user(let user) = applied { return greet(user, origin, at: moment) }
      guard let user = entry.user else { return }
      finish(applied, origin, by: user, at: moment)
    } catch {
      refuse(origin, error)
      if case .userAppeared = record.change { end(origin.connection, .badToken) }
    }
  }

  private mutating func finish(
    _ applied: Applied, _ origin: Origin, by user: UserRef, at moment: Moment
  ) {
    switch applied {
    case .user:
      break
    case .created(let channel):
      channelCreated(channel, origin, by: user)
    case .opened(let channel):
      answer(origin, .channel(summary(of: channel, for: user)))
    case .joined(let channel, let isNew):
      joined(channel, isNew: isNew, origin, user)
    case .left(let channel, let wasMember, let successor):
      left(channel, wasMember: wasMember, successor: successor, origin, user)
    case .added(let channel, let users):
      answer(origin, .empty)
      for user in users { entered(channel, user) }
    case .sent(let channel, let message):
      sent(message, to: channel, origin, by: user, at: moment)
    case .repeated(let seq, let ts):
      answer(origin, .sent(seq: seq, ts: ts, isDuplicate: true))
    case .moved(let channel, let before, let read, let delivered, let isNew):
      answer(origin, .empty)
      guard isNew else { return }
      pointersMoved(
        user, in: channel, read: read, delivered: delivered, from: origin.connection)
      noteNewlyRead(after: before, upTo: read, in: channel, at: moment)
      tellUnread(of: user, in: channel, whoHadRead: before)
    case .notified(let notified, let unknown):
      answer(origin, .notified(made: notified.count, unknown: unknown))
      for notified in notified { tellInbox(notified, at: moment) }
    }
  }

  private mutating func carryOut(
    _ operation: Operation, _ origin: Origin, by user: UserRef, at moment: Moment
  ) {
    do throws(Refusal) {
      switch operation {
      case .ping:
        answer(origin, .pong(serverTs: moment.wall))
      case .channelGet(let name):
        let (channel, _) = try registry.visibleChannel(name, to: user)
        answer(origin, .channel(summary(of: channel, for: user)))
      case .channelList(let list):
        try self.list(list, origin, for: user)
      case .subscribe(let subscribe):
        try self.subscribe(subscribe, origin, by: user)
      case .unsubscribe(let name):
        unsubscribe(name, origin)
      case .messageHistory(let request):
        try history(request, origin, for: user)
      case .typing(let name, let isOn):
        try setTyping(isOn, in: name, origin, by: user, at: moment)
      case .inboxList(let list):
        try listInbox(list, origin, for: user, at: moment)
      case .adminSnapshot:
        try takeSnapshot(origin, for: user)
      case .hello, .channelCreate, .channelJoin, .channelLeave, .memberAdd, .directOpen,
        .messageSend, .read, .delivered, .notify:
        preconditionFailure("these are admitted as records")
      }
    } catch {
      refuse(origin, error)
    }
  }

  /// Answers a request with success.
  mutating func answer(_ origin: Origin, _ reply: Reply) {
    let answer: Answer = origin.id.map { .reply($0, reply) } ?? .silent
    effects.append(.answer(origin.connection, answer, bytes: origin.bytes))
  }

  /// Answers a request with an error: under its id, or as an event when it has none.
  mutating func refuse(_ origin: Origin, _ refusal: Refusal) {
    let answer: Answer =
      origin.id.map { .refusal($0, refusal) } ?? .refusalEvent(op: origin.op, refusal)
    effects.append(.answer(origin.connection, answer, bytes: origin.bytes))
  }

  /// Closes a connection; what it still sends is dropped.
  mutating func end(_ connection: ConnectionID, _ code: CloseCode) {
    guard let session = sessions[connection], !session.isEnded else { return }
    if session.user != nil { disconnect(connection) }
    sessions[connection] = session.hasGone ? nil : Session(phase: .ended)
    effects.append(.close(connection, code))
  }
}
