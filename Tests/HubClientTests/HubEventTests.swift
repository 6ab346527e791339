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
    #"{"ev":"activity","channel":"r","seq":4,"user":"ana","ts":5,"preview":"hi"}"#,
    #"{"ev":"unread","channel":"r","unread":1,"mentions":0,"total":3,"at":9}"#,
    #"{"ev":"inbox.added","item":{"id":"1","type":"like"},"counts":{"unseen":1},"at":1}"#,
    #"{"ev":"inbox.updated","ids":["1","2"],"counts":{"unseen":1,"unread":1},"at":2}"#,
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
      "member",
      "channel.created", "activity", "unread", "inbox.added", "notice", "notice.retract",
      "unsubscribed", "gap", "error", "of.tomorrow",
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
      + #""reply_to":3,"reply_count":2,"reactions":{"👍":{"count":2}},"edited_ts":6,"bot":true,"#
      + #""key":"k"}"#
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
    #expect(message.reactions?.text == #"{"👍":{"count":2}}"#)
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
}

@Suite("JSON values")
struct HubJSONTests {
  @Test(
    "one value is kept as written, white space around it dropped",
    arguments: [
      "null", "true", "-0", "1e+400", #""a\u0041""#, "[]", "{ }", #"{"a" : [1,  2]}"#,
    ])
  func valid(text: String) {
    #expect(HubJSON(" \n\t" + text + "\r ")?.text == text)
  }

  @Test(
    "anything else is none",
    arguments: [
      "", " ", "{", "nul", "1 2", #"1,"v":2"#, #"1},{"v":2"#, "'a'", "[1,]", #"{"a":1,}"#, "01",
      String(repeating: "[", count: 10_000),
    ])
  func invalid(text: String) {
    #expect(HubJSON(text) == nil)
  }

  @Test("a string is escaped so that it reads as itself")
  func string() {
    #expect(HubJSON(string: "a\"b\\c\n\u{1}é👋").text == #""a\"b\\c\n\u0001é👋""#)
  }

  @Test("members are put in front of an object's own")
  func prefix() {
    let member = [UInt8](#""ev":"message""#.utf8)
    #expect(HubJSON(#"{"a":1}"#)?.prefixed(by: member).text == #"{"ev":"message","a":1}"#)
    #expect(HubJSON("{ }")?.prefixed(by: member).text == #"{"ev":"message"}"#)
    #expect(HubJSON("[1]")?.prefixed(by: member).text == "[1]")
  }
}

@Suite("The hub's URL")
struct EndpointTests {
  @Test(
    "host, port and path",
    arguments: [
      ("ws://127.0.0.1:8080", "127.0.0.1", 8080, "/v1/ws"),
      ("ws://127.0.0.1:8080/", "127.0.0.1", 8080, "/v1/ws"),
      ("WS://hub.example", "hub.example", 80, "/v1/ws"),
      ("http://127.0.0.1:8080", "127.0.0.1", 8080, "/v1/ws"),
      ("ws://[::1]:9", "::1", 9, "/v1/ws"),
      ("ws://[::1]", "::1", 80, "/v1/ws"),
      ("ws://h/chat/ws?x=1#frag", "h", 80, "/chat/ws?x=1"),
      ("ws://h?token=t", "h", 80, "/v1/ws?token=t"),
    ])
  func good(url: String, host: String, port: Int, path: String) throws {
    let endpoint = try Endpoint(url)
    #expect((endpoint.host, endpoint.port, endpoint.path) == (host, port, path))
  }

  @Test(
    "what cannot be used is explained",
    arguments: [
      ("wss://hub.example", "TLS"), ("https://hub.example", "TLS"), ("ftp://x", "scheme"),
      ("127.0.0.1:8080", "look like"), ("", "look like"), ("ws://", "no host"),
      ("ws://h:0", "port"), ("ws://h:65536", "port"), ("ws://h:x", "port"), ("ws://h:", "port"),
      ("ws://u:p@h", "user name"), ("ws://h/\r\nX: y", "look like"), ("ws://[::1", "port"),
      ("ws://[::1]x", "malformed"),
    ])
  func bad(url: String, word: String) throws {
    let error = try #require(throws: HubError.self) { try Endpoint(url) }
    #expect(error.code == HubError.badURL)
    #expect(error.message.contains(word))
  }
}
