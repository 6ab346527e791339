import HubProtocol
import SeededRandom
import Testing

@Suite("Weights bound what is sent")
struct WeightPropertyTests {
  @Test("a message never takes more bytes than it weighs", arguments: seeds)
  func messages(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var encoder = WireEncoder(capacity: 4_096)
    for _ in 0..<2_000 {
      let message = random.message()
      encoder.begin(reserving: 0)
      encoder.encode(Event.messageChanged(MessageChange(message, toSender: true)))
      #expect(encoder.bytes.count <= message.weight, "seed \(seed)")
      let mine = message.reactions.map(\.reaction)
      let view = MessageView(message, isHidden: random.oneIn(4), isOwn: true, mine: mine)
      let reply = Reply.history([view], hasMore: false)
      let empty = Reply.history([], hasMore: false)
      #expect(bytes(reply) - bytes(empty) <= message.weight, "seed \(seed)")
    }
  }

  @Test("a message with the longest numbers and every member does not either")
  func longest() {
    let longest = Timestamp(milliseconds: .min)
    let message = Message(
      channel: Sample.room, seq: .min, user: Sample.ann, ts: longest,
      content: MessageContent(
        text: "", attachments: raw("[]"), data: raw("0"), mentions: [Sample.bob],
        mentionsChannel: true),
      replyTo: .min, replyCount: .max, isBot: true, key: "",
      reactions: (0..<100).map { ReactionCount("\"\($0)\u{1}", .min) }, editedTs: longest,
      deletedTs: longest, rev: .min)
    var encoder = WireEncoder(capacity: 4_096)
    encoder.encode(Event.messageChanged(MessageChange(message, toSender: true)))
    #expect(encoder.bytes.count <= message.weight)
    let view = MessageView(message, isOwn: true, mine: message.reactions.map(\.reaction))
    #expect(bytes(.history([view], hasMore: false)) <= message.weight)
  }

  @Test("a user never takes more bytes than it weighs", arguments: seeds)
  func users(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let user = random.profiled()
      #expect(bytes(.users([user])) - bytes(.users([])) <= user.weight, "seed \(seed)")
    }
    let longest = User(id: Sample.ann, isBot: true, followers: .min, following: .min)
    #expect(bytes(.users([longest])) - bytes(.users([])) <= longest.weight)
  }

  @Test("a member never takes more bytes than it weighs", arguments: seeds)
  func members(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let empty = bytes(.members([], cursor: nil))
    for _ in 0..<2_000 {
      let member = random.member()
      #expect(bytes(.members([member], cursor: nil)) - empty <= member.weight, "seed \(seed)")
    }
    let longest = Timestamp(milliseconds: .min)
    let member = Member(
      user: User(id: Sample.ann, isBot: true, followers: .min, following: .min),
      role: .moderator, isPresent: false, read: .min, delivered: .min, joinedTs: longest,
      custom: raw("[]"), silencedUntil: longest)
    #expect(bytes(.members([member], cursor: nil)) - empty <= member.weight)
  }

  @Test("a flag never takes more bytes than it weighs", arguments: seeds)
  func flags(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let flag = random.flag()
      #expect(bytes(.flags([flag])) - bytes(.flags([])) <= flag.weight, "seed \(seed)")
    }
    let longest = Flag(
      seq: .min, user: Sample.ann, ts: Timestamp(milliseconds: .min), reason: "\u{1}")
    #expect(bytes(.flags([longest])) - bytes(.flags([])) <= longest.weight)
  }

  /// Bytes of a reply.
  private func bytes(_ reply: Reply) -> Int {
    var encoder = WireEncoder(capacity: 4_096)
    RequestID(7).map { encoder.encode(reply, id: $0) }
    return encoder.bytes.count
  }

  @Test("an inbox item never takes more bytes than it weighs", arguments: seeds)
  func items(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      var item = random.item()
      #expect(bytes(item) <= item.weight, "seed \(seed)")
      item.actors = []
      #expect(bytes(item) <= item.notification.weight, "actors apart, seed \(seed)")
    }
  }

  @Test("an item with every member, the longest numbers and names does not either")
  func longestItem() {
    let longest = Timestamp(milliseconds: Limits.largestInteger)
    let name = String(repeating: "u", count: Limits.userIDBytes - 3)
    var item = InboxItem(
      id: Limits.largestInteger,
      notification: Notification(
        type: "\u{1}", actor: Sample.user(name),
        target: InboxTarget(kind: "\"", id: "\u{1F}", url: "http://\"", thumb: "http://\\"),
        title: "\u{1}\n", text: "\u{2}", data: raw("{ }"), expiresTs: longest),
      ts: longest, state: .archived, count: Limits.largestInteger,
      actors: (100..<200).map { Sample.user("\(name)\($0)") }, actedTs: longest, publisher: nil)
    #expect(item.actors.count == Limits.listEntries)
    #expect(bytes(item) <= item.weight)
    item.publisher = Sample.user(name + "999")
    #expect(bytes(item) <= item.weight)
    item.actors = []
    #expect(bytes(item) <= item.notification.weight)
  }

  /// Bytes of an item in a list.
  private func bytes(_ item: InboxItem) -> Int {
    let stand = InboxStand(counts: InboxCounts(), at: 0)
    return bytes(.inbox(items: [item], stand, cursor: nil))
      - bytes(.inbox(items: [], stand, cursor: nil))
  }
}
