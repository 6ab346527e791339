import HubCore
import HubProtocol

/// A hub with a bot, a room of many members, and two of these who are there.
struct Crowd {
  let hub = HubDriver()
  let bot: Client
  let root: Client
  /// Owns the room.
  let first: Client
  let last: Client
  let names: [String]

  /// - Parameter count: members of `room:a`, at least two.
  init(_ count: Int) {
    names = (1...count).map { "u\($0)" }
    root = hub.connect("root", as: .admin)
    let plan = ProfileUpdate(custom: .set(json(#"{"plan":"gold"}"#)))
    root.ask(.userPut(names.map { UserPut(id: user($0), update: plan) }))
    bot = hub.connect("shop", as: .bot)
    first = hub.connect(names[0])
    last = hub.connect(names[count - 1])
    first.create("room:a", .public, members: names)
    hub.clear()
  }

  /// All of them, one by one.
  var all: Notify.Audience { .users(names.map(user)) }

  var segment: Notify.Audience {
    .segment(Segment(fields: [Segment.Field(name: "plan", value: .string("gold"))]))
  }

  /// In how many of their inboxes something says that, archived or not.
  func holders(of text: String) -> Int { counts(of: text).count { $0 > 0 } }

  /// How many items of one inbox say that, at most.
  func most(of text: String) -> Int { counts(of: text).max() ?? 0 }

  private func counts(of text: String) -> [Int] {
    names.map { name in
      let client = hub.connect(name)
      client.inbox(states: InboxState.allCases, limit: 100)
      let count = client.items.count { $0.notification.text == text }
      client.close()
      return count
    }
  }
}
