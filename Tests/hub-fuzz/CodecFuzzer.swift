import Foundation
import HubProtocol
import HubStage
import SeededRandom

/// Requests and answers, changed. What is read as a request is written and read again the same;
/// what Foundation too holds for an object has the same members.
struct CodecFuzzer: Fuzzer {
  let name = "codec"
  private let corpus: Corpus
  private let mutator: Mutator

  init(_ corpus: Corpus) {
    self.corpus = corpus
    let words = [
      "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "false", "0", "-0", "1e9", "1.5",
      "\\u0000", "\\ud83d", "\\ud83d\\udc4d", "\\u00e9", "\u{feff}", "é", "👍", " ", "\n",
      "9007199254740991", "9007199254740992", "-9223372036854775808", "18446744073709551616",
      "\"id\":1,", "\"op\":\"ping\",", "\"limit\":100,", "\"since\":{\"epoch\":\"e\",\"seq\":1},",
      "\"mentions\":[\"@channel\"],", "\"data\":", "\"to\":[\"a\"],", "[[[[[[[[", "{\"a\":",
    ]
    mutator = Mutator(
      words: words.map { Array($0.utf8) } + [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0]],
      others: corpus.requests + corpus.answers)
  }

  func flaw(_ random: inout SplitMix64) -> String? {
    let source = random.pick(random.oneIn(3) ? corpus.answers : corpus.requests)
    let bytes =
      random.oneIn(2) ? exchanged(source, &random) : mutator.mutated(source, most: 3, &random)
    let flaw = requestFlaw(bytes) ?? answerFlaw(bytes) ?? objectFlaw(bytes)
    return flaw.map { "\($0): \(bytes)\n\(String(decoding: bytes, as: UTF8.self))" }
  }

  /// Another value in the place of some, so that it mostly stays an object.
  private func exchanged(_ source: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = source
    for _ in 0...random.below(3) {
      let starts = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
      guard !starts.isEmpty else { return bytes }
      let rest = bytes[(random.pick(starts) + 1)...]
      let end = rest.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
      let value = random.pick(Self.values)
      bytes.replaceSubrange(rest.startIndex..<(end ?? rest.endIndex), with: value.utf8)
    }
    return bytes
  }

  private static let values = [
    "null", "true", "0", "-0", "1", "1.0", "1e2", "1E400", "-1", "127", "128", "16384",
    "2147483648", "9007199254740991", "9007199254740992", "9223372036854775808", "\"\"", "\"a\"",
    "\"room:1\"", "\"@channel\"", "\"\\u0000\"", "\"\\ud800\"", "\"\\ud83d\\udc4d\"", "[]",
    "[\"a\",\"a\"]", "[\"@channel\"]", "[null]", "{}", "{\"seq\":1,\"epoch\":\"\"}",
    "\"https://a.example\"", "\"message.send\"", "\"channel.create\"", "\"notify\"",
    "\"subscribe\"", "\"public\"", "\"message.edit\"", "\"user.put\"", "\"user.settings\"",
    "\"owner\"", "\"away\"", "\"nobody\"", "\"channel\"", "\"👍\"", "[{\"id\":\"a\"}]",
    "[{\"id\":\"a\",\"bot\":true},{\"id\":\"b\",\"username\":\"A\"}]",
    "[{\"days\":[\"mon\"],\"from\":\"22:00\",\"to\":\"06:59\",\"tz\":\"UTC\"}]",
    "{\"types\":[],\"users\":[\"a\"],\"channels\":[\"r\",\"r\"]}", "\"24:00\"",
  ]

  private func requestFlaw(_ bytes: [UInt8]) -> String? {
    switch decode(bytes) {
    case .request(let request):
      let again = decode(RequestEncoder.encode(request))
      return again == .request(request) ? nil : "written and read again, it is \(again)"
    case .refused:
      return JSONObject(bytes) == nil ? "refused, but no object" : nil
    case .notAnObject:
      return JSONObject(bytes) != nil ? "an object, and none" : nil
    }
  }

  private func decode(_ bytes: [UInt8]) -> Inbound {
    bytes.withUnsafeBytes(RequestDecoder.decode)
  }

  private func answerFlaw(_ bytes: [UInt8]) -> String? {
    switch ServerMessage.decode(bytes) {
    case .event(let name, let object):
      guard object.string("ev") == name else { return "an event of another name" }
      return nil
    case .reply(let id, .success):
      return JSONObject(bytes)?.integer("id") == id.number ? nil : "another id"
    case .reply(_, .failure(let refusal)):
      return refusal.codeText.isEmpty && refusal.code != .internal ? "no code" : nil
    case nil:
      return nil
    }
  }

  private func objectFlaw(_ bytes: [UInt8]) -> String? {
    guard !bytes.contains(0), !bytes.starts(with: [0xef, 0xbb, 0xbf]),
      let ours = JSONObject(bytes),
      let theirs = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    else { return nil }
    return difference(ours, theirs)
  }

  private func difference(_ ours: JSONObject, _ theirs: [String: Any]) -> String? {
    // Which of two equal keys counts, Foundation leaves open; it loses U+FEFF, and holds
    // canonically equivalent keys for equal.
    let keys = ours.keys
    guard Set(keys).count == keys.count, keys.count == theirs.count,
      !keys.contains(where: { $0.unicodeScalars.contains("\u{feff}") })
    else { return nil }
    for key in keys {
      guard let value = theirs[key] else { return "`\(key)` is not there for Foundation" }
      if let flaw = difference(ours, key, value) { return "`\(key)`: \(flaw)" }
    }
    return nil
  }

  private func difference(_ ours: JSONObject, _ key: String, _ theirs: Any) -> String? {
    switch theirs {
    case let text as String:
      guard let own = ours.string(key) else {
        return text.unicodeScalars.contains("\0") ? nil : "no string"
      }
      let isSame = plain(own).elementsEqual(plain(text))
      return isSame ? nil : "\(own) is not \(text)"
    case let object as [String: Any]:
      return ours.object(key).map { difference($0, object) } ?? "no object"
    case let list as [Any]:
      return ours.array(key).count == list.count ? nil : "a list of another length"
    case is NSNull:
      return ours.raw(key) == nil ? nil : "not null"
    case let number as NSNumber:
      return difference(ours, key, number)
    default:
      return nil
    }
  }

  private func difference(_ ours: JSONObject, _ key: String, _ number: NSNumber) -> String? {
    if let bool = ours.bool(key) { return bool == number.boolValue ? nil : "another truth value" }
    guard let integer = ours.integer(key) else { return nil }
    return Double(integer) == number.doubleValue ? nil : "\(integer) is not \(number)"
  }

  private func plain(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0 != "\u{feff}" }
  }
}
