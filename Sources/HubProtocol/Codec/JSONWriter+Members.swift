/// Members of objects: `head` is the name as it stands on the wire, with the punctuation around it,
/// like `,"seq":`. What is nil is left out.
extension JSONWriter {
  mutating func member(_ head: StaticString, _ value: String?) {
    guard let value else { return }
    literal(head)
    string(value)
  }

  mutating func member(_ head: StaticString, _ value: Int?) {
    guard let value else { return }
    literal(head)
    integer(value)
  }

  mutating func member(_ head: StaticString, _ value: Bool?) {
    guard let value else { return }
    literal(head)
    bool(value)
  }

  mutating func member(_ head: StaticString, _ value: Timestamp?) {
    member(head, value?.milliseconds)
  }

  mutating func member(_ head: StaticString, _ value: RawJSON?) {
    guard let value else { return }
    literal(head)
    raw(value)
  }

  mutating func member(_ head: StaticString, _ user: UserID?) {
    guard let user else { return }
    literal(head)
    name(user.text)
  }

  mutating func member(_ head: StaticString, _ channel: ChannelName?) {
    guard let channel else { return }
    literal(head)
    name(channel.text)
  }

  /// A word of the protocol's own, in which nothing needs an escape.
  mutating func member(_ head: StaticString, word: (some RawRepresentable<String>)?) {
    guard let word else { return }
    literal(head)
    name(word.rawValue)
  }

  /// A list; `head` ends with its opening bracket.
  mutating func member(_ head: StaticString, users: [UserID]?) {
    guard let users else { return }
    literal(head)
    self.users(users)
    literal("]")
  }

  /// A list; `head` ends with its opening bracket.
  mutating func member(_ head: StaticString, channels: [ChannelName]?) {
    guard let channels else { return }
    literal(head)
    list(channels) { writer, channel in writer.name(channel.text) }
    literal("]")
  }

  /// A list; `head` ends with its opening bracket.
  mutating func member(_ head: StaticString, strings: [String]?) {
    guard let strings else { return }
    literal(head)
    list(strings) { writer, string in writer.string(string) }
    literal("]")
  }

  /// User ids with commas between.
  mutating func users(_ users: [UserID]) {
    list(users) { writer, user in writer.name(user.text) }
  }
}
