import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Inbox: `preview`")
struct PreviewTests {
  private static let family = "👨‍👩‍👧‍👦"

  @Test(
    "text of up to 50 characters stands whole, longer text as its first 50 and `...`",
    arguments: [
      ("hi", "hi"), (repeating("a", 50), repeating("a", 50)),
      (repeating("a", 51), repeating("a", 50) + "..."),
      (repeating("é", 50), repeating("é", 50)),
      (repeating("e\u{301}", 51), repeating("e\u{301}", 50) + "..."),
      (repeating("👍", 51), repeating("👍", 50) + "..."),
    ])
  func text(text: String, preview: String) {
    #expect(Preview.make(MessageContent(text: text)) == preview)
  }

  @Test("it has at most 400 bytes and ends between characters")
  func bytes() {
    let families = Preview.make(MessageContent(text: Self.repeating(Self.family, 20)))
    #expect(families == Self.repeating(Self.family, 15) + "...")
    for count in 1...60 {
      let text = Self.repeating(Self.family, count) + Self.repeating("x", count)
      #expect(Preview.make(MessageContent(text: text)).utf8.count <= 400)
    }
    let zalgo = "a" + Self.repeating("\u{301}", 300)
    #expect(Preview.make(MessageContent(text: zalgo)) == "...")
  }

  @Test("without text an image is `📷 Image`, anything else `New message`")
  func withoutText() {
    func preview(attachments: String?, text: String? = nil) -> String {
      let raw = attachments.map { RawJSON(checked: Array($0.utf8)) }
      return Preview.make(
        MessageContent(text: text, attachments: raw, data: RawJSON(checked: Array("1".utf8))))
    }
    #expect(preview(attachments: nil) == "New message")
    #expect(preview(attachments: #"[{"kind":"image","url":"https://x/y"}]"#) == "📷 Image")
    #expect(preview(attachments: #"[{"kind":"file"},{"kind":"image"}]"#) == "📷 Image")
    #expect(preview(attachments: #"[{"kind":"file","title":"image"}]"#) == "New message")
    #expect(preview(attachments: #"[{"kind":"image"}]"#, text: "look") == "look")
  }

  private static func repeating(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }
}
