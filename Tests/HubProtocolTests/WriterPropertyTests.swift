import HubProtocol
import SeededRandom
import Testing

/// What Foundation reads in the hub's replies and events are the values that were written.
@Suite("What is written is what Foundation reads")
struct WriterPropertyTests {
  @Test("messages, as each reader sees them", arguments: seeds)
  func messages(_ seed: UInt64) {
    expect(seed) { random in
      let views = random.views()
      return (
        .history(views, hasMore: false),
        .members(["messages": .list(views.map { JSONTree($0) }), "has_more": .bool(false)])
      )
    }
  }

  @Test("channel summaries", arguments: seeds)
  func summaries(_ seed: UInt64) {
    expect(seed) { random in
      let summary = random.summary()
      return (.channel(summary), .members(["channel": JSONTree(summary)]))
    }
  }

  @Test("users and members", arguments: seeds)
  func people(_ seed: UInt64) {
    expect(seed) { random in
      let users = random.list(upTo: 3) { $0.profiled() }
      return (.users(users), .members(["users": .list(users.map { JSONTree($0) })]))
    }
    expect(seed) { random in
      let members = random.list(upTo: 3) { $0.member() }
      return (
        .members(members, cursor: "c"),
        .members(["members": .list(members.map { JSONTree($0) }), "cursor": .text("c")])
      )
    }
  }

  @Test("settings", arguments: seeds)
  func settings(_ seed: UInt64) {
    expect(seed) { random in
      let (settings, blocked) = (random.settings(), random.users(0...3))
      return (
        .settings(settings, blocked: blocked),
        .members(["settings": JSONTree(settings, blocked: blocked)])
      )
    }
  }

  @Test("presence and flags", arguments: seeds)
  func presence(_ seed: UInt64) {
    expect(seed) { random in
      let users = random.list(upTo: 3) { $0.presence() }
      return (.presence(users), .members(["presence": .list(users.map { JSONTree($0) })]))
    }
    expect(seed) { random in
      let channels = random.channelPresences()
      let trees = channels.map { ($0.channel.text, JSONTree($0)) }
      return (
        .channelPresence(channels),
        .members(["channels": .object(Dictionary(trees) { first, _ in first })])
      )
    }
    expect(seed) { random in
      let flags = random.list(upTo: 3) { $0.flag() }
      return (.flags(flags), .members(["flags": .list(flags.map { JSONTree($0) })]))
    }
  }

  @Test("items, and how an inbox stands", arguments: seeds)
  func inboxes(_ seed: UInt64) {
    expect(seed) { random in
      let (items, stand) = (random.list(upTo: 3) { $0.item() }, random.stand())
      let cursor = random.maybe { $0.text(upTo: 9) }
      return (
        .inbox(items: items, stand, cursor: cursor),
        .members([
          "items": .list(items.map { JSONTree($0) }), "counts": JSONTree(stand.counts),
          "at": .integer(stand.at), "cursor": cursor.map { .text($0) },
        ])
      )
    }
    expect(seed) { random in
      let stand = random.stand()
      let tree: JSONTree = .members(["counts": JSONTree(stand.counts), "at": .integer(stand.at)])
      return (.inboxMarked(stand), tree)
    }
    expect(seed) { random in
      let (stand, count) = (random.stand(), random.seq())
      return (
        .inboxDeleted(count, stand),
        .members([
          "deleted": .integer(count), "counts": JSONTree(stand.counts), "at": .integer(stand.at),
        ])
      )
    }
    expect(seed) { random in
      let stand = random.stand()
      guard case .object(var members) = JSONTree(stand.counts) else { return (.empty, .null) }
      members["at"] = .integer(stand.at)
      return (.inboxCounts(stand), .object(members))
    }
  }

  @Test("what is taken back and followed", arguments: seeds)
  func answers(_ seed: UInt64) {
    expect(seed) { random in
      let (count, unknown) = (random.seq(), random.users(0...3))
      return (
        .retracted(count, unknown: unknown),
        .members([
          "retracted": .integer(count), "unknown": .list(unknown.map { .text($0.text) }),
        ])
      )
    }
    expect(seed) { random in
      let target = random.notification().target
      return (.inboxActed(target), .members(["target": target.map { JSONTree($0) }]))
    }
  }

  @Test("inbox events and notices", arguments: seeds)
  func inboxEvents(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1_000 {
      let (event, stand) = (random.inboxEvent(), random.stand())
      expect(
        .inbox(event, stand), JSONTree.name(of: event), JSONTree(event),
        ["counts": JSONTree(stand.counts), "at": .integer(stand.at)])
      let notice = random.notice()
      expect(.notice(notice), "notice", JSONTree(notice), [:])
      expect(
        .noticeRetract(notice.channel, seq: notice.seq), "notice.retract",
        .members(["channel": .text(notice.channel.text), "seq": .integer(notice.seq)]), [:])
    }
  }

  @Test("changed messages, reactions and signals", arguments: seeds)
  func events(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1_000 {
      let change = MessageChange(
        random.message(), toSender: random.oneIn(2), isHidden: random.oneIn(4))
      let name = change.message.isDeleted ? "message.deleted" : "message.updated"
      let view = MessageView(
        change.message, isHidden: change.isHidden, isOwn: change.toSender)
      expect(.messageChanged(change), name, JSONTree(view), ["rev": .integer(change.message.rev)])
      let message = random.message()
      expect(
        .message(message, toSender: true), "message",
        JSONTree(MessageView(message, isOwn: true)), [:])
      let (signal, user) = (random.signal(), random.user())
      expect(
        .signal(signal, from: user), "signal",
        .members([
          "channel": .text(signal.channel.text), "name": .text(signal.name),
          "data": signal.data.map { JSONTree(raw: $0) },
        ]), ["user": .text(user.text)])
    }
  }

  private func expect(_ seed: UInt64, _ make: (inout SplitMix64) -> (Reply, JSONTree)) {
    var random = SplitMix64(seed: seed)
    var encoder = WireEncoder(capacity: 4_096)
    guard let id = RequestID(7) else { return }
    for _ in 0..<1_000 {
      let (reply, tree) = make(&random)
      encoder.begin(reserving: 0)
      encoder.encode(reply, id: id)
      let whole = JSONTree.members(["id": .integer(7), "ok": tree])
      guard JSONTree(foundation: encoder.bytes) != whole else { continue }
      Issue.record("seed \(seed): \(text(encoder.bytes)), not \(whole)")
      return
    }
  }

  private func expect(
    _ event: Event, _ name: String, _ tree: JSONTree, _ more: [String: JSONTree]
  ) {
    var encoder = WireEncoder(capacity: 4_096)
    encoder.encode(event)
    guard case .object(var members) = tree else { return }
    members["ev"] = .string(name)
    members.merge(more) { _, last in last }
    #expect(JSONTree(foundation: encoder.bytes) == .object(members))
  }
}
