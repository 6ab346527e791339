import HubLoad
import SeededRandom
import Testing

@Suite("Verification: seq and text found in a frame")
struct MessageScanTests {
  private static let event = #"""
    {"ev":"message","channel":"bench:ab:7","seq":42,"user":"bench-ab-1","ts":1795232253721,\#
    "text":"hub0123","key":"k"}
    """#

  private func scan(_ text: String) -> (seq: Int, text: String)? {
    Array(text.utf8).withUnsafeBytes { bytes in
      MessageScan(bytes).map { ($0.seq, String(decoding: bytes[$0.text], as: UTF8.self)) }
    }
  }

  @Test("finds both, wherever they stand")
  func found() throws {
    let usual = try #require(scan(Self.event))
    #expect(usual == (42, "hub0123"))
    let other = try #require(scan(#"{"ev":"message","seq":9007199254740991,"text":"x"}"#))
    #expect(other == (9_007_199_254_740_991, "x"))
  }

  @Test("a message without text has an empty one")
  func withoutText() throws {
    let hidden = try #require(scan(#"{"ev":"message","channel":"c","seq":3,"hidden":true}"#))
    #expect(hidden == (3, ""))
  }

  @Test(
    "what is no message is left to the codec",
    arguments: [
      "", "{", #"{"id":1,"ok":{"seq":42,"text":"x"}}"#, #"{"ev":"message.updated","seq":1}"#,
      #"{"ev":"unread","channel":"c","at":1}"#, #"{"ev":"message","channel":"c"}"#,
      #"{"ev":"message","seq":}"#, #"{"ev":"message","seq":-1}"#, #"{"channel":"c","seq":1}"#,
    ])
  func notAMessage(text: String) {
    #expect(scan(text) == nil)
  }

  @Test("frames that are cut or changed anywhere never trap, and stay within their bytes")
  func hostile() {
    var random = SplitMix64(seed: 3)
    let event = Array(Self.event.utf8)
    for count in 0...event.count {
      var bytes = Array(event.prefix(count))
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      bytes.withUnsafeBytes { raw in
        guard let scan = MessageScan(raw) else { return }
        #expect(scan.text.upperBound <= raw.count && scan.seq >= 0)
      }
    }
  }
}
