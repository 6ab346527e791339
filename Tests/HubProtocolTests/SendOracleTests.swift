import Foundation
import HubProtocol
import SeededRandom
import Testing

/// `message.send` read a second time, with Foundation and the words of the protocol alone.
@Suite("message.send against a reader made of Foundation")
struct SendOracleTests {
  @Test("both accept the same requests, with the same values", arguments: seeds)
  func agreement(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var accepted = 0
    for _ in 0..<8_000 {
      let bytes = RequestEncoder.encode(
        Request(id: nil, operation: .messageSend(random.plainSend())))
      let changed = random.oneIn(3) ? bytes : random.mutated(bytes)
      guard isComparable(changed) else { continue }
      let (ours, theirs) = (hub(changed), SendOracle.read(changed))
      if ours != nil { accepted += 1 }
      guard ours != theirs else { continue }
      Issue.record(
        "seed \(seed): \(text(changed)): \(decode(changed)), \(String(describing: theirs))")
      return
    }
    #expect(accepted > 2_000)
  }

  /// Not where the two are known to read JSON differently, nor where the operation is another one.
  private func isComparable(_ bytes: [UInt8]) -> Bool {
    let text = text(bytes)
    return FoundationJudge.isObject(bytes) == (JSONObject(bytes) != nil)
      && !text.unicodeScalars.contains("\u{FEFF}") && !text.lowercased().contains("\\ufeff")
  }

  private func hub(_ bytes: [UInt8]) -> SendOracle? {
    guard case .request(let request) = decode(bytes),
      case .messageSend(let send) = request.operation
    else { return nil }
    return SendOracle(send)
  }
}

extension SplitMix64 {
  /// A message without attachments, which the oracle does not know.
  fileprivate mutating func plainSend() -> MessageSend {
    let send = messageSend()
    var content = send.content
    content.attachments = nil
    if content.isEmpty { content.text = text(upTo: 20) }
    return MessageSend(
      channel: send.channel, content: content, replyTo: send.replyTo, key: send.key,
      isRetry: send.isRetry, hops: send.hops)
  }
}

/// What a message says.
private struct SendOracle: Equatable {
  var channel = ""
  var text: String?
  var data: JSONTree?
  var mentions: [String] = []
  var mentionsChannel = false
  var replyTo: Int?
  var key: String?
  var isRetry = false
  var hops = 0

  private struct Bad: Error {}

  /// What the hub made of it.
  init(_ send: MessageSend) {
    channel = send.channel.text
    text = send.content.text
    data = send.content.data.flatMap { JSONTree(foundation: $0.bytes) }
    mentions = send.content.mentions.map(\.text)
    mentionsChannel = send.content.mentionsChannel
    replyTo = send.replyTo
    key = send.key
    isRetry = send.isRetry
    hops = send.hops
  }

  /// Nil for what is no such request.
  static func read(_ bytes: [UInt8]) -> SendOracle? {
    let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    guard let members = object?.filter({ !($0.value is NSNull) }),
      members["op"] as? String == "message.send"
    else { return nil }
    return try? SendOracle(members)
  }

  private init(_ members: [String: Any]) throws {
    guard try Self.integer(members["id"], 1) ?? 1 > 0, members["attachments"] == nil,
      let name = try Self.string(members["channel"]), Self.isName(name, 128)
    else { throw Bad() }
    channel = name
    text = try Self.string(members["text"])
    guard text.map({ (1...5_000).contains($0.count) }) ?? true else { throw Bad() }
    data = members["data"].flatMap { value in
      (try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed]))
        .flatMap { JSONTree(foundation: [UInt8]($0)) }
    }
    guard text != nil || data != nil else { throw Bad() }
    try readMentions(members["mentions"])
    replyTo = try Self.integer(members["reply_to"], 1)
    key = try Self.string(members["key"])
    guard key.map({ (1...64).contains($0.utf8.count) }) ?? true else { throw Bad() }
    isRetry = try Self.bool(members["retry"]) ?? false
    hops = try Self.integer(members["hops"], 0) ?? 0
  }

  private mutating func readMentions(_ value: Any?) throws {
    guard let value else { return }
    guard let list = value as? [Any], list.count <= 100 else { throw Bad() }
    for entry in list {
      guard let name = try Self.string(entry) else { throw Bad() }
      if name == "@channel" {
        mentionsChannel = true
      } else if Self.isName(name, 120) {
        if !mentions.contains(name) { mentions.append(name) }
      } else {
        throw Bad()
      }
    }
  }

  private static func isName(_ name: String, _ limit: Int) -> Bool {
    let alphabet = Set(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.:@#".utf8)
    return (1...limit).contains(name.utf8.count) && !name.hasPrefix("@")
      && name.utf8.allSatisfy(alphabet.contains)
  }

  private static func string(_ value: Any?) throws -> String? {
    guard let value else { return nil }
    guard let text = value as? String, !text.unicodeScalars.contains("\0") else { throw Bad() }
    return text
  }

  private static func bool(_ value: Any?) throws -> Bool? {
    guard let value else { return nil }
    guard let number = value as? NSNumber, JSONTree.isBool(number) else { throw Bad() }
    return number.boolValue
  }

  /// An integer from `lowest` on, as far as 2^53−1; Foundation marks what is written otherwise.
  private static func integer(_ value: Any?, _ lowest: Int) throws -> Int? {
    guard let value else { return nil }
    guard let number = value as? NSNumber, !JSONTree.isBool(number),
      number.objCType.pointee != CChar(bitPattern: UInt8(ascii: "d")),
      (lowest...9_007_199_254_740_991).contains(number.intValue)
    else { throw Bad() }
    return number.intValue
  }
}
