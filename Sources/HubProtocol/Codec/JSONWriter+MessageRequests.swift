/// The arguments of `message.*`, `reaction.*`, and of what is said about a channel without being
/// kept, each with a comma in front.
extension JSONWriter {
  /// One message of a channel.
  mutating func one(_ channel: ChannelName, _ seq: Int) {
    member(",\"channel\":", channel)
    member(",\"seq\":", seq)
  }

  mutating func messageSend(_ send: MessageSend) {
    member(",\"channel\":", send.channel)
    content(send.content)
    member(",\"reply_to\":", send.replyTo)
    member(",\"key\":", send.key)
    if send.isRetry { literal(",\"retry\":true") }
    if send.hops != 0 { member(",\"hops\":", send.hops) }
  }

  mutating func messageEdit(_ edit: MessageEdit) {
    one(edit.channel, edit.seq)
    update(",\"text\":", edit.text)
    update(",\"attachments\":", edit.attachments, empty: "[]")
    update(",\"data\":", edit.data)
    if let mentions = edit.mentions { self.mentions(mentions.users, channel: mentions.channel) }
  }

  mutating func messageHistory(_ history: MessageHistory) {
    member(",\"channel\":", history.channel)
    switch history.anchor {
    case .before(let seq): member(",\"before\":", seq)
    case .after(let seq): member(",\"after\":", seq)
    case .around(let seq): member(",\"around\":", seq)
    }
    page(limit: history.limit)
  }

  mutating func messageThread(_ thread: MessageThread) {
    one(thread.channel, thread.seq)
    if thread.after != 0 { member(",\"after\":", thread.after) }
    page(limit: thread.limit)
  }

  mutating func messageSearch(_ search: MessageSearch) {
    member(",\"q\":", search.query)
    member(",\"channel\":", search.channel)
    page(cursor: search.cursor, limit: search.limit)
  }

  mutating func reaction(_ channel: ChannelName, _ seq: Int, _ reaction: String) {
    one(channel, seq)
    member(",\"reaction\":", reaction)
  }

  mutating func messageFlag(_ channel: ChannelName, _ seq: Int, _ reason: String?) {
    one(channel, seq)
    member(",\"reason\":", reason)
  }

  mutating func typing(_ channel: ChannelName, _ on: Bool) {
    member(",\"channel\":", channel)
    member(",\"on\":", on)
  }

  mutating func signal(_ signal: Signal) {
    member(",\"channel\":", signal.channel)
    member(",\"name\":", signal.name)
    member(",\"data\":", signal.data)
  }

  mutating func focus(_ focus: Focus) {
    switch focus {
    case .channel(let channel): member(",\"screen\":\"channel\",\"channel\":", channel)
    case .list: literal(",\"screen\":\"list\"")
    case .away: literal(",\"screen\":\"away\"")
    }
  }
}
