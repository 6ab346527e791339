import HubProtocol

/// A hub with a bot that publishes, an admin, and somebody with an inbox and two devices.
struct InboxStage {
  let hub: HubDriver
  let bot: Client
  let root: Client
  let alice: Client
  /// Alice's other device.
  let tablet: Client

  init() {
    hub = HubDriver()
    bot = hub.connect("shop", as: .bot)
    root = hub.connect("root", as: .admin)
    alice = hub.connect("alice")
    tablet = hub.connect("alice")
    hub.clear()
  }

  /// The states of all of alice's items, the oldest position first.
  var states: [InboxState] {
    alice.inbox(states: InboxState.allCases, limit: 100)
    return alice.items.reversed().map(\.state)
  }

  /// Alice's inbox, whatever the state.
  var all: String { alice.inbox(states: InboxState.allCases, limit: 100) }

  /// Alice's newest item.
  var newest: InboxItem? {
    alice.inbox(states: InboxState.allCases, limit: 1)
    return alice.items.first
  }
}
