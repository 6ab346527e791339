import HubProtocol

/// A channel of one kind, with somebody of each standing towards it, all of whom once wrote there.
struct RightsStage {
  static let name = "stage"
  /// What the channel's first member wrote.
  static let first = 1
  /// What `tim`, an ordinary member, wrote.
  static let others = 2

  let hub = HubDriver()
  let room: String
  /// Who asks.
  let actor: Client
  /// The number of what the actor wrote; 3 where they never could.
  let own: Int
  private let watchers: [Client]

  init(_ kind: ChannelKind, for standing: Standing) {
    let names = ["olga", "mo", "mem", "stan", "ben", "tim", "nina"]
    let hub = hub
    let clients = Dictionary(uniqueKeysWithValues: names.map { ($0, hub.connect($0)) })
    watchers = names.compactMap { clients[$0] }
    actor = clients[standing.rawValue] ?? hub.open()
    if kind == .direct {
      (room, own) = Self.setDirect(watchers, standing)
    } else {
      room = Self.name
      own = Self.set(kind, clients, standing)
    }
    hub.pass(20_000)
    hub.clear()
  }

  /// How somebody stands towards the channel; the raw value is their name.
  enum Standing: String, CaseIterable {
    case owner = "olga"
    case moderator = "mo"
    case member = "mem"
    case stranger = "stan"
    case banned = "ben"
  }

  /// What was told to anybody, presence included.
  var told: [String] { watchers.flatMap { $0.events + $0.presence } }

  private static func set(
    _ kind: ChannelKind, _ clients: [String: Client], _ standing: Standing
  ) -> Int {
    guard let olga = clients["olga"] else { return 0 }
    olga.create(name, kind, "mo", "mem", "stan", "ben", "tim")
    olga.appoint(name, "mo", .moderator)
    olga.send(name, "first")
    var own = 1
    for writer in ["tim", "mo", "mem", "stan", "ben"] {
      clients[writer]?.send(name, "a reply", replyTo: 1)
      if writer == standing.rawValue, case .sent(let seq, _, _) = clients[writer]?.reply {
        own = seq
      }
    }
    for client in clients.values { client.subscribe(name) }
    clients["stan"]?.leave(name)
    olga.ban(name, "ben")
    return own
  }

  /// Only `mem` and `tim` are in it.
  private static func setDirect(_ watchers: [Client], _ standing: Standing) -> (String, Int) {
    let (mem, tim) = (watchers[2], watchers[5])
    mem.openDirect("tim")
    let room = mem.summary?.channel.text ?? ""
    tim.send(room, "first")
    tim.send(room, "second")
    mem.send(room, "a reply", replyTo: 1)
    for client in [mem, tim] { client.subscribe(room) }
    return (room, 3)
  }
}
