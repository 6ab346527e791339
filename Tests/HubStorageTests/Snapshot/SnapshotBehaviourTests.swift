import HubProtocol
import HubStage
import Testing

/// What is derived when an image is loaded, seen from outside.
@Suite("Architecture, Storage: a hub that was started from its image")
struct SnapshotBehaviourTests {
  private let before = DrivenHub()

  /// The same hub after a restart, a moment later.
  private func restarted() throws -> DrivenHub {
    let after = DrivenHub(try before.image.loaded())
    after.wall = before.wall
    return after
  }

  /// A public channel of ann's, with ben and cal in it.
  private func room() {
    for name in ["ben", "cal", "dan"] { before.connect(name) }
    before.ask(
      "ann", #"{"op":"channel.create","channel":"r","kind":"public","members":["ben","cal"]}"#)
  }

  private func send(_ name: String, _ text: String, more: String = "", to channel: String = "r") {
    before.ask(
      name, #"{"op":"message.send","channel":"\#(channel)","text":"\#(text)"\#(more)}"#)
  }

  @Test("knows usernames as taken, and users by the beginnings of their names")
  func names() throws {
    before.ask("ann", #"{"op":"user.update","name":"Ann van Ostade","username":"Annie"}"#)
    before.ask("ann", #"{"op":"user.update","name":"Ann Müller"}"#)
    before.ask("bot-7", #"{"op":"user.put","users":[{"id":"eve","name":"Éva  Ostade"}]}"#)
    let hub = try restarted()
    let taken = hub.ask("ben", #"{"op":"user.update","username":"ANNIE"}"#)
    #expect(taken.contains("already_exists"))
    for (query, found) in [("anni", ["ann"]), ("MÜ", ["ann"]), ("ost", ["eve"]), ("van", [])] {
      let answer = hub.ask("ben", #"{"op":"user.search","q":"\#(query)"}"#)
      let ids = answer.matches(of: #/"id":"([a-z]+)"/#).map { String($0.1) }
      #expect(ids == found, "\(query)")
    }
    hub.ask("ann", #"{"op":"user.update","username":""}"#)
    let free = hub.ask("ben", #"{"op":"user.update","username":"annie"}"#)
    #expect(free.contains(#""username":"annie""#))
  }

  @Test("keeps blocked people apart, both ways")
  func blocks() throws {
    room()
    let direct = directChannel("ann", "ben").text
    before.ask("ann", #"{"op":"dm.open","user":"ben"}"#)
    send("ben", "hi")
    before.ask("ann", #"{"op":"user.block","user":"ben"}"#)
    let hub = try restarted()
    let seen = hub.ask("ann", #"{"op":"message.history","channel":"r","after":0}"#)
    #expect(seen.contains(#"[{"channel":"r","seq":1,"hidden":true}]"#))
    let write = #"{"op":"message.send","channel":"\#(direct)","text":"x"}"#
    #expect(hub.ask("ben", write).contains("forbidden"))
    #expect(hub.ask("ann", write).contains(#""code":"blocked""#))
    for name in ["ann", "cal"] { hub.ask(name, #"{"op":"subscribe","channel":"r"}"#) }
    let told = hub.ask("ben", #"{"op":"message.send","channel":"r","text":"again"}"#)
    #expect(told.contains(#"but [3] {"ev":"message","channel":"r","seq":2,"hidden":true}"#))
    let unread = hub.ask("ann", #"{"op":"channel.get","channel":"r"}"#)
    #expect(unread.contains(#""unread":0,"#))
    let settings = hub.ask("ann", #"{"op":"user.settings"}"#)
    #expect(settings.contains(#""blocked":["ben"]"#))
  }

  @Test("knows who reacted, and what was edited and deleted since a position")
  func changes() throws {
    room()
    for text in ["one", "two", "three"] { send("ann", text) }
    let epoch = before.ask("cal", #"{"op":"subscribe","channel":"r"}"#)
      .firstMatch(of: #/"epoch":"([^"]+)"/#).map { String($0.1) }
    let react = #"{"op":"reaction.add","channel":"r","seq":1,"reaction":"👍"}"#
    for name in ["ben", "cal"] { before.ask(name, react) }
    before.ask("ann", #"{"op":"message.edit","channel":"r","seq":2,"text":"2"}"#)
    before.ask("ann", #"{"op":"message.delete","channel":"r","seq":3}"#)
    let hub = try restarted()
    let page = hub.ask("ben", #"{"op":"message.history","channel":"r","before":2}"#)
    #expect(page.contains(#""reactions":{"👍":{"count":2,"mine":true}}"#))
    let other = hub.ask("ann", #"{"op":"message.history","channel":"r","before":2}"#)
    #expect(other.contains(#""reactions":{"👍":{"count":2}}"#))
    let since = #""since":{"epoch":"\#(try #require(epoch))","seq":3,"rev":2}"#
    let missed = hub.ask("cal", #"{"op":"subscribe","channel":"r",\#(since)}"#)
    #expect(missed.contains(#""recovered":true,"messages":[],"changed":[{"channel":"r","seq":2"#))
    #expect(missed.contains(#""deleted_ts":"#) && !missed.contains(#""seq":1,"#))
    #expect(hub.ask("ben", react).hasSuffix(#""ok":{}}"#), "not once more")
    let back = hub.ask("ben", react.replacing("add", with: "remove"))
    #expect(back.contains(#""on":false,"count":1,"rev":5"#))
  }

  @Test("brings a user stream up to date from before the restart")
  func userStream() throws {
    room()
    before.ask("ann", #"{"op":"channel.create","channel":"quiet","kind":"group"}"#)
    before.ask("ann", #"{"op":"channel.create","channel":"left","kind":"public"}"#)
    before.leaveAlone()
    let hello = before.connect("ann")
    let at = try #require(hello.firstMatch(of: #/"at":"([^"]+)"/#)).1
    before.ask("ann", #"{"op":"channel.leave","channel":"left"}"#)
    send("ben", "news")
    let hub = try restarted()
    let stream = hub.connect("ann", since: String(at))
    #expect(stream.contains(#""recovered":true,"channels":[{"channel":"r""#))
    #expect(stream.contains(#""left":["left"]"#) && !stream.contains("quiet"))
  }

  @Test("keeps out, keeps silent, and lets in again in time")
  func sanctions() throws {
    room()
    let until = before.wall + 60_000
    before.ask("ann", #"{"op":"member.ban","channel":"r","user":"ben","until_ts":\#(until)}"#)
    before.ask("ann", #"{"op":"member.silence","channel":"r","user":"cal","until_ts":\#(until)}"#)
    let hub = try restarted()
    let (join, send) = (
      #"{"op":"channel.join","channel":"r"}"#, #"{"op":"message.send","channel":"r","text":"x"}"#
    )
    #expect(hub.ask("ben", join).contains(#""code":"banned""#))
    #expect(hub.ask("cal", send).contains(#""code":"muted""#))
    hub.pass(60_000)
    #expect(hub.ask("ben", join).contains(#""role":"member""#))
    #expect(hub.ask("cal", send).contains(#""seq":1"#))
  }

  @Test("leaves muted channels out of the total, and says when that ends")
  func muting() throws {
    room()
    let until = before.wall + 60_000
    before.ask("ben", #"{"op":"channel.mute","channel":"r","until_ts":\#(until)}"#)
    let hub = try restarted()
    #expect(hub.connect("ben").contains(#""muted":true"#))
    let told = hub.ask("ann", #"{"op":"message.send","channel":"r","text":"x"}"#)
    #expect(told.contains(#""unread":1,"mentions":0,"total":0"#))
    let later = (0..<61).map { _ in hub.pass(1_000) }.joined()
    #expect(later.contains(#"{"ev":"self","channel":"r","muted":false}"#))
    #expect(later.contains(#""total":1"#))
  }

  @Test("tells a channel made again from the one that was deleted")
  func deletion() throws {
    room()
    send("ann", "one", more: #","key":"k""#)
    before.ask("ann", #"{"op":"channel.delete","channel":"r"}"#)
    let hub = try restarted()
    #expect(hub.ask("ben", #"{"op":"channel.get","channel":"r"}"#).contains("not_found"))
    hub.ask("ben", #"{"op":"channel.create","channel":"r","kind":"public","members":["ann"]}"#)
    let again = hub.ask("ann", #"{"op":"message.send","channel":"r","text":"x","key":"k"}"#)
    #expect(again.contains(#""seq":1"#) && !again.contains("duplicate"))
    let twice = DrivenHub(try hub.image.loaded())
    let repeated = twice.ask("ann", #"{"op":"message.send","channel":"r","text":"x","key":"k"}"#)
    #expect(repeated.contains(#""seq":1"#) && repeated.contains(#""duplicate":true"#))
  }

  @Test("knows roles, what members say of themselves, flags, threads and followers")
  func others() throws {
    room()
    send("ann", "post")
    send("ben", "reply", more: #","reply_to":1"#)
    send("cal", "another", more: #","reply_to":1"#)
    before.ask("cal", #"{"op":"message.delete","channel":"r","seq":3}"#)
    before.ask("cal", #"{"op":"message.flag","channel":"r","seq":2,"reason":"why"}"#)
    before.ask("ann", #"{"op":"member.role","channel":"r","user":"ben","role":"moderator"}"#)
    before.ask("ben", #"{"op":"member.update","channel":"r","custom":{"n" : 1}}"#)
    before.ask("ann", #"{"op":"channel.create","channel":"feed:ann","kind":"broadcast"}"#)
    before.ask("dan", #"{"op":"channel.join","channel":"feed:ann"}"#)
    let hub = try restarted()
    let members = hub.ask("ben", #"{"op":"member.list","channel":"r"}"#)
    #expect(members.contains(#""role":"moderator""#) && members.contains(#""custom":{"n" : 1}"#))
    let flags = hub.ask("ben", #"{"op":"message.flags","channel":"r"}"#)
    #expect(flags.contains(#"{"seq":2,"user":"cal","ts":"#) && flags.contains(#""reason":"why""#))
    let thread = hub.ask("dan", #"{"op":"message.thread","channel":"r","seq":1}"#)
    #expect(thread.contains(#""seq":2"#) && thread.contains(#""deleted_ts":"#))
    let post = hub.ask("dan", #"{"op":"message.history","channel":"r","before":2}"#)
    #expect(post.contains(#""reply_count":1"#))
    let users = hub.ask("ben", #"{"op":"user.get","users":["ann","dan"]}"#)
    #expect(users.contains(#""followers":1,"following":0"#))
    #expect(users.contains(#""followers":0,"following":1"#))
  }

  @Test("knows whom somebody has written to, who takes messages from contacts only")
  func contacts() throws {
    room()
    before.ask("ann", #"{"op":"dm.open","user":"dan"}"#)
    before.ask("dan", #"{"op":"user.settings","dm_policy":"contacts"}"#)
    let direct = directChannel("ann", "dan").text
    send("ann", "unasked", to: direct)
    let write = #"{"op":"message.send","channel":"\#(direct)","text":"x"}"#
    #expect(try restarted().ask("ann", write).contains("forbidden"))
    send("dan", "answer", to: direct)
    #expect(try restarted().ask("ann", write).contains(#""seq":2"#))
  }
}
