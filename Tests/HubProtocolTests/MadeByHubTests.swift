import HubProtocol
import SeededRandom
import Testing

@Suite("What the hub makes of a message")
struct MadeByHubTests {
  @Test("its picture is the first image that says where it is", arguments: pictures)
  func picture(_ attachments: String, _ url: String?, _ hasImage: Bool) {
    let content = MessageContent(attachments: raw(attachments))
    #expect(content.firstImageURL == url)
    #expect(content.hasImage == hasImage)
  }

  @Test("a message without attachments has none")
  func noAttachments() {
    #expect(MessageContent(text: "https://x/a.png").firstImageURL == nil)
    #expect(!MessageContent(text: "https://x/a.png").hasImage)
  }

  @Test("an object of one string is one, whatever is in it", arguments: seeds)
  func object(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let (name, string) = (random.name(upTo: 20), random.text(upTo: 20))
      let object = RawJSON(name, string)
      #expect(
        JSONTree(foundation: object.bytes) == .members([name: .text(string)]), "seed \(seed)")
    }
    #expect(text(RawJSON("reaction", "\"👍").bytes) == #"{"reaction":"\"👍"}"#)
  }

  private static let pictures: [(String, String?, Bool)] = [
    (#"[{"kind":"image","url":"https://x/a.png"}]"#, "https://x/a.png", true),
    (#"[{"kind":"image"},{"kind":"image","url":"https://x/b.png"}]"#, "https://x/b.png", true),
    (
      #"[{"kind":"link","url":"https://x/l"},{"url":"http://x/c","kind":"image"}]"#,
      "http://x/c", true
    ),
    (
      #"[{"kind":"image","url":"http://x/a"},{"kind":"image","url":"http://x/b"}]"#,
      "http://x/a", true
    ),
    (#"[{"kind":"image","url":null}]"#, nil, true),
    (#"[{"kind":"image","url":"javascript:x"}]"#, nil, true),
    (#"[{"kind":"video","url":"https://x/v"}]"#, nil, false),
    (#"[{"kind":"json","image":{"kind":"image","url":"https://x/a"}}]"#, nil, false),
    ("[]", nil, false),
  ]
}
