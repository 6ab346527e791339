import HubProtocol

/// Records as the log stores them: kind, time, what it is about, and the facts it was admitted on.
/// What is written under a version is read the same for ever.
extension Record {
  /// The version that is written, and the newest that is read.
  package static let version: UInt8 = 1

  /// Appends the record's stored form.
  package func write(to bytes: inout [UInt8]) {
    var image = ImageWriter(appendingTo: consume bytes)
    write(to: &image)
    bytes = image.bytes
  }

  private func write(to image: inout ImageWriter) {
    image.byte(change.kind.rawValue)
    image.number(ts.milliseconds)
    switch change {
    case .founded, .epochsRenewed, .windowsCleared, .expired, .runContinued:
      change.writeOwn(to: &image)
    case .userAppeared(let id, let privilege):
      image.text(id.text)
      image.choice(privilege)
    case .user(let change, let user): change.write(to: &image, by: user)
    case .channel(let change, let user): change.write(to: &image, by: user)
    case .members(let channel, let change, let user):
      image.member(user)
      image.text(channel.text)
      change.write(to: &image)
    case .messageSent(let send, let user):
      image.member(user)
      send.write(to: &image)
      write(facts, to: &image)
    case .message(let channel, let seq, let action, let user):
      image.member(user)
      image.text(channel.text)
      image.number(seq)
      action.write(to: &image)
      write(facts, to: &image)
    case .pointerMoved(let channel, let user, let read, let delivered):
      image.member(user)
      image.text(channel.text)
      image.optional(read)
      image.number(delivered)
    case .readMovedBack(let channel, let user, let seq):
      image.member(user)
      image.text(channel.text)
      image.number(seq)
    case .notified(let notify, let user):
      image.member(user)
      notify.write(to: &image)
    case .retracted(let retract, let user):
      image.member(user)
      retract.write(to: &image)
    case .inbox(let action, let user):
      image.member(user)
      action.write(to: &image)
    }
  }

  private func write(_ facts: Facts?, to image: inout ImageWriter) {
    image.flag(facts != nil)
    facts?.write(to: &image)
  }

  /// Reads what `write` wrote, for a registry that holds so many users; whatever the bytes, the
  /// answer is a record or an error.
  package init(_ bytes: some Sequence<UInt8>, userCount: Int) throws(ImageError) {
    var image = ImageReader(Array(bytes))
    guard let kind = RecordKind(rawValue: try image.byte()) else {
      throw image.error("a kind of record")
    }
    let ts = try image.timestamp()
    let change = try Change(kind, from: &image, userCount: userCount)
    var facts: Facts?
    if change.mayHaveFacts, try image.flag() {
      facts = try Facts(from: &image, userCount: userCount)
    }
    guard image.isAtEnd else { throw image.error("the end of the record") }
    self.init(ts: ts, change: change, facts: facts)
  }
}

extension Record.Change {
  /// What the hub itself asked for.
  fileprivate func writeOwn(to image: inout ImageWriter) {
    if case .founded(let stream, let hashKey) = self {
      image.text(stream)
      image.word(hashKey.low)
      image.word(hashKey.high)
    }
    if case .epochsRenewed(let seed) = self {
      image.word(seed.low)
      image.word(seed.high)
    }
    if case .windowsCleared(let channels) = self {
      image.list(channels) { $0.number(Int($1.index)) }
    }
    if case .expired(let expiries) = self {
      image.list(expiries) {
        $0.number(Int($1.channel.index))
        $0.number($1.seq)
      }
    }
  }

  fileprivate var kind: RecordKind {
    switch self {
    case .founded: .founded
    case .epochsRenewed: .epochsRenewed
    case .windowsCleared: .windowsCleared
    case .expired: .expired
    case .userAppeared: .userAppeared
    case .user(let change, _): change.kind
    case .channel(let change, _): change.kind
    case .members(_, let change, _): change.kind
    case .messageSent: .send
    case .message(_, _, let action, _): action.kind
    case .pointerMoved: .pointer
    case .readMovedBack: .readMovedBack
    case .notified: .notify
    case .retracted: .retract
    case .runContinued: .runContinued
    case .inbox(let action, _): action.kind
    }
  }

  /// Whether what was loaded for it stands behind it.
  fileprivate var mayHaveFacts: Bool {
    switch self {
    case .messageSent, .message: true
    case .founded, .epochsRenewed, .windowsCleared, .expired, .userAppeared, .user, .channel,
      .members, .pointerMoved, .readMovedBack, .notified, .retracted, .runContinued, .inbox:
      false
    }
  }

  fileprivate init(
    _ kind: RecordKind, from image: inout ImageReader, userCount: Int
  ) throws(ImageError) {
    switch kind {
    case .founded:
      self = .founded(
        stream: try image.text(),
        hashKey: SipHash.Key(low: try image.word(), high: try image.word()))
    case .epochsRenewed:
      self = .epochsRenewed(seed: SipHash.Key(low: try image.word(), high: try image.word()))
    case .windowsCleared:
      self = .windowsCleared(
        try image.list { image throws(ImageError) in try image.channelRef() })
    case .expired:
      self = .expired(
        try image.list { image throws(ImageError) in
          Record.Expiry(channel: try image.channelRef(), seq: try image.number())
        })
    case .userAppeared:
      self = .userAppeared(try image.userID(), try image.choice("a privilege"))
    case .profile, .put, .block, .settings:
      let user = try image.userRef(below: userCount)
      self = .user(try Record.UserChange(kind, from: &image), by: user)
    case .channelCreate, .channelUpdate, .channelDelete, .join, .leave, .mute, .openDirect:
      let user = try image.userRef(below: userCount)
      self = .channel(try Record.ChannelChange(kind, from: &image), by: user)
    case .runContinued: self = .runContinued
    case .memberAdd, .memberRemove, .memberRole, .memberCustom, .ban, .unban, .silence, .send,
      .edit, .delete, .react, .flag, .pointer, .readMovedBack, .notify, .retract, .inboxMark,
      .inboxDelete, .inboxAct, .inboxOpen, .inboxTrim, .bodiesLost:
      let user = try image.userRef(below: userCount)
      self = try Self(kind, by: user, from: &image)
    }
  }

  private init(
    _ kind: RecordKind, by user: UserRef, from image: inout ImageReader
  ) throws(ImageError) {
    if case .send = kind {
      self = .messageSent(try MessageSend(from: &image), by: user)
      return
    }
    if case .notify = kind {
      self = .notified(try Notify(from: &image), by: user)
      return
    }
    if case .retract = kind {
      self = .retracted(try NotifyRetract(from: &image), by: user)
      return
    }
    if let action = try Record.InboxAction(kind, from: &image) {
      self = .inbox(action, user)
      return
    }
    let channel = try image.channelName()
    if case .pointer = kind {
      self = .pointerMoved(
        channel, user, read: try image.optionalNumber(), delivered: try image.number())
    } else if case .readMovedBack = kind {
      self = .readMovedBack(channel, user, seq: try image.number())
    } else if let change = try Record.MembersChange(kind, in: channel, from: &image) {
      self = .members(channel, change, by: user)
    } else {
      let seq = try image.number()
      let action = try Record.MessageAction(kind, in: channel, seq, from: &image)
      self = .message(channel, seq: seq, action, by: user)
    }
  }
}
