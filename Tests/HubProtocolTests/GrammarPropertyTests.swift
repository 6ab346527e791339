import Foundation
import HubProtocol
import SeededRandom
import Testing

@Suite("JSON grammar (RFC 8259)")
struct GrammarPropertyTests {
  @Test("the hub accepts what Foundation accepts", arguments: seeds)
  func agreement(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var accepted = 0
    for _ in 0..<8_000 {
      var bytes = [UInt8]("{\(random.jsonMember(levels: 4))}".utf8)
      if !random.oneIn(3) { bytes = random.mutated(bytes) }
      let ours = JSONObject(bytes) != nil
      if ours { accepted += 1 }
      guard ours != FoundationJudge.isObject(bytes),
        !FoundationJudge.differs(on: bytes, hubAccepts: ours)
      else { continue }
      Issue.record("seed \(seed): hub \(ours): \(text(bytes)) \(bytes)")
      return
    }
    #expect(accepted > 2_000)
  }

  @Test("strings read as Foundation reads them", arguments: seeds)
  func strings(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<3_000 {
      let text = random.text(upTo: 40)
      let escaped = text.unicodeScalars.map { random.written($0) }.joined()
      let bytes = [UInt8](#"{"text":"\#(escaped)"}"#.utf8)
      let theirs = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String]
      let ours = JSONObject(bytes)?.string("text")
      guard !isSame(ours, text) || !isFoundation(theirs?["text"], text) else { continue }
      Issue.record("seed \(seed): \(escaped)")
      return
    }
  }

  @Test("strings are written as long as JSONText says and read back equal", arguments: seeds)
  func escaping(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var encoder = WireEncoder(capacity: 256)
    for _ in 0..<3_000 {
      let text = random.text(upTo: 40)
      encoder.begin(reserving: 0)
      encoder.encode(Event.error(op: text, Refusal(.internal, "")))
      let fixed = #"{"ev":"error","op":"","error":{"code":"internal","message":""}}"#.utf8.count
      let data = Data(encoder.bytes)
      let theirs = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      #expect(isFoundation(theirs?["op"] as? String, text), "seed \(seed)")
      #expect(isSame(JSONObject(encoder.bytes)?.string("op"), text), "seed \(seed)")
      #expect(encoder.bytes.count == fixed + JSONText.escapedCount(text), "seed \(seed)")
    }
  }

  @Test("raw values come back byte for byte", arguments: seeds)
  func rawValues(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let value = random.raw(levels: 6)
      let message = #"{"op":"message.send","channel":"a", "data" :  \#(text(value.bytes))  }"#
      guard case .request(let request) = decode(message),
        case .messageSend(let send) = request.operation, send.content.data == value
      else {
        Issue.record("seed \(seed): \(message)")
        return
      }
    }
  }

  /// The same, but for what Foundation loses.
  private func isFoundation(_ read: String?, _ written: String) -> Bool {
    func kept(_ text: String) -> [UInt8] { [UInt8](FoundationJudge.kept(text).utf8) }
    return read.map { kept($0) == kept(written) } ?? false
  }

  /// Byte for byte: Swift holds canonically equivalent strings for equal.
  private func isSame(_ lhs: String?, _ rhs: String) -> Bool {
    lhs.map { $0.utf8.elementsEqual(rhs.utf8) } ?? false
  }
}

extension SplitMix64 {
  /// One of the ways in which a scalar may stand in a JSON string.
  fileprivate mutating func written(_ scalar: Unicode.Scalar) -> String {
    let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
    guard mustEscape || oneIn(3) else { return String(scalar) }
    return String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16, uppercase: oneIn(2))
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
