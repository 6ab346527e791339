import HubStage
import SeededRandom
import SimulatedDisk

/// What happens on a hub in the time of a test, drawn from a seed.
struct StoreWorkload {
  private var random: SplitMix64
  private var life: Life
  /// Messages that were sent to the channels that nobody ends.
  private var sent = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    life = Life(inSmallHub: seed)
  }

  /// Who is there, and in which channels.
  static let setting: [(name: String, request: String)] = [
    ("a", #"{"op":"ping"}"#), ("b", #"{"op":"ping"}"#), ("c", #"{"op":"ping"}"#),
    ("d", #"{"op":"ping"}"#), ("bot-7", #"{"op":"ping"}"#),
    ("a", #"{"op":"channel.create","channel":"hall","kind":"public","members":["b","c"]}"#),
    ("a", #"{"op":"channel.create","channel":"den","kind":"group","members":["b","c"]}"#),
    ("b", #"{"op":"subscribe","channel":"hall"}"#),
    ("a", #"{"op":"channel.create","channel":"r","kind":"public","members":["b","c","d"]}"#),
    ("b", #"{"op":"channel.create","channel":"g","kind":"group","members":["a","c"]}"#),
    ("a", #"{"op":"channel.create","channel":"feed:a","kind":"broadcast"}"#),
    ("c", #"{"op":"channel.join","channel":"feed:a"}"#),
    ("d", #"{"op":"subscribe","channel":"r"}"#), ("a", #"{"op":"subscribe","channel":"g"}"#),
  ]

  /// Lets so many groups of requests come, and what a hub does between them, until it is gone.
  mutating func work(_ groups: Int, on hub: StoreHub) {
    if hub.base < 5 { hub.receive(Self.setting) }
    for _ in 0..<groups where !hub.machine.disk.hasCrashed { step(on: hub) }
  }

  /// One thing, whatever the disk says to it.
  mutating func step(on hub: StoreHub) {
    switch random.below(20) {
    case 0: try? hub.takeSnapshot()
    case 1: hub.idle(seals: true)
    case 2: hub.idle(seals: false)
    case 3: if random.oneIn(3) { hub.expire(upTo: 1 + random.below(6)) }
    default: talk(on: hub)
    }
  }

  /// Lets so many groups of requests come, and nothing else happen.
  mutating func talk(_ groups: Int = 1, on hub: StoreHub) {
    if hub.base < 5, hub.durable < 5 { hub.receive(Self.setting) }
    for _ in 0..<groups {
      hub.receive((0...random.below(7)).map { _ in random.oneIn(2) ? next() : life.next() })
    }
  }

  /// Something in the channels that nobody ends, so that they grow.
  private mutating func next() -> (name: String, request: String) {
    let at = #""channel":"\#(random.oneIn(3) ? "den" : "hall")""#
    let place = #"\#(at),"seq":\#(1 + random.below(sent / 2 + 2))"#
    let name = random.pick(["a", "b", "c"])
    switch random.below(12) {
    case 0: return (name, #"{"op":"message.edit",\#(place),"text":"edited \#(sent)"}"#)
    case 1: return (name, #"{"op":"reaction.add",\#(place),"reaction":"x"}"#)
    case 2: return (name, #"{"op":"reaction.remove",\#(place),"reaction":"x"}"#)
    case 3: return (name, #"{"op":"message.delete",\#(place)}"#)
    case 4: return (name, #"{"op":"read",\#(place)}"#)
    case 5:
      let key = #""key":"k-\#(1 + random.below(sent + 1))","retry":true"#
      return (name, #"{"op":"message.send",\#(at),"text":"again",\#(key)}"#)
    default:
      sent += 1
      let key = random.oneIn(2) ? #","key":"k-\#(sent)""# : ""
      return (name, #"{"op":"message.send",\#(at),"text":"text \#(sent)"\#(key)}"#)
    }
  }
}
