internal import HubClient

/// A message as a person reads it: `#42 ana: text`. Not escaped yet.
enum MessageText {
  static func line(_ message: HubMessage) -> String {
    if message.isHidden { return "#\(message.seq) (hidden)" }
    let sender = "#\(message.seq) \(message.user ?? "?")"
    if message.deletedTs != nil { return "\(sender) (deleted)" }
    var parts = [message.text, message.data?.text].compactMap(\.self)
    if let attachments = message.attachments { parts.append(attachments.text) }
    return ([head(sender, message)] + parts + notes(message)).joined(separator: " ")
  }

  private static func head(_ sender: String, _ message: HubMessage) -> String {
    message.replyTo.map { "\(sender) to #\($0):" } ?? "\(sender):"
  }

  private static func notes(_ message: HubMessage) -> [String] {
    var notes: [String] = []
    if message.editedTs != nil { notes.append("(edited)") }
    if !message.reactions.isEmpty {
      let tallies = message.reactions.map { "\($0.reaction) \($0.count)" }
      notes.append("[\(tallies.joined(separator: ", "))]")
    }
    if message.replyCount == 1 { notes.append("(1 reply)") }
    if message.replyCount > 1 { notes.append("(\(message.replyCount) replies)") }
    return notes
  }
}
