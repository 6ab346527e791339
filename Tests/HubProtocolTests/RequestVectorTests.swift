import HubProtocol
import Testing

@Suite("Golden vectors")
struct VectorFileTests {
  @Test("every file can be read and names each vector once")
  func files() {
    #expect(Set(Vectors.requests.map(\.name)).count == Vectors.requests.count)
    #expect(Vectors.requests.count > 200)
    #expect(Set(Vectors.replies.map(\.name)) == Set(SampleReplies.all.keys))
    #expect(Set(Vectors.events.map(\.name)) == Set(SampleEvents.all.keys))
  }

  @Test("every operation occurs accepted and refused")
  func operations() {
    let accepted = Vectors.requests.compactMap { vector -> String? in
      guard case .request(let request) = decode(vector.in) else { return nil }
      return request.operation.name
    }
    let refused = Vectors.requests.compactMap(\.refused?.op)
    #expect(Set(accepted).count == 60)
    #expect(Set(accepted).isSubset(of: refused))
  }
}

@Suite("Envelope and arguments")
struct RequestVectorTests {
  @Test("a message is what its vector says", arguments: Vectors.requests)
  func decodes(_ vector: Vectors.Inbound) {
    switch decode(vector.in) {
    case .request(let request):
      #expect(text(RequestEncoder.encode(request)) == vector.request)
    case .refused(let id, let op, let refusal):
      let refused = Vectors.Inbound.Refused(
        id: id?.number, op: op, code: refusal.code.rawValue)
      #expect(refused == vector.refused)
      #expect(!refusal.message.isEmpty)
    case .notAnObject:
      #expect(vector.closes == 4501)
    }
  }

