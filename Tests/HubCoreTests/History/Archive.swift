import HubProtocol

/// A hub whose memory is soon full: a room of whose messages all but the newest can be made to
/// leave it, so that only history has them.
struct Archive {
  static let room = "room:a"
  private static let memory = 14_000
  private static let large = String(repeating: "x", count: 11_500)
  private static let small = String(repeating: "x", count: 2_500)

  let hub: HubDriver
  let alice: Client
  let bob: Client
  private let keeper: Client

  init(hasHistory: Bool = true) {
    hub = HubDriver(windowMemory: Self.memory, hasHistory: hasHistory)
    alice = hub.connect("alice")
    bob = hub.connect("bob")
    keeper = hub.connect("keeper")
    alice.create(Self.room, .public, "bob")
    hub.clear()
  }

  /// Bob writes that many short messages, which then leave memory but for the newest.
  func fill(_ count: Int) {
    for _ in 0..<count { bob.send(Self.room, "m") }
    forget()
  }

  /// All but the newest message of the room leave memory: another room takes it all, twice, so that
  /// whichever goes first the other goes next; and then gives it back.
  func forget() {
    keeper.create("room:filler", .group)
    for text in [Self.large, Self.small, Self.large] { keeper.send("room:filler", text) }
    keeper.delete("room:filler")
    hub.clear()
  }

  /// Messages as they stand in history.
  func line(_ seq: Int) -> String {
    alice.history(Self.room, .around(seq), limit: 1)
    return Line.list(alice.messages)
  }
}
