import HubLoad
import SeededRandom
import Testing

@Suite("Plan: who listens, who publishes, who opens first")
struct LoadLayoutTests {
  private func plan(_ scenario: Scenario, _ connections: Int, _ channels: Int) -> LoadPlan {
    LoadPlan(scenario: scenario, connections: connections, channels: channels, seed: 1, run: "t")
  }

  @Test("fanout: one more user publishes to all channels and is opened first")
  func fanout() {
    let layout = LoadLayout(plan(.fanout, 10, 2))
    #expect(layout.userCount == 11)
    #expect(layout.listensTo(10) == nil)
    #expect(layout.publishesTo(10) == 0..<2)
    #expect(layout.publisher(of: 1) == 10)
    #expect(layout.waves.map(\.users) == [10..<11, 0..<10])
    #expect(layout.waves.last?.steps == [.connect, .upgrade, .hello, .subscribe])
  }

  @Test("rooms: the first of each room makes it, listens and publishes, before the others come")
  func rooms() {
    let layout = LoadLayout(plan(.rooms, 30, 3))
    #expect(layout.waves.map(\.users) == [0..<3, 3..<30])
    #expect((0..<3).map { layout.publishesTo($0) } == [0..<1, 1..<2, 2..<3])
    #expect((0..<3).map { layout.listensTo($0) } == [0, 1, 2])
    #expect(layout.publishesTo(3).isEmpty)
  }

  @Test("joined: those who listen join before they subscribe")
  func joined() {
    var plan = plan(.fanout, 10, 1)
    plan.isJoined = true
    #expect(
      LoadLayout(plan).waves.last?.steps == [.connect, .upgrade, .hello, .join, .subscribe])
  }

  @Test("idle: all say hello; staged, each step is a wave")
  func idle() {
    var plan = plan(.idle, 10, 1)
    #expect(LoadLayout(plan).waves.map(\.steps) == [[.connect, .upgrade, .hello]])
    plan.isStaged = true
    #expect(
      LoadLayout(plan).waves.map(\.steps)
        == [[.connect], [.upgrade], [.hello], [.create], [.subscribe]])
  }

  @Test("the listeners of all channels are all listeners", arguments: 0..<100 as Range<UInt64>)
  func listeners(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let connections = Int.random(in: 1...500, using: &random)
    let channels = Int.random(in: 1...connections, using: &random)
    let scenario: Scenario = Bool.random(using: &random) ? .fanout : .rooms
    let layout = LoadLayout(plan(scenario, connections, channels))
    let heard = (0..<layout.userCount).compactMap { layout.listensTo($0) }
    for channel in 0..<channels {
      let count = heard.count { $0 == channel }
      #expect(layout.listeners(of: channel) == count, "seed \(seed)")
      #expect(count >= layout.fewestListeners, "seed \(seed)")
      #expect(layout.publishesTo(layout.publisher(of: channel)).contains(channel))
    }
    #expect(heard.count == connections)
    #expect(layout.waves.flatMap(\.users).sorted() == Array(0..<layout.userCount))
  }
}
