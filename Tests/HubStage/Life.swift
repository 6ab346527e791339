import SeededRandom

/// What people do on a hub, drawn from a seed: every kind of record, with every field.
package struct Life {
  private var random: SplitMix64
  private let people = 60
  private let channels = 12

  package init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Everybody who may do something, in order of appearance.
  package var names: [String] {
    (0..<people).map { $0 % 20 == 7 ? "bot-\($0)" : $0 % 20 == 13 ? "admin-\($0)" : "user-\($0)" }
  }

  /// The channels there may be.
  package var channelNames: [String] {
    names.prefix(2).map { "feed:\($0)" } + (2..<channels).map { "room:\($0)" }
  }

  /// Lets that much happen, some of which the hub refuses.
  package mutating func happen(_ count: Int, on hub: DrivenHub) {
    for name in names { hub.connect(name) }
    for _ in 0..<count {
      let (name, request) = next()
      hub.ask(name, request)
    }
  }

  /// Who does what next.
  package mutating func next(mayCreate: Bool = true) -> (name: String, request: String) {
    let name = random.pick(names)
    let room = random.pick(channelNames)
    let at = #""channel":"\#(room)""#
    let seq = random.below(40)
    switch random.below(mayCreate ? 20 : 18) {
    case 0...1: return (name, #"{"op":"channel.join",\#(at)}"#)
    case 2: return (name, #"{"op":"channel.leave",\#(at)}"#)
    case 3: return (name, #"{"op":"member.add",\#(at),"users":\#(users())}"#)
    case 4: return (name, #"{"op":"read",\#(at),"seq":\#(seq)}"#)
    case 5: return (name, #"{"op":"delivered",\#(at),"seq":\#(seq)}"#)
    case 6: return (name, #"{"op":"subscribe",\#(at),"limit":\#(seq)}"#)
    case 7: return (name, #"{"op":"typing",\#(at),"on":true}"#)
    case 8...9: return (random.pick(["bot-7", "admin-13", name]), notification(at))
    case 10...17: return (name, message(at))
    case 18: return (name, #"{"op":"dm.open","user":"\#(random.pick(names))"}"#)
    default: return (room.hasPrefix("feed:") ? String(room.dropFirst(5)) : name, creation(at))
    }
  }

  private mutating func creation(_ at: String) -> String {
    let isFeed = at.contains("feed:")
    let kind = isFeed ? "broadcast" : random.pick(["group", "public", "broadcast"])
    var request = #"{"op":"channel.create",\#(at),"kind":"\#(kind)","members":\#(users())"#
    if random.oneIn(2) { request += #","name":"\#(text())""# }
    if random.oneIn(2) { request += #","details":"\#(text())","avatar":"https://a.example/a.png""# }
    if random.oneIn(2) { request += #","custom":{"n": [1, 2.50,null]}"# }
    return request + "}"
  }

  private mutating func message(_ at: String) -> String {
    var request = #"{"op":"message.send",\#(at),"text":"\#(text())""#
    if random.oneIn(4) { request += #","data": {"a" : [true]}"# }
    if random.oneIn(4) {
      request += #","attachments":[{"kind":"image","url":"https://a.example/b"}]"#
    }
    if random.oneIn(3) { request += #","mentions":\#(users())"# }
    if random.oneIn(9) { request += #","mentions":["@channel"]"# }
    if random.oneIn(3) { request += #","reply_to":\#(1 + random.below(20))"# }
    if random.oneIn(3) { request += #","key":"key-\#(random.below(50))""# }
    return request + "}"
  }

  private mutating func notification(_ at: String) -> String {
    var request = #"{"op":"notify","type":"\#(random.pick(["like", "mention", "x"]))""#
    request += random.oneIn(5) ? "," + at : #","to":\#(users())"#
    request += #","text":"\#(text())""#
    if random.oneIn(2) { request += #","actor":"\#(random.pick(names))""# }
    if random.oneIn(2) { request += #","key":"n-\#(random.below(30))""# }
    if random.oneIn(2) { request += #","collapse":"c-\#(random.below(4))""# }
    if random.oneIn(4) { request += #","title":"\#(text())","data":[{}]"# }
    if random.oneIn(4) {
      request += #","target":{"kind":"post","id":"7","url":"https://a.example/7"}"#
    }
    if random.oneIn(6) { request += #","expires_ts":\#(1_700_000_000_000 + random.below(4_000))"# }
    return request + "}"
  }

  private mutating func users() -> String {
    let count = random.oneIn(8) ? 60 : 1 + random.below(4)
    let chosen = Set((0..<count).map { _ in random.pick(names) }).sorted()
    return "[" + chosen.map { #""\#($0)""# }.joined(separator: ",") + "]"
  }

  private mutating func text() -> String {
    random.pick(["hi", "é", "日本語", "👍🏽", #"\u0007\n"#, #"\"\\"#, "a\u{301}", "x y z", " "])
      + String(random.below(1_000))
  }
}
