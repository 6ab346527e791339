import HubClient
import Testing
import hubctl

@Suite("hubctl: what people see")
struct CommandLineTests {
  @Test(
    "what would drive the terminal is escaped",
    arguments: [
      ("a\u{1B}[2Jb", #"a\u{1b}[2Jb"#), ("a\nb\r\tc", #"a\nb\r\tc"#),
      ("\u{7}\u{8}", #"\u{7}\u{8}"#),
      ("\u{7F}\u{9B}31m", #"\u{7f}\u{9b}31m"#), ("\u{202E}abc", #"\u{202e}abc"#),
      ("\u{2066}x\u{2069}", #"\u{2066}x\u{2069}"#), ("a\u{2028}b", #"a\u{2028}b"#),
      ("\r\n", #"\r\n"#),
    ])
  func escaped(text: String, shown: String) {
    #expect(TerminalText.escape(text) == shown)
  }

  @Test(
    "everything else stays as it is",
    arguments: [
      "שלום עולם, مرحبا", "👨‍👩‍👧‍👦 🏳️‍🌈 1️⃣ 🇩🇪", "e\u{301} क्षि", "\\ \" '", "\u{200E}\u{200F}",
    ])
  func kept(text: String) {
    #expect(Array(TerminalText.escape(text).unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test("no character of C0 and C1 comes through")
  func allControls() {
    for value in Array(UInt32(0)...0x1F) + Array(0x7F...0x9F) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let shown = TerminalText.escape(String(Character(scalar)))
      #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
    }
  }

  @Test(
    "an event is one line",
    arguments: [
      (
        #"{"ev":"message","channel":"r","seq":42,"user":"ana","ts":1,"text":"a\nb"}"#,
        #"T1 #42 ana: a\nb"#
      ),
      (#"{"ev":"message","channel":"r","seq":1,"hidden":true}"#, "T #1 (hidden)"),
      (
        #"{"ev":"message","channel":"r","seq":2,"user":"b","ts":2,"text":"x","data":{"a":1}}"#,
        #"T2 #2 b: x {"a":1}"#
      ),
      (
        #"{"ev":"message","channel":"r","seq":3,"user":"b","ts":2,"text":"x","reply_to":2,"#
          + #""reply_count":2,"edited_ts":5,"reactions":{"👍":{"count":2},"ok":{"count":1}}}"#,
        "T2 #3 b to #2: x (edited) [👍 2, ok 1] (2 replies)"
      ),
      (
        #"{"ev":"message","channel":"r","seq":4,"user":"b","ts":2,"deleted_ts":3}"#,
        "T2 #4 b (deleted)"
      ),
      (
        #"{"ev":"message.updated","channel":"r","seq":2,"user":"b","ts":2,"text":"\u001b[2J","#
          + #""edited_ts":5,"rev":1}"#,
        #"T #2 b: \u{1b}[2J (edited)"#
      ),
      (
        #"{"ev":"message.updated","channel":"r","seq":2,"user":"b","ts":2,"text":"x"}"#,
        "T #2 b: x (changed)"
      ),
      (
        #"{"ev":"message.updated","channel":"r","seq":2,"hidden":true,"rev":1}"#,
        "T #2 (hidden) (changed)"
      ),
      (
        #"{"ev":"message.deleted","channel":"r","seq":2,"user":"b","ts":2,"rev":2}"#, "T #2 deleted"
      ),
      (
        #"{"ev":"reaction","channel":"r","seq":2,"user":"b","reaction":"👍","on":true,"count":3}"#,
        "T #2 b reacted 👍 (3)"
      ),
      (
        #"{"ev":"gap","channel":"r","from":3,"to":9,"rev":1}"#,
        "T gap: the hub left out #3 to #9; they come next"
      ),
      (
        #"{"ev":"gap","channel":"r","from":3,"to":3,"rev":1}"#,
        "T gap: the hub left out #3; it comes next"
      ),
      (
        #"{"ev":"gap","channel":"r","from":3,"to":2,"rev":1}"#,
        "T gap: the hub left out changes; they come next"
      ),
      (
        #"{"ev":"signal","channel":"r","user":"b","name":"\u0007","data":1}"#,
        #"T b signals \u{7} 1"#
      ),
      (#"{"ev":"typing","channel":"r","users":["ana"]}"#, "T ana types"),
      (#"{"ev":"typing","channel":"r","users":[]}"#, "T nobody types"),
      (#"{"ev":"typing","channel":"r","count":150}"#, "T 150 people type"),
      (
        #"{"ev":"receipt","channel":"r","user":"ana","read":3,"delivered":4}"#,
        "T ana read #3, received #4"
      ),
      (
        #"{"ev":"member","channel":"r","user":"ana","change":"joined","role":"member"}"#,
        "T ana joined as member"
      ),
      (
        #"{"ev":"of.tomorrow","channel":"r"}"#, #"T of.tomorrow {"ev":"of.tomorrow","channel":"r"}"#
      ),
      (
        #"{"ev":"notice","surface":"toast","channel":"r","seq":3,"title":"A - B","preview":"hi"}"#,
        "T toast for #3: A - B: hi"
      ),
      (#"{"ev":"notice.retract","channel":"r","seq":3}"#, "T no more notice for #3"),
    ])
  func lines(json: String, shown: String) throws {
    let event = try event(json)
    let line = EventLine(showsChannel: false) { $0.map { "T\($0)" } ?? "T" }
    #expect(line.text(event) == shown)
  }

  @Test("with several channels the line names its own")
  func channel() throws {
    let event = try event(#"{"ev":"typing","channel":"room:x","users":["ana"]}"#)
    let line = EventLine(showsChannel: true) { _ in "T" }
    #expect(line.text(event) == "T room:x ana types")
  }

  static func refusal(_ code: String, retryAfter: Duration? = nil) -> HubError {
    HubError(code: code, message: "said so", retryAfter: retryAfter, origin: .hub)
  }

  @Test(
    "errors say what to do, and exit codes are stable",
    arguments: [
      (refusal("not_found"), Int32(1), "`hubctl channels --scope all`"),
      (refusal("not_member"), 1, "--join"),
      (refusal("unauthenticated"), 77, "--token"),
      (refusal("forbidden"), 1, "said so"),
      (refusal("rate_limited", retryAfter: .seconds(2)), 1, "try again in 2"),
      (refusal("of_tomorrow"), 1, "said so (of_tomorrow)"),
      (HubError(HubError.unreachable, "refused"), 69, "ws://h:1"),
      (HubError(HubError.unreachable, "refused"), 69, "hub serve --dev"),
      (HubError(HubError.timedOut, "late"), 69, "in time"),
      (HubError(HubError.badURL, "no"), 64, "no"),
      (HubError(HubError.ended, "removed"), 1, "removed"),
    ])
  func explains(error: HubError, exitCode: Int32, word: String) {
    let subject = Explanation.Subject(channel: "room:x", canJoin: true)
    let explanation = Explanation(of: error, url: "ws://h:1", about: subject)
    #expect(explanation.exitCode == exitCode)
    #expect(explanation.sentence.contains(word))
    #expect(HubJSON(explanation.json) != nil)
    #expect(explanation.json.hasPrefix(#"{"error":{"code":"\#(error.code)","message":""#))
  }

  @Test("the hub's words cannot drive the terminal either")
  func hostileHub() {
    let error = HubError(
      code: "x", message: "\u{1B}]0;owned\u{7}", retryAfter: nil, origin: .hub)
    let explanation = Explanation(of: error, url: "ws://h:1", about: Explanation.Subject())
    #expect(!explanation.sentence.unicodeScalars.contains { $0.value < 0x20 })
  }
}
