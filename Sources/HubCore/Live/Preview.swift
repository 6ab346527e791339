package import HubProtocol

extension Activity {
  /// What a list of conversations shows of a new message (protocol, "Inbox": `preview`).
  init(of message: Message) {
    self.init(
      channel: message.channel, seq: message.seq, user: message.user, ts: message.ts,
      preview: Preview.make(message.content))
  }
}

/// A message in one line (protocol, "Inbox": `preview`).
package enum Preview {
  /// Characters of text shown.
  package static let characters = 50
  /// Bytes that a preview takes at most.
  package static let bytes = 400

  /// The text or its beginning, or what stands for a message without text.
  package static func make(_ content: MessageContent) -> String {
    guard let text = content.text else {
      return content.hasImage ? "📷 Image" : "New message"
    }
    let end = text.index(text.startIndex, offsetBy: characters, limitedBy: text.endIndex)
    let start = end.map { text[..<$0] } ?? text[...]
    let isWhole = start.endIndex == text.endIndex && start.utf8.count <= bytes
    return isWhole ? text : fit(start, bytes - 3) + "..."
  }

  /// As many whole characters as fit.
  private static func fit(_ text: Substring, _ bytes: Int) -> String {
    var end = text.startIndex
    var used = 0
    for character in text {
      used += character.utf8.count
      guard used <= bytes else { break }
      end = text.index(after: end)
    }
    return String(text[..<end])
  }
}
