import HubProtocol
import SeededRandom
import Testing

@Suite("Protocol, Receipts and unread: pointers")
struct ReceiptTests {
  private let hub = HubDriver()
  private let alice: Client

  init() {
    alice = hub.connect("alice")
    alice.create("room:a", .public)
  }

  private func send(_ count: Int) {
    for _ in 0..<count { alice.send("room:a", "m") }
  }

  @Test("subscribed members and the reader's other connections are told, and nobody else")
  func receivers() {
    let (bob, elsewhere) = (hub.connect("bob"), hub.connect("bob"))
    let (carol, dave) = (hub.connect("carol"), hub.connect("dave"))
    alice.add("room:a", "bob", "carol")
    send(3)
    for client in [alice, bob, dave] { client.subscribe("room:a") }
    hub.clear()
    bob.read("room:a", 2)
    let receipt = ["receipt room:a bob 2 2"]
    #expect(alice.take("receipt") == receipt)
    #expect(bob.take("receipt") == receipt)
    #expect(elsewhere.take("receipt") == receipt)
    #expect(carol.lines.isEmpty && dave.lines.isEmpty)
  }

  @Test("a connection that is not subscribed does not hear of what it did itself")
  func ownConnection() {
    let bob = hub.connect("bob")
    bob.join("room:a")
    send(1)
    bob.clear()
    bob.read("room:a", 1)
    #expect(bob.take("receipt").isEmpty)
  }

  @Test("pointers move forward only; a `read` implies `delivered`")
  func forward() {
    let bob = hub.connect("bob")
    bob.join("room:a")
    send(5)
    alice.subscribe("room:a")
    hub.clear()
    for (seq, isRead) in [(2, false), (1, true), (1, true), (4, true), (3, false), (4, false)] {
      #expect((isRead ? bob.read("room:a", seq) : bob.delivered("room:a", seq)) == "ok")
    }
    bob.read("room:a", 0)
    let receipts = [
      "receipt room:a bob 0 2", "receipt room:a bob 1 2", "receipt room:a bob 4 4",
    ]
    #expect(alice.events == receipts)
    #expect(bob.read("room:a", 6) == "refused bad_request")
    #expect(bob.delivered("room:a", 6) == "refused bad_request")
  }

  @Test("sending emits no `receipt`")
  func sending() {
    alice.subscribe("room:a")
    hub.clear()
    send(1)
    #expect(alice.take("receipt").isEmpty)
  }

  @Test("above 100 members all messages that more have read are told as numbers, once a second")
  func readBy() {
    let members = hub.connect(100, "m")
    send(3)
    for member in members { member.join("room:a") }
    send(5)
    alice.subscribe("room:a")
    hub.clear()
    members[0].read("room:a", 6)
    #expect(alice.take("readBy", "receipt") == ["readBy room:a 4=2 5=2 6=2"])
    members[1].read("room:a", 4)
    members[2].read("room:a", 8)
    members[2].delivered("room:a", 8)
    #expect(alice.lines.isEmpty)
    hub.pass(1_000)
    #expect(alice.take("readBy") == ["readBy room:a 4=4 5=3 6=3 7=2 8=2"])
    hub.pass(3_000)
    #expect(alice.lines.isEmpty)
  }

  @Test("a mere delivery changes no number")
  func deliveredOnly() {
    let members = hub.connect(100, "m")
    for member in members { member.join("room:a") }
    send(5)
    alice.subscribe("room:a")
    hub.clear()
    members[0].delivered("room:a", 5)
    hub.pass(2_000)
    #expect(alice.take("readBy", "receipt").isEmpty)
  }

  @Test("the numbers are told for the newest 50 and equal a recount, as members come and go")
  func recount() {
    var random = SplitMix64(seed: TestSeed.value)
    let members = hub.connect(104, "m")
    for member in members { member.join("room:a") }
    alice.subscribe("room:a")
    var pointers = Array(repeating: 0, count: members.count)
    var seq = 0
    for _ in 0..<60 {
      let count = random.below(20)
      send(count)
      seq += count
      hub.pass(2_000)
      alice.clear()
      let reader = random.below(pointers.count)
      let read = pointers[reader] + random.below(seq - pointers[reader] + 1)
      members[reader].read("room:a", read)
      let changed = max(pointers[reader], seq - 50) + 1
      pointers[reader] = read
      let numbers =
        changed > read
        ? []
        : (changed...read).map { number in
          " \(number)=\(1 + pointers.filter { $0 >= number }.count)"
        }
      let expected = numbers.isEmpty ? [] : ["readBy room:a" + numbers.joined()]
      #expect(alice.take("readBy") == expected, "\(TestSeed.hint)")
    }
  }

  @Test("in a large channel the reader's other connections still get the `receipt`")
  func largeOwn() {
    for member in hub.connect(99, "m") { member.join("room:a") }
    let (bob, elsewhere) = (hub.connect("bob"), hub.connect("bob"))
    bob.join("room:a")
    send(1)
    hub.clear()
    bob.read("room:a", 1)
    #expect(elsewhere.take("receipt") == ["receipt room:a bob 1 1"])
    #expect(bob.take("receipt", "readBy").isEmpty)
  }
}
