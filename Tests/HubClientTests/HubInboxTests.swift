import HubClient
import Testing

@Suite("The inbox of a connection", .timeLimit(.minutes(1)))
struct HubInboxTests {
  static let item =
    #"{"id":"17","type":"like","actor":"bob","target":{"kind":"video","id":"v1","#
    + #""url":"https://x/v","thumb":"https://x/t"},"title":"New","text":"liked","#
    + #""ts":5,"state":"seen","count":2,"actors":["bob","cy"],"acted_ts":6,"#
    + #""data":{ "a":1.0 },"expires_ts":7,"by":"shop"}"#
  static let counts = #""counts":{"unseen":1,"unread":3,"by_type":{"like":2,"system":1}},"at":99"#

  private func body(_ text: String) throws -> HubEvent.Body { try event(text).body }

  private func check(_ counts: HubInboxCounts) {
    #expect((counts.unseen, counts.unread, counts.at) == (1, 3, 99))
    #expect(counts.byType == ["like": 2, "system": 1])
  }

  private func check(_ item: HubInboxItem) {
    #expect((item.id, item.type, item.state) == ("17", "like", .seen))
    #expect((item.actor, item.actors, item.count) == ("bob", ["bob", "cy"], 2))
    #expect((item.title, item.text, item.by) == ("New", "liked", "shop"))
    #expect((item.ts, item.actedTs, item.expiresTs) == (5, 6, 7))
    #expect(item.data?.text == #"{ "a":1.0 }"#)
    let target = HubInboxTarget(kind: "video", id: "v1", url: "https://x/v", thumb: "https://x/t")
    #expect(item.target == target)
    #expect(item.json.text == Self.item)
  }

  @Test("a page has items, numbers and where it goes on")
  func list() async throws {
    let answer = #"{"items":[\#(Self.item),{"nonsense":1}],\#(Self.counts),"cursor":"c"}"#
    let text = try await sent(answer: answer) {
      let page = try await $0.inbox(
        types: ["like"], states: [.seen, .archived], cursor: "b", limit: 9)
      #expect((page.items.count, page.cursor) == (1, "c"))
      check(try #require(page.items.first))
      check(page.counts)
    }
    #expect(
      text == #"op="inbox.list" types=["like"] states=["seen","archived"] cursor="b" limit=9"#)
    let all = try await sent(answer: answer) { _ = try await $0.inbox() }
    #expect(all == #"op="inbox.list""#)
  }

  @Test("numbers are asked for alone, of all types or some")
  func numbers() async throws {
    let answer = #"{"unseen":1,"unread":3,"by_type":{"like":2,"system":1},"at":99}"#
    let text = try await sent(answer: answer) {
      let summary = try await $0.inboxCounts(types: ["like", "system"])
      check(summary.counts)
      #expect(summary.json.text == answer)
    }
    #expect(text == #"op="inbox.counts" types=["like","system"]"#)
  }

  @Test("marks and deletions name items, or a position")
  func changes() async throws {
    let answer = #"{"deleted":4,\#(Self.counts)}"#
    let texts = try await sent(answers: [answer]) {
      check(try await $0.markInbox(["17", "18"], as: .archived).counts)
      check(try await $0.markInbox(upTo: 99, types: ["like"], as: .read).counts)
      #expect(try await $0.deleteFromInbox(["17"]).deleted == 4)
      #expect(try await $0.deleteFromInbox(upTo: 99).deleted == 4)
    }
    #expect(
      texts == [
        #"op="inbox.mark" state="archived" ids=["17","18"]"#,
        #"op="inbox.mark" state="read" upto=99 types=["like"]"#,
        #"op="inbox.delete" ids=["17"]"#, #"op="inbox.delete" upto=99"#,
      ])
  }

