import HubCore
import HubProtocol
import HubStage
import Testing

/// One record of each kind, and the bytes that it is stored as for ever.
enum RecordSamples {
  struct Sample: Sendable, CustomTestStringConvertible {
    let record: Record
    let hex: String

    var testDescription: String { "kind \(record.stored.first ?? 0)" }
  }

  static let all = zip(changes, bytes).map { change, hex in
    Sample(
      record: Record(ts: Timestamp(milliseconds: 1_700_000_000_000), change: change), hex: hex)
  }

  private static let changes = upkeep + users + channels + members + messages + inboxes

  private static let mia = UserRef(index: 7)
  private static let room = channel("room:a")
  private static let data = json("{\"a\":1}")
  private static let until = Timestamp(milliseconds: 1_800_000_000_000)

  private static let upkeep: [Record.Change] = [
    .founded(stream: "s", hashKey: SipHash.Key(low: 1, high: 2)),
    .epochsRenewed(seed: SipHash.Key(low: 3, high: 1 << 63)),
    .windowsCleared([ChannelRef(index: 1), ChannelRef(index: 300)]),
    .expired([Record.Expiry(channel: ChannelRef(index: 2), seq: 129)]),
    .userAppeared(user("mia"), .bot),
  ]

  private static let users: [Record.Change] = [
    .user(
      .profile(
        ProfileUpdate(name: .set("Mia"), username: .clear, bio: .set("é"), custom: .set(data))),
      by: mia),
    .user(
      .put([
        UserPut(id: user("b"), isBot: true), UserPut(id: user("c"), update: .init(name: .clear)),
      ]), by: mia),
    .user(.block(user("b"), isOn: true), by: mia),
    .user(.settings(settings), by: mia),
  ]

  private static let settings = {
    var update = SettingsUpdate()
    update.directPolicy = .contacts
    update.showsTyping = false
    update.quietUntil = .set(until)
    update.quietPeriods = [QuietPeriod(days: [.monday], from: 1_320, to: 360, zone: "UTC")]
    update.mutedTypes = ["like"]
    update.mutedChannels = []
    return update
  }()

  private static let channels: [Record.Change] = [
    .channel(
      .create(
        ChannelCreate(
          channel: room, kind: .public,
          profile: ChannelProfile(name: "A", custom: data), members: [user("b")]),
        epoch: "e"), by: mia),
    .channel(
      .update(ChannelUpdate(channel: room, details: .set("d"), avatar: .clear)), by: mia),
    .channel(.delete(room), by: mia),
    .channel(.join(room), by: mia),
    .channel(.leave(room), by: mia),
    .channel(.mute(room, until: until), by: mia),
    .channel(.openDirect(channel("dm"), with: user("b"), epoch: "e"), by: mia),
  ]

  private static let members: [Record.Change] = [
    .members(room, .add([user("b"), user("c")]), by: mia),
    .members(room, .remove([user("b")]), by: mia),
    .members(room, .setRole(user("b"), .moderator), by: mia),
    .members(room, .setCustom(.set(data)), by: mia),
    .members(
      room, .ban(MemberBan(channel: room, user: user("b"), until: until, reason: "r")), by: mia),
    .members(room, .unban(user("b")), by: mia),
    .members(room, .silence(user("b"), until: until), by: mia),
  ]

  private static let messages: [Record.Change] = [
    .messageSent(
      MessageSend(
        channel: room,
        content: MessageContent(
          text: "hi", data: data, mentions: [user("b")], mentionsChannel: true),
        replyTo: 3, key: "k", isRetry: true, hops: 2), by: mia),
    .message(
      room, seq: 200,
      .edit(
        MessageEdit(
          channel: room, seq: 200, text: .set("t"), attachments: .clear,
          mentions: .init(users: [user("b")]))), by: mia),
    .message(room, seq: 1, .delete, by: mia),
    .message(room, seq: 1, .react("👍", isOn: true), by: mia),
    .message(room, seq: 1, .flag(reason: "r"), by: mia),
    .pointerMoved(room, mia, read: nil, delivered: 5),
    .readMovedBack(room, mia, seq: 4),
    .notified(
      Notify(
        audience: .channel(room),
        notification: Notification(
          type: "like", actor: user("b"),
          target: InboxTarget(kind: "post", id: "7", url: "https://a.example"), text: "x",
          expiresTs: until), key: "k", collapse: "c"), by: mia),
  ]

  private static let inboxes: [Record.Change] = [
    .retracted(NotifyRetract(audience: .users([user("b"), user("c")]), key: "k"), by: mia),
    .runContinued,
    .inbox(.mark(.archived, .ids([1, 300])), mia),
    .inbox(.delete(.upTo(7, types: ["like"])), mia),
    .inbox(.act(5), mia),
    .inbox(.open, mia),
    .inbox(.trim, mia),
    .inbox(.dropBodies([9, 1 << 40]), mia),
  ]

  /// Other forms of the kinds that have several.
  static let variants: [(change: Record.Change, hex: String)] = [
    (
      .retracted(NotifyRetract(audience: .segment(segment), key: "k"), by: mia),
      "2080d095ffbc3107020304706c616e0004676f6c64036167650104322e3530026f6e0201016b"
    ),
    (.inbox(.mark(.read, .upTo(2, types: nil)), mia), "2280d095ffbc310702010200"),
    (.inbox(.delete(.ids([3])), mia), "2380d095ffbc3107000103"),
  ]

  private static let segment = Segment(fields: [
    Segment.Field(name: "plan", value: .string("gold")),
    Segment.Field(name: "age", value: .number("2.50")),
    Segment.Field(name: "on", value: .bool(true)),
  ])

  /// Records with something that was loaded for them: a reaction to a message with everything, and
  /// a send whose key was looked for.
  static func withFacts() -> [[UInt8]] {
    let stage = Archive()
    let (hub, alice, bob) = (stage.hub, stage.alice, stage.bob)
    alice.send("room:a", "one", key: "k", mentions: ["bob"])
    bob.send("room:a", "two", replyTo: 1)
    bob.react("room:a", 1)
    alice.edit("room:a", 1, "uno")
    stage.forget()
    let count = hub.tape.records.count
    alice.react("room:a", 1)
    alice.send("room:a", "three", key: "j", isRetry: true)
    return Array(hub.tape.records[count...])
  }
}
