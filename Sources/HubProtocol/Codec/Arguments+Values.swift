/// Arguments that name users and channels, lists, and JSON values kept as they came.
extension Arguments {
  private static let nameRule =
    "of A-Z a-z 0-9 _ - . : @ #, not beginning with @"

  /// A channel's name that must be there.
  func channel() throws(Refusal) -> ChannelName {
    guard let channel = try optionalChannel() else { throw .missing(.channel) }
    return channel
  }

  /// A channel's name; nil when absent.
  func optionalChannel() throws(Refusal) -> ChannelName? {
    guard let slice = self[.channel] else { return nil }
    guard let channel = channel(slice) else {
      throw .badArgument(
        .channel, "a channel name: 1 to \(Limits.channelNameBytes) bytes \(Self.nameRule)")
    }
    return channel
  }

  /// A user id that must be there.
  func requiredUser(_ name: ArgumentName = .user) throws(Refusal) -> UserID {
    guard let user = try user(name) else { throw .missing(name) }
    return user
  }

  /// A user id; nil when absent.
  func user(_ name: ArgumentName) throws(Refusal) -> UserID? {
    guard let slice = self[name] else { return nil }
    guard let user = user(slice) else {
      throw .badArgument(name, "a user id: 1 to \(Limits.userIDBytes) bytes \(Self.nameRule)")
    }
    return user
  }

  /// User ids without repetition, in the order of their first occurrence; nil when absent.
  func users(_ name: ArgumentName, atMost limit: Int) throws(Refusal) -> [UserID]? {
    try list(name, atMost: limit) { (slice) throws(Refusal) in
      guard let user = user(slice) else {
        throw .badArgument(
          name, "a list of user ids: 1 to \(Limits.userIDBytes) bytes \(Self.nameRule)")
      }
      return user
    }
  }

  /// `users` that must be there, at least one.
  func requiredUsers() throws(Refusal) -> [UserID] {
    guard let users = try users(.users, atMost: Limits.listEntries) else { throw .missing(.users) }
    return try notEmpty(users, .users)
  }

  /// Channel names without repetition, in the order of their first occurrence; nil when absent.
  func channels() throws(Refusal) -> [ChannelName]? {
    try list(.channels, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      guard let channel = channel(slice) else {
        throw .badArgument(
          .channels,
          "a list of channel names: 1 to \(Limits.channelNameBytes) bytes \(Self.nameRule)")
      }
      return channel
    }
  }

  private func user(_ slice: JSONSlice) -> UserID? {
    guard slice.kind == .string, let text = try? JSONString.decode(slice, in: source) else {
      return nil
    }
    return UserID(text)
  }

  private func channel(_ slice: JSONSlice) -> ChannelName? {
    guard slice.kind == .string, let text = try? JSONString.decode(slice, in: source) else {
      return nil
    }
    return ChannelName(text)
  }

  /// The list of the argument `name`, which must have entries.
  func notEmpty<Element>(
    _ list: [Element], _ name: ArgumentName
  ) throws(Refusal) -> [Element] {
    guard !list.isEmpty else {
      throw .badArgument(name, "a list of 1 to \(Limits.listEntries) entries")
    }
    return list
  }

  /// What `read` makes of the entries of a list, without repetition, in the order of their first
  /// occurrence; nil when absent.
  func list<Element: Hashable>(
    _ name: ArgumentName, atMost limit: Int, _ read: (JSONSlice) throws(Refusal) -> Element
  ) throws(Refusal) -> [Element]? {
    var elements: [Element] = []
    var known: Set<Element> = []
    let isThere = try forEach(name, atMost: limit) { (slice) throws(Refusal) in
      let element = try read(slice)
      if known.insert(element).inserted { elements.append(element) }
    }
    return isThere ? elements : nil
  }

  /// Gives the elements of a list to `body`; false when the list is absent. More than `limit` are
  /// refused.
  func forEach(
    _ name: ArgumentName, atMost limit: Int, _ body: (JSONSlice) throws(Refusal) -> Void
  ) throws(Refusal) -> Bool {
    guard let slice = self[name] else { return false }
    guard slice.kind == .array else { throw .badArgument(name, "a list") }
    var scanner = JSONScanner(source, from: slice.range.lowerBound)
    var count = 0
    // The list was scanned before: `try?` meets no error.
    while let element = (try? scanner.nextElement()) ?? nil {
      count += 1
      guard count <= limit else {
        throw .badArgument(name, "a list of at most \(limit) entries")
      }
      try body(element)
    }
    return true
  }

  /// An `http` or `https` URL; nil when absent or empty.
  func url(_ name: ArgumentName) throws(Refusal) -> String? {
    guard let url = try nonEmptyString(name, atMost: Limits.urlBytes) else { return nil }
    guard URLRule.allows(url) else { throw .badArgument(name, URLRule.sentence) }
    return url
  }

  /// Any JSON value as it came, at most `Limits.jsonDepth` levels deep; nil when absent.
  func raw(_ name: ArgumentName) throws(Refusal) -> RawJSON? {
    guard let slice = self[name] else { return nil }
    guard slice.depth <= Limits.jsonDepth else {
      throw .badArgument(name, "at most \(Limits.jsonDepth) levels deep")
    }
    return RawJSON(checked: source.copy(slice.outerRange))
  }

  /// `custom`, at most `Limits.customBytes`; nil when absent.
  func custom() throws(Refusal) -> RawJSON? {
    guard let slice = self[.custom] else { return nil }
    guard slice.outerRange.count <= Limits.customBytes else {
      throw .tooLarge(.custom, bytes: Limits.customBytes)
    }
    return try raw(.custom)
  }

  /// What `body` makes of an argument that is an object; nil when absent.
  func object<Value>(
    _ name: ArgumentName, _ body: (borrowing Arguments) throws(Refusal) -> Value
  ) throws(Refusal) -> Value? {
    guard let slice = self[name] else { return nil }
    return try object(slice, "an object", of: name, body)
  }

  /// What `body` makes of the object in `slice`; `rule` says what the argument must be.
  func object<Value>(
    _ slice: JSONSlice, _ rule: String, of name: ArgumentName,
    _ body: (borrowing Arguments) throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    let object = source.ending(at: slice.range.upperBound)
    guard let value = try Arguments.read(object, from: slice.range.lowerBound, body) else {
      throw .badArgument(name, rule)
    }
    return value
  }
}

/// Which URLs the protocol lets through: `http` and `https` (protocol, "Envelope").
enum URLRule {
  static let sentence = "an http or https URL without spaces and control characters"

  /// Whether `url` begins with one of the schemes, goes on, and holds neither space nor control
  /// character.
  static func allows(_ url: String) -> Bool {
    let utf8 = url.utf8
    guard utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
    return ["http://", "https://"].contains { prefix in
      utf8.count > prefix.utf8.count && zip(utf8, prefix.utf8).allSatisfy { lowered($0) == $1 }
    }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