  @Test("following an item tells where it leads")
  func acts() async throws {
    let texts = try await sent(answers: [#"{"target":{"kind":"user","id":"bob"}}"#, "{}", "{}"]) {
      #expect(try await $0.actOnInboxItem("17").target == HubInboxTarget(kind: "user", id: "bob"))
      #expect(try await $0.actOnInboxItem("18").target == nil)
      try await $0.inboxOpened()
    }
    #expect(
      texts == [#"op="inbox.act" item="17""#, #"op="inbox.act" item="18""#, #"op="inbox.opened""#])
  }

  @Test("what is no item's id is not sent", arguments: ["", "0", "-1", "017", "x", "1.0"])
  func badIDs(id: String) async throws {
    let texts = try await sent(answers: ["{}"]) { connection in
      let error = try await #require(throws: HubError.self) {
        try await connection.markInbox(["1", id], as: .read)
      }
      #expect((error.code, error.origin) == ("bad_request", .client))
      await #expect(throws: error) { try await connection.deleteFromInbox([id]) }
      await #expect(throws: error) { try await connection.actOnInboxItem(id) }
    }
    #expect(texts.isEmpty)
  }

  @Test("what is harmless twice is sent again when the connection is lost")
  func repeats() async throws {
    let answer = #"{\#(Self.counts),"items":[],"unread":1,"made":1,"retracted":1}"#
    let harmless: [@Sendable (HubConnection) async throws -> Void] = [
      { _ = try await $0.inbox() }, { _ = try await $0.inboxCounts() },
      { try await $0.markInbox(["1"], as: .read) },
      { try await $0.markInbox(upTo: 9, as: .seen) }, { try await $0.deleteFromInbox(["1"]) },
      { try await $0.actOnInboxItem("1") },
      { try await $0.retractNotification(to: .users(["bo"]), key: "k") },
      { connection in
        var keyed = HubNotification(to: .users(["bo"]), type: "like", text: "x")
        keyed.key = "k"
        try await connection.notify(keyed)
      },
    ]
    for (number, call) in harmless.enumerated() {
      let texts = try await sent(answers: [nil, answer], call)
      #expect(texts.count == 2 && texts.first == texts.last, "call \(number)")
    }
  }

  @Test("what would count twice is not")
  func once() async throws {
    let plain = HubNotification(to: .users(["bo"]), type: "like", text: "x")
    let others: [@Sendable (HubConnection) async throws -> Void] = [
      { try await $0.notify(plain) }, { try await $0.deleteFromInbox(upTo: 9) },
      { try await $0.inboxOpened() },
    ]
    for (number, call) in others.enumerated() {
      let texts = try await sent(answers: [nil, "{}"]) { connection in
        let error = try await #require(throws: HubError.self) { try await call(connection) }
        #expect(error.code == HubError.connectionLost)
      }
      #expect(texts.count == 1, "call \(number)")
    }
  }

  @Test("events say what changed, and how the inbox stands")
  func events() throws {
    let tail = Self.counts + "}"
    guard
      case .inboxAdded(let added, let counts) = try body(
        #"{"ev":"inbox.added","item":\#(Self.item),"# + tail),
      case .inboxUpdated(let updated, _) = try body(
        #"{"ev":"inbox.updated","item":\#(Self.item),"# + tail),
      case .inboxMarked(let ids, .archived, let marked) = try body(
        #"{"ev":"inbox.updated","ids":["17","18"],"state":"archived","# + tail),
      case .inboxRemoved(["17"], let gone?, _) = try body(
        #"{"ev":"inbox.removed","ids":["17"],"item":\#(Self.item),"# + tail),
      case .inboxRemoved(["17", "18"], nil, _) = try body(
        #"{"ev":"inbox.removed","ids":["17","18"],"# + tail),
      case .inboxCleared(let cleared) = try body(#"{"ev":"inbox.cleared","# + tail)
    else {
      Issue.record("an event is not what it says")
      return
    }
    for item in [added, updated, gone] { check(item) }
    for each in [counts, marked, cleared] { check(each) }
    #expect(ids == ["17", "18"])
  }

  @Test("a notice says where, what and of whom")
  func notice() throws {
    let text =
      #"{"ev":"notice","surface":"toast","channel":"r","seq":42,"title":"Swift - Ann","#
      + #""preview":"hi","sender":{"id":"ann","name":"Ann"},"kind":"group"}"#
    guard case .notice(let notice) = try body(text) else {
      Issue.record("no notice")
      return
    }
    #expect((notice.surface, notice.channel, notice.seq) == (.toast, "r", 42))
    #expect((notice.title, notice.preview) == ("Swift - Ann", "hi"))
    #expect((notice.sender?.id, notice.sender?.name, notice.kind) == ("ann", "Ann", .group))
    let retracted = try body(#"{"ev":"notice.retract","channel":"r","seq":42}"#)
    #expect(retracted == .noticeRetracted(seq: 42))
  }
}
