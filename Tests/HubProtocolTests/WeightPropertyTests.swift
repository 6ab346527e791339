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
      encoder.encode(Event.message(message, toSender: true))
      #expect(encoder.bytes.count <= message.weight, "seed \(seed)")
      #expect(isJSONObject(encoder.bytes), "seed \(seed)")
    }
  }

  @Test("a message with the longest numbers and every member does not either")
  func longest() {
    let longest = Int.min
    let message = Message(
      channel: Sample.room, seq: longest, user: Sample.ann,
      ts: Timestamp(milliseconds: longest),
      content: MessageContent(
        text: "", attachments: raw("[]"), data: raw("0"), mentions: [Sample.bob],
        mentionsChannel: true),
      replyTo: longest, replyCount: .max, isBot: true, key: "")
    var encoder = WireEncoder(capacity: 4_096)
    encoder.encode(Event.message(message, toSender: true))
    #expect(encoder.bytes.count <= message.weight)
  }

  @Test("an inbox item never takes more bytes than it weighs, actors apart", arguments: seeds)
  func items(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var encoder = WireEncoder(capacity: 4_096)
    for _ in 0..<2_000 {
      let item = InboxItem(
        id: random.seq(), notification: random.notification(),
        ts: Timestamp(milliseconds: random.seq()), state: .archived, count: random.seq(),
        actors: [], publisher: random.user())
      let fixed =
        #"{"ev":"inbox.added","item":,"counts":{"unseen":0,"unread":0,"by_type":{}},"at":0}"#
      encoder.begin(reserving: 0)
      encoder.encode(Event.inboxAdded(item, counts: InboxCounts(), at: 0))
      #expect(encoder.bytes.count - fixed.utf8.count <= item.notification.weight, "seed \(seed)")
      #expect(isJSONObject(encoder.bytes), "seed \(seed)")
    }
  }
}
