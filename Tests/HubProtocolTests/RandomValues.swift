import HubProtocol
import SeededRandom

/// Random values of the vocabulary, well formed as the decoder makes them.
extension SplitMix64 {
  private static let alphabet = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:@#")

  /// A name of the one alphabet with at most `limit` bytes.
  mutating func name(upTo limit: Int) -> String {
    let count = oneIn(10) ? limit : 1 + below(min(limit, 24))
    let name = String((0..<count).map { _ in pick(Self.alphabet) })
    return name.hasPrefix("@") ? "a" + name.dropFirst() : name
  }

  mutating func channel() -> ChannelName { Sample.channel(name(upTo: 128)) }

  mutating func user() -> UserID { Sample.user(name(upTo: 120)) }

  /// Users without repetition.
  mutating func users(_ counts: ClosedRange<Int>) -> [UserID] {
    var users: [UserID] = []
    while users.count < Int.random(in: counts, using: &self) || users.count < counts.lowerBound {
      let user = user()
      if !users.contains(user) { users.append(user) }
    }
    return users
  }

  /// Channels without repetition.
  mutating func channels(_ counts: ClosedRange<Int>) -> [ChannelName] {
    var channels: [ChannelName] = []
    let count = Int.random(in: counts, using: &self)
    while channels.count < count {
      let channel = channel()
      if !channels.contains(channel) { channels.append(channel) }
    }
    return channels
  }

  /// A moment that any reader keeps exact.
  mutating func timestamp() -> Timestamp { Timestamp(milliseconds: seq()) }

  /// At most 32 bytes without control characters.
  mutating func reaction() -> String {
    pick(["👍", "❤️", "+1", "👩‍👩‍👧‍👦", "\"", "\\o/", "ż", name(upTo: 32)])
  }

  mutating func seq(from lowest: Int = 0) -> Int {
    oneIn(10) ? Limits.largestInteger : Int.random(in: lowest...100_000, using: &self)
  }

  /// A scalar of any plane but no surrogate and not NUL, control characters and quotes often among
  /// them.
  mutating func scalar() -> Unicode.Scalar {
    switch below(6) {
    case 0: Unicode.Scalar(UInt8.random(in: 1..<32, using: &self))
    case 1: pick(["\"", "\\", "/", "\u{7F}", "\u{2028}", "\u{FFFD}", "\u{FEFF}"])
    case 2: Unicode.Scalar(UInt32.random(in: 0x80...0xD7FF, using: &self)) ?? "x"
    case 3: Unicode.Scalar(UInt32.random(in: 0xE000...0x10FFFF, using: &self)) ?? "x"
    default: Unicode.Scalar(UInt8.random(in: 32..<127, using: &self))
    }
  }

  /// Text of 1…`limit` scalars.
  mutating func text(upTo limit: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0...below(limit) { text.append(scalar()) }
    return String(text)
  }

  mutating func url() -> String {
    pick(["http://", "https://", "HTTPS://", "hTTp://"]) + name(upTo: 120)
  }

  /// A JSON value as somebody else might write it, at most `levels` deep.
  mutating func json(levels: Int) -> String {
    switch below(levels > 0 ? 8 : 5) {
    case 0: pick(["0", "-0", "12", "-7", "1.50", "1e3", "2E-2", "9007199254740993"])
    case 1: pick(["true", "false"])
    case 2: "\"\(name(upTo: 20))\""
    case 3: pick([#""\ud83d\ude00""#, #""\u0041\/\n""#, #""żółć""#, #""""#])
    case 4: "\"\(pick(["", " ", "👍", "a\\\\b"]))\""
    case 5:
      "[" + list(upTo: 3) { $0.json(levels: levels - 1) }.joined(separator: pick([",", " , "]))
        + "]"
    default:
      "{"
        + list(upTo: 3) { $0.jsonMember(levels: levels - 1) }.joined(separator: pick([",", ",\n"]))
        + "}"
    }
  }

  /// A member with its key.
  mutating func jsonMember(levels: Int) -> String {
    let key = pick([
      "a", "kind", "url", "\\u0061", "a longer key than sixteen", "żó", name(upTo: 9),
    ])
    return "\"\(key)\"\(pick([":", " : "]))\(json(levels: levels))"
  }

  mutating func raw(levels: Int) -> RawJSON {
    RawJSON(checked: [UInt8](json(levels: levels).utf8))
  }

  mutating func attachments() -> RawJSON {
    let kinds = ["image", "video", "file", "link", "gif", "sticker", "json"]
    let entries = (0...below(3)).map { _ in
      #"{"kind": "\#(pick(kinds))", "x":\#(json(levels: 3)), "url":"\#(url())"}"#
    }
    return RawJSON(checked: [UInt8]("[\(entries.joined(separator: " ,"))]".utf8))
  }

  mutating func content() -> MessageContent {
    var content = MessageContent(
      text: maybe { $0.text(upTo: 40) }, attachments: maybe { $0.attachments() },
      data: maybe { $0.raw(levels: 4) }, mentions: users(0...3), mentionsChannel: oneIn(3))
    if content.isEmpty { content.text = text(upTo: 10) }
    return content
  }

  mutating func notification() -> Notification {
    Notification(
      type: text(upTo: 16), actor: maybe { $0.user() },
      target: maybe { random in
        InboxTarget(
          kind: random.text(upTo: 9), id: random.text(upTo: 9), url: random.maybe { $0.url() },
          thumb: random.maybe { $0.url() })
      },
      title: maybe { $0.text(upTo: 20) }, text: text(upTo: 60),
      data: maybe { $0.raw(levels: 3) },
      expiresTs: maybe { Timestamp(milliseconds: $0.seq()) })
  }
}
