import HubClient
import Testing

@Suite("Requests of a connection", .timeLimit(.minutes(1)))
struct HubRequestTests {
  @Test("an edit keeps what is nil and clears what is empty")
  func edit() async throws {
    let text = try await sent(answer: #"{"ts":7}"#) {
      let answer = try await $0.edit(3, in: "r", text: "new", mentions: ["bo", "@channel"])
      #expect(answer == 7)
    }
    #expect(
      text == #"op="message.edit" channel="r" seq=3 text="new" mentions=["bo","@channel"]"#)
    let cleared = try await sent(answer: #"{"ts":7}"#) {
      try await $0.edit(3, in: "r", text: "", attachments: HubJSON("[ ]"), data: HubJSON("{ }"))
    }
    #expect(cleared.hasPrefix(#"op="message.edit" channel="r" seq=3 text="" attachments=[] data="#))
    #expect(!cleared.contains("mentions"))
  }

  @Test("deleting and reacting name the message")
  func oneMessage() async throws {
    let deleted = try await sent(answer: #"{"ts":8}"#) {
      let answer = try await $0.delete(3, in: "r")
      #expect(answer == 8)
    }
    #expect(deleted == #"op="message.delete" channel="r" seq=3"#)
    let added = try await sent { try await $0.react("👍", to: 3, in: "r") }
    #expect(added == #"op="reaction.add" channel="r" seq=3 reaction="👍""#)
    let removed = try await sent { try await $0.unreact("👍", to: 3, in: "r") }
    #expect(removed == #"op="reaction.remove" channel="r" seq=3 reaction="👍""#)
  }

  @Test("threads and members come in pages")
  func pages() async throws {
    let reply = #"{"messages":[{"channel":"r","seq":4,"reply_to":3}],"has_more":true}"#
    let thread = try await sent(answer: reply) {
      let page = try await $0.thread(of: 3, in: "r", after: 2, limit: 9)
      #expect(page.messages.map(\.replyTo) == [3] && page.hasMore)
    }
    #expect(thread == #"op="message.thread" channel="r" seq=3 after=2 limit=9"#)
    let listed =
      #"{"members":[{"user":"bo","profile":{"id":"bo","name":"Bo"},"role":"owner","present":true,"#
      + #""read":3,"joined_ts":5},{"nonsense":1}],"cursor":"c"}"#
    let members = try await sent(answer: listed) {
      let page = try await $0.members(of: "r", onlyPresent: true, cursor: "b", limit: 9)
      let member = try #require(page.members.first)
      #expect((page.members.count, page.cursor) == (1, "c"))
      #expect((member.user, member.profile?.name, member.role) == ("bo", "Bo", "owner"))
      #expect((member.isPresent, member.read, member.delivered) == (true, 3, nil))
    }
    #expect(members.contains("present=true") && members.contains(#"cursor="b" limit=9"#))
  }

  @Test("users are found by id and by the beginning of a name, and change themselves")
  func users() async throws {
    let reply = #"{"users":[{"id":"bo","name":"Bo"}]}"#
    let got = try await sent(answer: reply) {
      let answer = try await $0.users(["bo", "cy"]).map(\.name)
      #expect(answer == ["Bo"])
    }
    #expect(got == #"op="user.get" users=["bo","cy"]"#)
    let found = try await sent(answer: reply) {
      let answer = try await $0.users(beginningWith: "b", limit: 9).map(\.id)
      #expect(answer == ["bo"])
    }
    #expect(found == #"op="user.search" q="b" limit=9"#)
    let changed = try await sent(answer: reply) {
      let user = try await $0.updateProfile(name: "Bo", bio: "")
      #expect(user.id == "bo")
    }
    #expect(changed == #"op="user.update" name="Bo" bio="""#)
  }

  @Test("an answer of another shape is told as such")
  func badReply() async throws {
    _ = try await sent(answer: #"{"users":[]}"#) { connection in
      let error = try await #require(throws: HubError.self) {
        _ = try await connection.updateProfile(name: "Bo")
      }
      #expect(error.code == HubError.badReply)
    }
  }
}
