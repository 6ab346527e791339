import HubProtocol
import Testing

@Suite("What clients read")
struct ServerMessageTests {
  private func message(_ text: String) -> ServerMessage? {
    ServerMessage.decode([UInt8](text.utf8))
  }

  @Test("a reply brings its id and what stood in ok")
  func reply() throws {
    guard case .reply(let id, .success(let ok))? = message(#"{"id":7,"ok":{"seq":42}}"#) else {
      Issue.record("not a reply")
      return
    }
    #expect(id == RequestID(7))
    #expect(ok.integer("seq") == 42)
  }

  @Test("an error of a reply is a refusal")
  func refusal() {
    let text = #"{"id":7,"error":{"code":"rate_limited","message":"slower","retry_after_ms":500}}"#
    guard case .reply(_, .failure(let refusal))? = message(text) else {
      Issue.record("not a refusal")
      return
    }
    #expect(refusal == Refusal(.rateLimited, "slower", retryAfterMilliseconds: 500))
    #expect(refusal.codeText == "rate_limited")
  }

  @Test("an error code of a newer hub survives as text")
  func unknownCode() {
    guard case .reply(_, .failure(let refusal))? = message(#"{"id":7,"error":{"code":"teapot"}}"#)
    else {
      Issue.record("not a refusal")
      return
    }
    #expect(refusal.code == .internal)
    #expect(refusal.codeText == "teapot")
    var encoder = WireEncoder(capacity: 64)
    encoder.encode(Event.error(op: nil, refusal))
    #expect(text(encoder.bytes).contains(#""code":"teapot""#))
  }

  @Test("an event brings its name and the whole object, unknown names too")
  func event() {
    guard case .event("later", let object)? = message(#"{"ev":"later","x":[1,"a",{"b":2}]}"#)
    else {
      Issue.record("not an event")
      return
    }
    #expect(object.string("ev") == "later")
    #expect(object.array("x") == [raw("1"), raw("\"a\""), raw(#"{"b":2}"#)])
  }

  @Test(
    "what is neither reply nor event is nothing",
    arguments: [
      "", "[]", "7", "{}", #"{"id":7}"#, #"{"id":0,"ok":{}}"#, #"{"id":7,"ok":1}"#,
      #"{"id":7,"error":{}}"#, #"{"ev":1}"#, #"{"ev":"x""#,
    ])
  func nothing(_ text: String) {
    #expect(message(text) == nil)
  }

  @Test("every vector of the hub can be read", arguments: Vectors.outbound)
  func vectors(_ vector: Vectors.Outbound) {
    #expect(message(vector.out) != nil)
  }

  @Test("an object gives its members by kind")
  func accessors() throws {
    let text = """
      {"s":"a\\u00e4\\n","i":-5,"f":1.5,"b":false,"n":null,"o":{"s":"in", "x":[]},
       "l":["a",1,"b",{"k":1},{"k":2}],"big":9007199254740992,"\\u006b":"escaped","s2":"\\ud800",
       "twice":1,"twice":2, "raw": {"a" : 1} }
      """
    let object = try #require(JSONObject([UInt8](text.utf8)))
    #expect(object.string("s") == "aä\n")
    #expect(object.integer("i") == -5)
    #expect(object.bool("b") == false)
    #expect(object.object("o")?.string("s") == "in")
    #expect(object.object("o")?.array("x").isEmpty == true)
    #expect(object.strings("l") == ["a", "b"])
    #expect(object.objects("l").map { $0.integer("k") } == [1, 2])
    #expect(object.string("k") == "escaped")
    #expect(object.integer("twice") == 2)
    #expect(object.raw("raw") == raw(#"{"a" : 1}"#))
    #expect(object.raw("s") == raw(#""a\u00e4\n""#))
    #expect(object.keys.count == 13)
  }

  @Test("what is absent, null or of another kind is nil")
  func absent() throws {
    let object = try #require(
      JSONObject([UInt8](#"{"n":null,"f":1.5,"big":9007199254740992,"s":"\ud800"}"#.utf8)))
    #expect(object.raw("n") == nil)
    #expect(object.raw("x") == nil)
    #expect(object.integer("f") == nil)
    #expect(object.integer("big") == nil)
    #expect(object.string("s") == nil)
    #expect(object.string("f") == nil)
    #expect(object.object("f") == nil)
    #expect(object.bool("f") == nil)
    #expect(object.array("f").isEmpty)
  }
}
