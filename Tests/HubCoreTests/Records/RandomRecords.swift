import HubCore
import HubProtocol
import SeededRandom

/// Records with random contents, of every kind.
struct RandomRecords {
  /// Users that these records speak of.
  static let userCount = 300
  /// How many kinds there are.
  static let kinds = 39

  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// A record of that kind, counted from 0 in the order of the kinds' numbers.
  mutating func record(_ kind: Int) -> Record {
    Record(ts: ts(), change: change(kind))
  }

  private mutating func change(_ kind: Int) -> Record.Change {
    switch kind {
    case 0: .founded(stream: text(), hashKey: key())
    case 1: .epochsRenewed(seed: key())
    case 2: .windowsCleared(random.list(upTo: 9) { Self.place(&$0) })
    case 3:
      .expired(
        random.list(upTo: 9) { Record.Expiry(channel: Self.place(&$0), seq: $0.below(1 << 40)) })
    case 4: .userAppeared(userID(), random.pick(Privilege.allCases))
    case 5..<9: .user(userChange(kind), by: member())
    case 9..<16: .channel(channelChange(kind), by: member())
    case 16..<23: .members(name(), membersChange(kind), by: member())
    case 23: .messageSent(send(), by: member())
    case 24..<28: messageChange(kind)
    case 28:
      .pointerMoved(name(), member(), read: random.maybe { $0.below(9_000) }, delivered: seq())
    case 29: .readMovedBack(name(), member(), seq: seq())
    case 30: .notified(notify(), by: member())
    case 31: .retracted(NotifyRetract(audience: audience(), key: text()), by: member())
    case 32: .runContinued
    default: .inbox(inboxAction(kind), member())
    }
  }

  private mutating func userChange(_ kind: Int) -> Record.UserChange {
    switch kind {
    case 5: return .profile(profile())
    case 6:
      let ids = userIDs()
      return .put(
        ids.map { UserPut(id: $0, isBot: random.maybe { $0.oneIn(2) }, update: profile()) })
    case 7: return .block(userID(), isOn: random.oneIn(2))
    default: return .settings(settings())
    }
  }

  private mutating func channelChange(_ kind: Int) -> Record.ChannelChange {
    switch kind {
    case 9:
      let profile = ChannelProfile(
        name: maybeText(), details: maybeText(), avatar: maybeText(),
        custom: random.oneIn(2) ? rawJSON() : nil)
      return .create(
        ChannelCreate(
          channel: name(), kind: random.pick(ChannelKind.allCases), profile: profile,
          members: userIDs()),
        epoch: text())
    case 10:
      return .update(
        ChannelUpdate(
          channel: name(), name: update(text()), details: update(text()), avatar: update(text()),
          custom: update(rawJSON())))
    case 11: return .delete(name())
    case 12: return .join(name())
    case 13: return .leave(name())
    case 14: return .mute(name(), until: random.oneIn(2) ? ts() : nil)
    default: return .openDirect(name(), with: userID(), epoch: text())
    }
  }

  private mutating func membersChange(_ kind: Int) -> Record.MembersChange {
    switch kind {
    case 16: return .add(userIDs())
    case 17: return .remove(userIDs())
    case 18: return .setRole(userID(), random.pick(Role.allCases))
    case 19: return .setCustom(update(rawJSON()))
    case 20:
      // The channel stands in the record once.
      return .ban(
        MemberBan(
          channel: channel("room:banned"), user: userID(), until: random.oneIn(2) ? ts() : nil,
          reason: maybeText()))
    case 21: return .unban(userID())
    default: return .silence(userID(), until: ts())
    }
  }

  private mutating func messageChange(_ kind: Int) -> Record.Change {
    let (room, seq, user) = (name(), seq(), member())
    switch kind {
    case 24: return .message(room, seq: seq, .edit(edit(room, seq)), by: user)
    case 25: return .message(room, seq: seq, .delete, by: user)
    case 26: return .message(room, seq: seq, .react(text(), isOn: random.oneIn(2)), by: user)
    default: return .message(room, seq: seq, .flag(reason: maybeText()), by: user)
    }
  }
}

/// What records are made of.
extension RandomRecords {
  private mutating func send() -> MessageSend {
    MessageSend(
      channel: name(),
      content: MessageContent(
        text: maybeText(), attachments: random.oneIn(2) ? rawJSON() : nil,
        data: random.oneIn(2) ? rawJSON() : nil, mentions: userIDs(),
        mentionsChannel: random.oneIn(2)),
      replyTo: random.oneIn(2) ? seq() : nil, key: maybeText(), isRetry: random.oneIn(2),
      hops: random.below(9))
  }

  private mutating func edit(_ room: ChannelName, _ seq: Int) -> MessageEdit {
    MessageEdit(
      channel: room, seq: seq, text: update(text()), attachments: update(rawJSON()),
      data: update(rawJSON()),
      mentions: random.oneIn(2)
        ? MessageEdit.Mentions(users: userIDs(), channel: random.oneIn(2)) : nil)
  }

  private mutating func settings() -> SettingsUpdate {
    var update = SettingsUpdate()
    update.directPolicy = random.maybe { $0.pick(DirectPolicy.allCases) }
    update.showsReceipts = random.maybe { $0.oneIn(2) }
    update.showsTyping = random.maybe { $0.oneIn(2) }
    update.quietUntil = self.update(ts())
    update.quietPeriods = random.maybe {
      $0.list(upTo: 3) {
        QuietPeriod(
          days: $0.list(upTo: 7) { $0.pick(QuietPeriod.Day.allCases) }, from: $0.below(1_440),
          to: $0.below(1_440), zone: $0.pick(["UTC", "Europe/Berlin"]))
      }
    }
    update.mutedTypes = random.oneIn(2) ? [text(), text()] : nil
    update.mutedUsers = random.oneIn(2) ? userIDs() : nil
    update.mutedChannels = random.oneIn(2) ? [name()] : nil
    return update
  }

  private mutating func profile() -> ProfileUpdate {
    ProfileUpdate(
      name: update(text()), username: update(text()), avatar: update(text()), bio: update(text()),
      custom: update(rawJSON()))
  }

  private mutating func update<Value>(_ value: Value) -> Update<Value> {
    random.pick([.keep, .clear, .set(value)])
  }

  mutating func maybeText() -> String? { random.oneIn(2) ? text() : nil }

  mutating func text() -> String {
    random.pick(["", "a", "日本語", "👍🏽", "\u{0}\n", "a\u{301}"])
      + String(repeating: "x", count: random.below(random.oneIn(9) ? 300 : 9))
  }

  mutating func rawJSON() -> RawJSON { json(random.pick(["{}", "[1, 2.50]", "null"])) }

  mutating func name() -> ChannelName { channel("room:\(random.below(99))") }

  mutating func userID() -> UserID { user("user-\(random.below(99))") }

  mutating func userIDs() -> [UserID] {
    random.list(upTo: 4) { user("user-\($0.below(99))") }
  }

  mutating func member() -> UserRef {
    UserRef(index: UInt32(random.below(Self.userCount)))
  }

  private static func place(_ random: inout SplitMix64) -> ChannelRef {
    ChannelRef(index: UInt32(random.below(random.oneIn(2) ? 100 : 1 << 32)))
  }

  mutating func seq() -> Int { random.below(random.oneIn(2) ? 100 : 1 << 47) }

  mutating func ts() -> Timestamp {
    Timestamp(milliseconds: random.oneIn(9) ? 0 : random.below(Limits.largestInteger + 1))
  }

  private mutating func key() -> SipHash.Key {
    SipHash.Key(low: random.next(), high: random.next())
  }
}
