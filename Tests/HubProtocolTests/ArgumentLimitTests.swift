import HubProtocol
import Testing

/// One argument at its limit and one byte, entry or character above it.
struct LimitCase: Sendable, CustomTestStringConvertible {
  var name: String
  /// A request whose argument has this size.
  var request: @Sendable (Int) -> String
  var limit: Int
  var code: ErrorCode

  init(
    _ name: String, _ limit: Int, _ code: ErrorCode,
    _ request: @escaping @Sendable (Int) -> String
  ) {
    self.name = name
    self.request = request
    self.limit = limit
    self.code = code
  }

  var testDescription: String { name }
}

@Suite("Limits of arguments")
struct ArgumentLimitTests {
  @Test("up to the limit is accepted, one more is refused", arguments: Self.cases)
  func limit(_ limit: LimitCase) {
    guard case .request(let request) = decode(limit.request(limit.limit)) else {
      Issue.record("\(limit.name) at its limit: \(decode(limit.request(limit.limit)))")
      return
    }
    #expect(decode(RequestEncoder.encode(request)) == .request(request))
    guard case .refused(let id, let op, let refusal) = decode(limit.request(limit.limit + 1))
    else {
      Issue.record("\(limit.name) above its limit was accepted")
      return
    }
    #expect(id == RequestID(1))
    #expect(op == request.operation.name)
    #expect(refusal.code == limit.code)
  }

  private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

  private static func list(_ count: Int) -> String {
    (0..<count).map { "\"u\($0)\"" }.joined(separator: ",")
  }

  private static func items(_ count: Int) -> String {
    (1...count).map { "\"\($0)\"" }.joined(separator: ",")
  }

  private static let create = #""id":1,"op":"channel.create","channel":"a","kind":"group""#
  private static let send = #""id":1,"op":"message.send","channel":"a""#
  private static let notify = #""id":1,"op":"notify","channel":"a","type":"t","text":"x""#

  private static let update = #""id":1,"op":"channel.update","channel":"a""#
  private static let profile = #""id":1,"op":"user.update""#
  private static let edit = #""id":1,"op":"message.edit","channel":"a","seq":1"#

  private static let cases: [LimitCase] = texts + labels + profiles + lists

