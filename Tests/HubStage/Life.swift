import HubProtocol
import SeededRandom

/// What people do on a hub, drawn from a seed: every kind of record, with every field.
package struct Life {
  var random: SplitMix64
  /// Everybody who may do something, in order of appearance.
  package let names: [String]
  /// The channels there may be, besides the direct ones.
  package let channelNames: [String]

  /// - Parameter people: from 54 on there are bots and admins of every kind among them; from some
  ///   120 on, channels that are large.
  package init(seed: UInt64, people: Int = 60) {
    random = SplitMix64(seed: seed)
    names = (0..<people).map {
      $0 % 20 == 7 ? "bot-\($0)" : $0 % 20 == 13 ? "admin-\($0)" : "user-\($0)"
    }
    channelNames = names.prefix(2).map { "feed:\($0)" } + (2..<12).map { "room:\($0)" }
  }

  /// A life among those and in those channels that `DrivenHub.withEverything` has.
  package init(inSmallHub seed: UInt64) {
    random = SplitMix64(seed: seed)
    names = ["a", "b", "c", "d", "bot-7", "e"]
    channelNames = ["feed:a", "r", "g", "feed:b"]
  }

  /// Direct channels there may be.
  package var directNames: [String] {
    chiefs.flatMap { one in
      chiefs.filter { one < $0 }.map { directChannel(one, $0).text }
    }
  }

  /// Those who make channels and moderate them, so that much of what they do is allowed.
  var chiefs: [String] { Array(names.prefix(4)) }

  /// Mostly one of few, who are in many of the same channels.
  mutating func somebody() -> String {
    random.pick(random.oneIn(6) ? names : Array(names.prefix(9)))
  }

  /// Mostly one of few, so that something gets to grow.
  private mutating func room() -> String {
    let room = random.pick(random.oneIn(2) ? channelNames : Array(channelNames[1..<4]))
    return random.oneIn(6) ? random.pick(directNames) : room
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
  /// - Parameter mayCreate: whether channels may come to be, which draws their epochs.
  package mutating func next(mayCreate: Bool = true) -> (name: String, request: String) {
    let room = room()
    let at = #""channel":"\#(room)""#
    switch random.below(mayCreate ? 100 : 92) {
    case 0..<34: return (somebody(), message(at))
    case 34..<50: return (somebody(), change(at))
    case 50..<60: return (somebody(), membership(at))
    case 60..<65: return (somebody(), pointer(at))
    case 65..<74: return (random.pick(chiefs), moderation(at))
    case 74..<79: return (somebody(), ownChange())
    case 79..<81: return (random.pick(["bot-7", "admin-13", somebody()]), users())
    case 81..<86: return (somebody(), question(at))
    case 86..<89: return (random.pick(["bot-7", "admin-13", somebody()]), notification(at))
    case 89: return (somebody(), inboxChange())
    case 90..<92: return (random.pick(chiefs), channelChange(at))
    case 92..<95: return (random.pick(chiefs), #"{"op":"dm.open","user":"\#(somebody())"}"#)
    default:
      let name = random.pick(channelNames)
      let owner = name.hasPrefix("feed:") ? String(name.dropFirst(5)) : random.pick(chiefs)
      return (owner, creation(name))
    }
  }
}

// MARK: - Who and what

extension Life {
  mutating func people() -> String {
    let count = random.oneIn(8) ? 60 : 1 + random.below(4)
    let chosen = Set((0..<count).map { _ in count > 9 ? random.pick(names) : somebody() }).sorted()
    return "[" + chosen.map { #""\#($0)""# }.joined(separator: ",") + "]"
  }

  mutating func text() -> String {
    random.pick(["hi", "é", "日本語", "👍🏽", #"\u0007\n"#, #"\"\\"#, "a\u{301}", "x y z", " "])
      + String(random.below(1_000))
  }

  /// One word of few, so that several people have it.
  mutating func word() -> String {
    random.pick(["Ana", "Éva", "ben", "Müller", "王", "O’Neil", "van der Berg", "ßtraße", "x-y"])
  }

  mutating func username() -> String {
    random.oneIn(5) ? "" : random.pick(["Ana", "BEN", "éva", "王-"]) + String(random.below(9))
  }

  mutating func json() -> String {
    random.pick(["{\"n\": [1, 2.50,null]}", "[true]", "\"x\"", "7", "{}"])
  }

  /// A moment around that at which everything happens, or 0.
  mutating func moment() -> Int {
    random.oneIn(9) ? 0 : 1_700_000_000_000 + random.below(random.oneIn(2) ? 6_000 : 900_000_000)
  }

  /// The number of a message that there may be.
  mutating func seq() -> Int { 1 + random.below(random.oneIn(4) ? 120 : 20) }
}
