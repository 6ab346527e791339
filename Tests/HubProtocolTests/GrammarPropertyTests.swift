import Foundation
import HubProtocol
import SeededRandom
import Testing

/// Foundation as the judge of what JSON is. It differs from the hub, and from RFC 8259, in this:
/// - A lone surrogate escape is refused by Foundation; to the hub it is good JSON, and bad text.
/// - Foundation reads UTF-16 and UTF-32, and skips a byte order mark; the hub reads UTF-8 only.
/// - Foundation refuses numbers that a `Double` cannot hold; the hub keeps them as they are.
/// - Foundation lets a comma stand before a closing brace or bracket.
/// - U+FEFF in a string is lost in Foundation; to the hub it is a character like others.
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
      guard ours != isJSONObject(bytes), !isKnownDifference(bytes, ours: ours) else { continue }
      Issue.record("seed \(seed): hub \(ours): \(text(bytes)) \(bytes)")
      return
    }
    #expect(accepted > 2_000)
  }

  private func isKnownDifference(_ bytes: [UInt8], ours: Bool) -> Bool {
    let text = text(bytes).lowercased()
    if ours {
      // Surrogate escapes, lone or not, and exponents that leave a `Double`.
      return text.contains("\\ud") || text.contains(#/[0-9]e[-+]?[0-9]{3}/#)
    }
    // Other encodings show by a NUL, or by a byte order mark, which mutation can make.
    return bytes.contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF])
      || text.contains(#/,\s*[}\]]/#)
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

  /// The same, but Foundation loses every U+FEFF.
  private func isFoundation(_ read: String?, _ written: String) -> Bool {
    func kept(_ text: String) -> [UInt32] {
      text.unicodeScalars.map(\.value).filter { $0 != 0xFEFF }
    }
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