  private static let texts = [
    LimitCase("text in characters", 5_000, .tooLarge) { #"{\#(send),"text":"\#(a($0))"}"# },
    LimitCase("text in characters of 3 bytes", 5_000, .tooLarge) {
      "{\(send),\"text\":\"\(String(repeating: "a\u{308}", count: $0))\"}"
    },
    LimitCase("edited text in characters", 5_000, .tooLarge) {
      #"{\#(edit),"text":"\#(a($0))"}"#
    },
    LimitCase("text in bytes", 32 * 1_024, .tooLarge) {
      "{\(send),\"text\":\"\(a($0 - 32 * 1_000))\(String(repeating: family, count: 1_280))\"}"
    },
  ]

  /// One character of 25 bytes.
  private static let family = "👩‍👩‍👧‍👦"

  private static let labels = [
    LimitCase("key", 64, .tooLarge) { #"{\#(send),"text":"x","key":"\#(a($0))"}"# },
    LimitCase("collapse", 64, .tooLarge) { #"{\#(notify),"collapse":"\#(a($0))"}"# },
    LimitCase("title", 1_024, .tooLarge) { #"{\#(notify),"title":"\#(a($0))"}"# },
    LimitCase("type", 64, .tooLarge) {
      #"{"id":1,"op":"notify","channel":"a","type":"\#(a($0))","text":"x"}"#
    },
    LimitCase("key of notify", 64, .tooLarge) { #"{\#(notify),"key":"\#(a($0))"}"# },
    LimitCase("key of notify.retract", 64, .tooLarge) {
      #"{"id":1,"op":"notify.retract","channel":"a","key":"\#(a($0))"}"#
    },
    LimitCase("data of notify", 65_536, .tooLarge) { #"{\#(notify),"data":"\#(a($0 - 2))"}"# },
    LimitCase("data of notify as written", 65_536, .tooLarge) {
      #"{\#(notify),"data":[\#(String(repeating: " ", count: $0 - 2))]}"#
    },
    LimitCase("type of inbox.mark", 64, .tooLarge) {
      #"{"id":1,"op":"inbox.mark","state":"read","upto":1,"types":["\#(a($0))"]}"#
    },
    LimitCase("target.kind", 1_024, .tooLarge) {
      #"{\#(notify),"target":{"kind":"\#(a($0))","id":"1"}}"#
    },
    LimitCase("target.id", 1_024, .tooLarge) {
      #"{\#(notify),"target":{"kind":"v","id":"\#(a($0))"}}"#
    },
    LimitCase("target.url", 4_096, .tooLarge) {
      #"{\#(notify),"target":{"kind":"v","id":"1","url":"https://\#(a($0 - 8))"}}"#
    },
    LimitCase("name", 1_024, .tooLarge) { #"{\#(create),"name":"\#(a($0))"}"# },
    LimitCase("details", 8_192, .tooLarge) { #"{\#(create),"details":"\#(a($0))"}"# },
    LimitCase("avatar", 4_096, .tooLarge) { #"{\#(create),"avatar":"http://\#(a($0 - 7))"}"# },
    LimitCase("custom", 65_536, .tooLarge) { #"{\#(create),"custom":"\#(a($0 - 2))"}"# },
    LimitCase("token", 16_384, .tooLarge) { #"{"id":1,"op":"hello","token":"\#(a($0))"}"# },
    LimitCase("cursor", Limits.cursorBytes, .tooLarge) {
      #"{"id":1,"op":"channel.list","cursor":"\#(a($0))"}"#
    },
    LimitCase("name of channel.update", 1_024, .tooLarge) { #"{\#(update),"name":"\#(a($0))"}"# },
    LimitCase("details of channel.update", 8_192, .tooLarge) {
      #"{\#(update),"details":"\#(a($0))"}"#
    },
    LimitCase("avatar of channel.update", 4_096, .tooLarge) {
      #"{\#(update),"avatar":"http://\#(a($0 - 7))"}"#
    },
    LimitCase("custom of channel.update", 65_536, .tooLarge) {
      #"{\#(update),"custom":"\#(a($0 - 2))"}"#
    },
    LimitCase("custom of member.update", 65_536, .tooLarge) {
      #"{"id":1,"op":"member.update","channel":"a","custom":"\#(a($0 - 2))"}"#
    },
    LimitCase("attachment url", 4_096, .tooLarge) {
      #"{\#(send),"attachments":[{"kind":"link","url":"http://\#(a($0 - 7))"}]}"#
    },
  ]

  private static let profiles = [
    LimitCase("name of user.update", 1_024, .tooLarge) { #"{\#(profile),"name":"\#(a($0))"}"# },
    LimitCase("username", 64, .tooLarge) { #"{\#(profile),"username":"\#(a($0))"}"# },
    LimitCase("username in lower case", 64, .tooLarge) {
      // 2 bytes, in lower case 3.
      #"{\#(profile),"username":"\#(a($0 - 60))\#(String(repeating: "İ", count: 20))"}"#
    },
    LimitCase("avatar of user.update", 4_096, .tooLarge) {
      #"{\#(profile),"avatar":"http://\#(a($0 - 7))"}"#
    },
    LimitCase("bio", 8_192, .tooLarge) { #"{\#(profile),"bio":"\#(a($0))"}"# },
    LimitCase("custom of user.update", 65_536, .tooLarge) {
      #"{\#(profile),"custom":"\#(a($0 - 2))"}"#
    },
    LimitCase("custom of user.put", 65_536, .tooLarge) {
      #"{"id":1,"op":"user.put","users":[{"id":"a","custom":"\#(a($0 - 2))"}]}"#
    },
    LimitCase("token of token.refresh", 16_384, .tooLarge) {
      #"{"id":1,"op":"token.refresh","token":"\#(a($0))"}"#
    },
    LimitCase("reaction", 32, .tooLarge) {
      #"{"id":1,"op":"reaction.add","channel":"a","seq":1,"reaction":"\#(a($0))"}"#
    },
    LimitCase("reason", 1_024, .tooLarge) {
      #"{"id":1,"op":"message.flag","channel":"a","seq":1,"reason":"\#(a($0))"}"#
    },
    LimitCase("name of a signal", 64, .tooLarge) {
      #"{"id":1,"op":"signal","channel":"a","name":"\#(a($0))"}"#
    },
    LimitCase("q", 256, .tooLarge) { #"{"id":1,"op":"user.search","q":"\#(a($0))"}"# },
    LimitCase("dir", Limits.pathBytes, .tooLarge) {
      #"{"id":1,"op":"admin.backup","dir":"/\#(a($0 - 1))"}"#
    },
    LimitCase("muted type", 64, .tooLarge) {
      #"{"id":1,"op":"user.settings","mute":{"types":["\#(a($0))"]}}"#
    },
  ]

  private static let lists = [
    LimitCase("members", 100, .badRequest) { #"{\#(create),"members":[\#(list($0))]}"# },
    LimitCase("users", 100, .badRequest) {
      #"{"id":1,"op":"member.add","channel":"a","users":[\#(list($0))]}"#
    },
    LimitCase("to", 10_000, .badRequest) {
      #"{"id":1,"op":"notify","to":[\#(list($0))],"type":"t","text":"x"}"#
    },
    LimitCase("mentions", 100, .badRequest) {
      #"{\#(send),"text":"x","mentions":[\#(list($0))]}"#
    },
    LimitCase("types", 100, .badRequest) {
      #"{"id":1,"op":"inbox.list","types":[\#(list($0))]}"#
    },
    LimitCase("to of notify.retract", 10_000, .badRequest) {
      #"{"id":1,"op":"notify.retract","to":[\#(list($0))],"key":"k"}"#
    },
    LimitCase("members of a segment", 8, .badRequest) { count in
      let members = (0..<count).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
      return #"{"id":1,"op":"notify","to":{"segment":{\#(members)}},"type":"t","text":"x"}"#
    },
    LimitCase("depth of a notification's data", 32, .badRequest) {
      let open = String(repeating: "[", count: $0)
      let close = String(repeating: "]", count: $0)
      return #"{\#(notify),"data":\#(open)\#(close)}"#
    },
    LimitCase("types of inbox.counts", 100, .badRequest) {
      #"{"id":1,"op":"inbox.counts","types":[\#(list($0))]}"#
    },
    LimitCase("types of inbox.delete", 100, .badRequest) {
      #"{"id":1,"op":"inbox.delete","upto":1,"types":[\#(list($0))]}"#
    },
    LimitCase("ids of inbox.mark", 100, .badRequest) {
      #"{"id":1,"op":"inbox.mark","state":"seen","ids":[\#(items($0))]}"#
    },
    LimitCase("ids of inbox.delete", 100, .badRequest) {
      #"{"id":1,"op":"inbox.delete","ids":[\#(items($0))]}"#
    },
    LimitCase("upto", Limits.largestInteger, .badRequest) {
      #"{"id":1,"op":"inbox.mark","state":"seen","upto":\#($0)}"#
    },
    LimitCase("users of presence.get", 100, .badRequest) {
      #"{"id":1,"op":"presence.get","users":[\#(list($0))]}"#
    },
    LimitCase("channels of presence.get", 100, .badRequest) {
      #"{"id":1,"op":"presence.get","channels":[\#(list($0))]}"#
    },
    LimitCase("users of user.get", 100, .badRequest) {
      #"{"id":1,"op":"user.get","users":[\#(list($0))]}"#
    },
    LimitCase("muted users", 100, .badRequest) {
      #"{"id":1,"op":"user.settings","mute":{"users":[\#(list($0))]}}"#
    },
    LimitCase("depth of edited data", 32, .badRequest) {
      let open = String(repeating: "[", count: $0 - 1)
      let close = String(repeating: "]", count: $0 - 1)
      return #"{\#(edit),"data":[\#(open)\#(close)]}"#
    },
    LimitCase("depth of attachments", 30, .badRequest) {
      let open = String(repeating: "[", count: $0)
      let close = String(repeating: "]", count: $0)
      return #"{\#(send),"attachments":[{"kind":"json","x":\#(open)\#(close)}]}"#
    },
    LimitCase("limit of channel.list", 100, .badRequest) {
      #"{"id":1,"op":"channel.list","limit":\#($0)}"#
    },
    LimitCase("limit of subscribe", 300, .badRequest) {
      #"{"id":1,"op":"subscribe","channel":"a","limit":\#($0)}"#
    },
  ]
}
