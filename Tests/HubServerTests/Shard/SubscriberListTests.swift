import HubServer
import SeededRandom
import Testing

@Suite("architecture, Fan-out: who of a loop gets a channel's events")
struct SubscriberListTests {
  @Test("holds each connection once")
  func once() throws {
    let client = try ServerStage().connect()
    var list = SubscriberList()
    list.insert(client.handler)
    list.insert(client.handler)
    #expect(list.connections.count == 1)
    list.remove(client.handler)
    list.remove(client.handler)
    #expect(list.connections.isEmpty)
  }

  @Test("agrees with a set, whoever comes and goes", arguments: 0..<20)
  func random(seed: UInt64) throws {
    let stage = ServerStage()
    let clients = try (0..<24).map { _ in try stage.connect() }
    var random = SplitMix64(seed: seed)
    var list = SubscriberList()
    var model: Set<ObjectIdentifier> = []
    for step in 0..<600 {
      let client = clients[Int.random(in: 0..<clients.count, using: &random)]
      if Bool.random(using: &random) {
        list.insert(client.handler)
        model.insert(ObjectIdentifier(client.handler))
      } else {
        list.remove(client.handler)
        model.remove(ObjectIdentifier(client.handler))
      }
      let there = list.connections.map { ObjectIdentifier($0) }
      try #require(there.count == model.count && Set(there) == model, "seed \(seed), step \(step)")
    }
  }
}
