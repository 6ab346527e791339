import HubProtocol
import Testing

@Suite("Protocol, Session")
struct SessionTests {
  private let hub = HubDriver()

  @Test("before `hello` any other op answers `unauthenticated`, and `hello` still works")
  func unauthenticated() {
    let client = hub.open()
    #expect(client.ask(.ping) == "refused unauthenticated")
    #expect(client.blunder(Refusal(.unknownOperation, ""), op: "x") == "refused unauthenticated")
    client.say(.ping)
    #expect(client.events == ["error ping unauthenticated"])
    #expect(client.hello("alice") == "hello alice")
  }

  @Test("a second `hello` is `bad_request`, whoever it names, and the session goes on")
  func secondHello() {
    let client = hub.connect("alice")
    #expect(client.hello("alice") == "refused bad_request")
    #expect(client.hello("bob") == "refused bad_request")
    #expect(client.ask(.ping) == "pong")
  }

  @Test("a bad token is answered `unauthenticated`, then the connection closes 4500")
  func badToken() {
    let client = hub.open()
    client.hello(.failure(Refusal(.unauthenticated, "no")))
    #expect(client.lines == ["refused unauthenticated", "closed 4500"])
  }

  @Test("whoever was first seen with one kind of token cannot come with another")
  func privilege() {
    _ = hub.connect("helper", as: .bot)
    let person = hub.open()
    person.hello("helper", as: .person)
    #expect(person.lines == ["refused unauthenticated", "closed 4500"])
    #expect(hub.open().hello("helper", as: .admin) == "refused unauthenticated")
    #expect(hub.open().hello("helper", as: .bot) == "hello helper")
  }

  @Test("the answer to `hello` holds the user, the limits and the newest channels first")
  func helloReply() throws {
    let alice = hub.connect("alice")
    alice.create("room:old", .group)
    hub.pass(10)
    alice.create("room:new", .group)
    let second = hub.connect("alice")
    guard case .hello(let hello) = second.reply else {
      Issue.record("no reply to hello")
      return
    }
    #expect(hello.user.id == user("alice"))
    #expect(hello.serverTs.milliseconds == hub.wall)
    #expect(hello.heartbeatMilliseconds == 25_000)
    #expect(!hello.userStream.isRecovered)
    #expect(!hello.session.isEmpty)
    #expect(hello.userStream.channels.map(\.channel.text) == ["room:new", "room:old"])
  }

  @Test("`hello` brings the 200 most active channels and says that there are others")
  func manyChannels() {
    let alice = hub.connect("alice")
    for number in 0..<201 {
      hub.pass(1)
      alice.create("room:\(number)", .group)
    }
    let second = hub.connect("alice")
    guard case .hello(let hello) = second.reply else {
      Issue.record("no reply to hello")
      return
    }
    let names = (1..<201).reversed().map { "room:\($0)" }
    #expect(hello.userStream.channels.map(\.channel.text) == names)
    #expect(hello.userStream.hasMore)
  }

  @Test("a request without an id is silent when it succeeds, and an `error` event when not")
  func withoutID() {
    let alice = hub.connect("alice")
    alice.clear()
    alice.say(.ping)
    alice.say(.channelGet(channel("room:none")))
    #expect(alice.lines == ["error channel.get not_found"])
  }

  @Test("what breaks the protocol closes behind the answers, and ends the session")
  func violation() {
    let alice = hub.connect("alice")
    let bob = hub.connect("bob")
    alice.create("room:a", .group, "bob")
    alice.clear()
    alice.ask(.ping)
    alice.violate(.notAnObject)
    #expect(alice.lines == ["pong", "closed 4501"])
    hub.pass(10_000)
    #expect(bob.get("room:a") == "room:a group 2 members 1 present seq 0 member read 0 unread 0/0")
  }

  @Test("one user on many connections is there until 10 s after the last has gone")
  func presence() {
    let alice = hub.connect("alice")
    let bob = (hub.connect("bob"), hub.connect("bob"))
    alice.create("room:a", .group, "bob")
    #expect(alice.summary?.presentCount == 2)
    bob.0.close()
    alice.get("room:a")
    #expect(alice.summary?.presentCount == 2)
    bob.1.close()
    hub.pass(9_999)
    alice.get("room:a")
    #expect(alice.summary?.presentCount == 2)
    hub.pass(1)
    alice.get("room:a")
    #expect(alice.summary?.presentCount == 1)
  }
}
