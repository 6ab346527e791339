import HubClient
import Testing

@Suite("Events")
struct HubEventTests {
  /// One of each event of the protocol.
  static let vectors: [String] = [
    #"{"ev":"message","channel":"r","seq":42,"user":"ana","ts":5,"text":"hi"}"#,
    #"{"ev":"message.updated","channel":"r","seq":42,"user":"ana","ts":5,"text":"hi","rev":1}"#,
    #"{"ev":"message.deleted","channel":"r","seq":42,"user":"ana","ts":5,"rev":2}"#,
    #"{"ev":"reaction","channel":"r","seq":1,"user":"b","reaction":"👍","on":true,"count":2}"#,
    #"{"ev":"typing","channel":"r","users":["ana","ben"]}"#,
    #"{"ev":"typing","channel":"r","count":120}"#,
    #"{"ev":"signal","channel":"r","user":"ana","name":"wave","data":{"x" : 1.0}}"#,
    #"{"ev":"receipt","channel":"r","user":"ana","read":3,"delivered":4}"#,
    #"{"ev":"receipt","channel":"r","read_by":{"3":7,"4":5}}"#,
    #"{"ev":"presence","user":"ana","status":"online","last_seen_ts":5}"#,
    #"{"ev":"present","channel":"r","count":200}"#,
    #"{"ev":"member","channel":"r","user":"ana","change":"joined","role":"member"}"#,
    #"{"ev":"channel.created","channel":"r","summary":{"channel":"r","kind":"group","epoch":"e"}}"#,
    #"{"ev":"channel.updated","channel":"r","summary":{"channel":"r","kind":"group","epoch":"e"}}"#,
    #"{"ev":"channel.deleted","channel":"r"}"#,
    #"{"ev":"user","user":{"id":"ana","name":"Ana"}}"#,
    #"{"ev":"self","channel":"r","muted":true}"#,
    #"{"ev":"self","settings":{"dm_policy":"nobody","mute":{"channels":["r"]},"blocked":["b"]}}"#,
    #"{"ev":"message.updated","channel":"r","seq":42,"hidden":true,"rev":3}"#,
    #"{"ev":"activity","channel":"r","seq":4,"user":"ana","ts":5,"preview":"hi"}"#,
    #"{"ev":"unread","channel":"r","unread":1,"mentions":0,"total":3,"at":9}"#,
    #"{"ev":"inbox.added","item":{"id":"1","type":"like"},"counts":{"unseen":1},"at":1}"#,
    #"{"ev":"inbox.updated","item":{"id":"1","type":"like"},"counts":{"unseen":1},"at":1}"#,
    #"{"ev":"inbox.updated","ids":["1","2"],"state":"read","counts":{"unseen":1},"at":2}"#,
    #"{"ev":"inbox.removed","ids":["1"],"counts":{"unseen":0,"unread":0},"at":3}"#,
    #"{"ev":"inbox.cleared","counts":{"unseen":0,"unread":0},"at":4}"#,
    #"{"ev":"notice","surface":"toast","channel":"r","seq":1,"title":"Ana","preview":"hi"}"#,
    #"{"ev":"notice.retract","channel":"r","seq":1}"#,
    #"{"ev":"unsubscribed","channel":"r","reason":"removed"}"#,
    #"{"ev":"gap","channel":"r","from":3,"to":9,"rev":1}"#,
    #"{"ev":"gap","scope":"user"}"#,
    #"{"ev":"drain","reconnect_after_ms":500,"ticket":"t"}"#,
    #"{"ev":"error","op":"typing","error":{"code":"not_member","message":"no"}}"#,
  ]

  @Test("each is known, and kept byte for byte", arguments: vectors)
  func known(vector: String) throws {
    let event = try event(vector)
    #expect(event.body != .other)
    #expect(event.json.text == vector)
  }

  @Test(
    "without its members, each is other, and still kept",
    arguments: [
      "message", "message.updated", "reaction", "signal", "receipt", "presence", "present",
      "member", "user", "self", "channel.created", "channel.updated", "activity", "unread",
      "inbox.added", "inbox.updated", "notice", "notice.retract", "unsubscribed",
      "gap", "error", "of.tomorrow",
    ])
  func other(name: String) throws {
    let text = #"{"ev":"\#(name)","more":[1,2]}"#
    let event = try event(text)
    #expect(event.body == .other)
    #expect((event.name, event.json.text) == (name, text))
  }

