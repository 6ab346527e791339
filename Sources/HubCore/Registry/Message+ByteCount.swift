import HubProtocol

extension Message {
  /// Bytes that the message takes as JSON in a list, at most 1% above the truth. `weight` allows
  /// for everything that a message could have, which for short messages is several times as much.
  var byteCount: Int {
    var count = #"{"channel":"","seq":,"user":"","ts":},"#.utf8.count
    count += channel.text.utf8.count + user.text.utf8.count
    count += Self.digits(seq) + Self.digits(ts.milliseconds)
    count += content.byteCount
    if let replyTo { count += #","reply_to":"#.utf8.count + Self.digits(replyTo) }
    if replyCount > 0 { count += #","reply_count":"#.utf8.count + Self.digits(replyCount) }
    if isBot { count += #","bot":true"#.utf8.count }
    if rev > 0 { count += changedByteCount }
    if let key { count += #","key":"""#.utf8.count + JSONText.escapedCount(key) }
    return count
  }

  /// What edits, deletion and reactions add.
  private var changedByteCount: Int {
    var count = 0
    if let editedTs { count += #","edited_ts":"#.utf8.count + Self.digits(editedTs.milliseconds) }
    if let deletedTs {
      count += #","deleted_ts":"#.utf8.count + Self.digits(deletedTs.milliseconds)
    }
    guard !reactions.isEmpty else { return count }
    count += #","reactions":{}"#.utf8.count
    for reaction in reactions {
      count += #""":{"count":,"mine":true},"#.utf8.count + Self.digits(reaction.count)
      count += JSONText.escapedCount(reaction.reaction)
    }
    return count
  }

  private static func digits(_ number: Int) -> Int { String(number).utf8.count }
}

extension MessageContent {
  /// Bytes that the content takes as members of a JSON object.
  fileprivate var byteCount: Int {
    var count = 0
    if let text { count += #","text":"""#.utf8.count + JSONText.escapedCount(text) }
    if let attachments { count += #","attachments":"#.utf8.count + attachments.bytes.count }
    if let data { count += #","data":"#.utf8.count + data.bytes.count }
    guard mentionsChannel || !mentions.isEmpty else { return count }
    count += #","mentions":[]"#.utf8.count + (mentionsChannel ? #""@channel","#.utf8.count : 0)
    return mentions.reduce(count) { $0 + $1.text.utf8.count + 3 }
  }
}