  @Test("a refusal names the argument and its rule")
  func sentences() {
    expectSentence(
      #"{"op":"channel.list","limit":0}"#, "`limit` must be an integer from 1 to 100")
    expectSentence(#"{"op":"subscribe"}"#, "`channel` is required")
    expectSentence(#"{"id":0}"#, "`id` must be an integer from 1 to 2^53-1")
    expectSentence(
      #"{"op":"read","channel":"a","seq":-1}"#, "`seq` must be an integer from 0 to 2^53-1")
    expectSentence(
      #"{"op":"channel.list","scope":"x"}"#, "`scope` must be one of `joined`, `joinable`, `all`")
    expectSentence(
      #"{"op":"hello","since_user":[]}"#, "`since_user` must be a string")
    expectSentence(
      #"{"op":"notify","to":["a"],"type":"t","text":"x","expires_ts":"1"}"#,
      "`expires_ts` must be an integer from 0 to 2^53-1")
    expectSentence(
      #"{"op":"user.settings","dnd_until_ts":-1}"#,
      "`dnd_until_ts` must be an integer from 0 to 2^53-1")
    expectSentence(
      #"{"op":"user.settings","dm_policy":"x"}"#,
      "`dm_policy` must be one of `everyone`, `contacts`, `nobody`")
    expectSentence(
      #"{"op":"user.settings","dnd_schedule":[{"days":["mon"],"from":"7"}]}"#,
      "`from` must be a time of day from 00:00 to 23:59")
    expectSentence(#"{"op":"user.update"}"#, "there is nothing to change")
    expectSentence(#"{"op":"admin.backup","dir":"a"}"#, "`dir` must be an absolute path")
    expectSentence(
      #"{"op":"user.put","users":[7]}"#, "`users` must be a list of objects")
    expectSentence(
      #"{"op":"presence.get"}"#, "exactly one of `users` and `channels` is required")
  }

  @Test("a refusal about inboxes does too")
  func inboxSentences() {
    expectSentence(
      #"{"op":"inbox.mark","upto":1}"#, "`state` is required")
    expectSentence(
      #"{"op":"inbox.mark","state":"x","upto":1}"#,
      "`state` must be one of `unseen`, `seen`, `read`, `archived`")
    expectSentence(
      #"{"op":"inbox.delete"}"#, "exactly one of `ids` and `upto` is required")
    expectSentence(
      #"{"op":"inbox.delete","ids":[]}"#, "`ids` must be a list of 1 to 100 entries")
    expectSentence(
      #"{"op":"inbox.delete","ids":["1"],"types":[]}"#, "`types` goes with `upto` only")
    expectSentence(
      #"{"op":"inbox.act","item":"x"}"#, "there is no such item in your inbox")
    expectSentence(
      #"{"op":"notify.retract","to":[],"key":"k"}"#,
      "`to` must be a list of 1 to 10000 entries, or `segment`")
    expectSentence(
      #"{"op":"notify.retract","key":"k"}"#, "exactly one of `to` and `channel` is required")
    expectSentence(
      #"{"op":"notify.retract","to":{},"key":"k"}"#, "`segment` is required")
    expectSentence(
      #"{"op":"notify.retract","to":{"segment":{}},"key":"k"}"#,
      "`segment` must be an object of 1 to 8 strings, numbers and truth values")
    expectSentence(
      #"{"op":"notify.retract","channel":"a"}"#, "`key` is required")
    expectSentence(
      #"{"op":"notify","channel":"a","type":"t","text":"x","data":"\#(long)"}"#,
      "`data` must not exceed 65536 bytes")
  }

  private let long = String(repeating: "x", count: Limits.notificationDataBytes - 1)

  private func expectSentence(_ message: String, _ sentence: String) {
    guard case .refused(_, _, let refusal) = decode(message) else {
      Issue.record("\(message) was not refused")
      return
    }
    #expect(refusal.message == sentence)
  }

  @Test("invalid UTF-8 is not an object", arguments: Self.invalidUTF8)
  func refusesInvalidUTF8(_ bytes: [UInt8]) {
    let head = [UInt8](#"{"op":"ping","x":""#.utf8)
    #expect(decode(head + bytes + [UInt8](#""}"#.utf8)) == .notAnObject)
    #expect(decode(head + bytes) == .notAnObject)
  }

  private static let invalidUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF],
    [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xFF],
  ]

  @Test("an ignored argument may nest to any depth", arguments: [2, 33, 64, 65, 66, 512, 100_000])
  func nesting(levels: Int) {
    for (open, close) in [("[", "]"), (#"{"a":["#, "]}"), (#"{"a":1,"b":"#, "}")] {
      let nested =
        String(repeating: open, count: levels) + "7" + String(repeating: close, count: levels)
      let ping = Inbound.request(Request(id: nil, operation: .ping))
      #expect(decode(#"{"op":"ping","x":\#(nested)}"#) == ping)
      #expect(decode(#"{"op":"ping","x":\#(nested)"#) == .notAnObject)
      #expect(decode(#"{"op":"ping","x":\#(nested)\#(close)}"#) == .notAnObject)
      #expect(decode(#"{"op":"ping","x":\#(nested.dropLast(close.count))}"#) == .notAnObject)
    }
  }

  @Test("data beyond 32 levels is refused, however deep", arguments: [33, 64, 65, 66, 65_568])
  func deepData(levels: Int) {
    let data = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    let inbound = decode(
      #"{"id":1,"op":"message.send","channel":"room:a","data":\#(data)}"#)
    guard case .refused(_, _, let refusal) = inbound else {
      Issue.record("accepted at \(levels) levels")
      return
    }
    #expect(refusal.code == .badRequest)
  }

  @Test("many thousand unknown arguments are ignored")
  func manyArguments() {
    let many = (0..<20_000).map { "\"a\($0)\":\($0)" }.joined(separator: ",")
    #expect(decode("{\(many),\"op\":\"ping\"}") == .request(Request(id: nil, operation: .ping)))
  }

  @Test("an unknown op of more than 1,024 bytes is not echoed")
  func longOperation() {
    let op = String(repeating: "x", count: 1_025)
    guard case .refused(let id, let echoed, let refusal) = decode(#"{"id":1,"op":"\#(op)"}"#)
    else {
      Issue.record("not refused")
      return
    }
    #expect(id == RequestID(1))
    #expect(echoed == nil)
    #expect(refusal.code == .unknownOperation)
  }
}