  @Test("members of wrong kinds and extreme numbers do no harm", arguments: vectors)
  func hostile(vector: String) throws {
    for wrong in ["null", "[]", "{}", #""x""#, "-9007199254740991", "9007199254740991", "1e400"] {
      let text = vector.replacing(#/:\d+/#, with: ":" + wrong)
      _ = try event(text)
    }
  }

  @Test("a message has all its members")
  func message() throws {
    let text =
      #"{"ev":"message","channel":"r","seq":42,"user":"ana","ts":5,"text":"a\nb","#
      + #""attachments":[ {"kind":"json"} ],"data":{ "a" : 1.0 },"mentions":["ben","@channel"],"#
      + #""reply_to":3,"reply_count":2,"reactions":{"👍":{"count":2},"ok":{"count":1,"mine":true}},"#
      + #""edited_ts":6,"bot":true,"key":"k"}"#
    let event = try event(text)
    guard case .message(let message) = event.body else {
      Issue.record("no message")
      return
    }
    #expect((message.channel, message.seq, message.user, message.ts) == ("r", 42, "ana", 5))
    #expect((message.text, message.key, message.isBot) == ("a\nb", "k", true))
    #expect(message.data?.text == #"{ "a" : 1.0 }"#)
    #expect(message.attachments?.text == #"[ {"kind":"json"} ]"#)
    #expect(message.mentions == ["ben", "@channel"])
    #expect((message.replyTo, message.replyCount, message.editedTs) == (3, 2, 6))
    #expect(message.reactions.map(\.reaction) == ["👍", "ok"])
    #expect(message.reactions.map(\.count) == [2, 1])
    #expect(message.reactions.map(\.isMine) == [false, true])
  }

  @Test("a hidden message has no sender")
  func hidden() throws {
    let text = #"{"ev":"message","channel":"r","seq":1,"hidden":true}"#
    let event = try event(text)
    guard case .message(let message) = event.body else {
      Issue.record("no message")
      return
    }
    #expect(message.isHidden && message.user == nil && message.ts == nil)
  }

  @Test("hidden and deleted messages keep what they may, and changes carry their rev")
  func changed() throws {
    let deleted = try event(
      #"{"ev":"message.deleted","channel":"r","seq":4,"user":"a","ts":1,"deleted_ts":9,"rev":7}"#)
    guard case .messageDeleted(let message, rev: 7) = deleted.body else {
      Issue.record("not deleted: \(deleted.body)")
      return
    }
    #expect((message.seq, message.deletedTs, message.text) == (4, 9, nil))
    let hidden = try event(
      #"{"ev":"message.updated","channel":"r","seq":4,"hidden":true,"rev":8}"#)
    guard case .messageUpdated(let stub, rev: 8) = hidden.body else {
      Issue.record("not updated: \(hidden.body)")
      return
    }
    #expect(stub.isHidden && stub.user == nil)
    let reaction = try event(
      #"{"ev":"reaction","channel":"r","seq":4,"user":"b","reaction":"👍","on":false,"#
        + #""count":0,"rev":9}"#)
    guard case .reaction(let taken) = reaction.body else {
      Issue.record("no reaction: \(reaction.body)")
      return
    }
    #expect((taken.seq, taken.user, taken.reaction) == (4, "b", "👍"))
    #expect((taken.isOn, taken.count, taken.rev) == (false, 0, 9))
  }

  @Test("a gap says what is missing")
  func gaps() throws {
    let channel = try event(#"{"ev":"gap","channel":"r","from":3,"to":9,"rev":1}"#)
    #expect(channel.body == .gap(from: 3, to: 9, rev: 1) && channel.channel == "r")
    let user = try event(#"{"ev":"gap","scope":"user"}"#)
    #expect(user.body == .userGap && user.channel == nil)
  }

  @Test("a profile and one's own settings are read")
  func people() throws {
    let user = try event(
      #"{"ev":"user","user":{"id":"bo","username":"bo.b","bot":true,"custom":[ 1 ],"followers":3}}"#
    )
    guard case .user(let profile) = user.body else {
      Issue.record("no user: \(user.body)")
      return
    }
    #expect((profile.id, profile.name, profile.username) == ("bo", "bo", "bo.b"))
    #expect((profile.isBot, profile.followers, profile.following) == (true, 3, nil))
    #expect(profile.custom?.text == "[ 1 ]")
    let own = try event(
      #"{"ev":"self","settings":{"dm_policy":"nobody","receipts":false,"typing":true,"#
        + #""dnd_until_ts":5,"dnd_schedule":[],"mute":{"channels":["r"]},"blocked":["b"]}}"#)
    guard case .ownSettings(let settings) = own.body else {
      Issue.record("no settings: \(own.body)")
      return
    }
    #expect((settings.directPolicy, settings.quietUntilTs) == (.nobody, 5))
    #expect(!settings.showsReceipts && settings.showsTyping)
    #expect((settings.mutedChannels, settings.blocked) == (["r"], ["b"]))
    let mute = try event(#"{"ev":"self","channel":"r","muted":false}"#)
    #expect(mute.body == .ownMute(isMuted: false))
  }

  @Test("presence, signals and channels are read")
  func live() throws {
    let presence = try event(#"{"ev":"presence","user":"a","status":"away","last_seen_ts":5}"#)
    #expect(presence.body == .presence(user: "a", status: "away", lastSeenTs: 5))
    let present = try event(#"{"ev":"present","channel":"r","count":340}"#)
    #expect(present.body == .present(count: 340))
    let signal = try event(
      #"{"ev":"signal","channel":"r","user":"a","name":"wave","data":{ "x":1.0 }}"#)
    #expect(signal.body == .signal(user: "a", name: "wave", data: HubJSON(#"{ "x":1.0 }"#)))
    let deleted = try event(#"{"ev":"channel.deleted","channel":"r"}"#)
    #expect(deleted.body == .channelDeleted)
  }
}
