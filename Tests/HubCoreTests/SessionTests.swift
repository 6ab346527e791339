import HubProtocol
import Testing

@Suite("Session")
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

  @Test("a second `hello` is `bad_request` and the session goes on")
  func secondHello() {
    let client = hub.connect("alice")
    #expect(client.hello("alice") == "refused bad_request")
    #expect(client.hello("bob") == "refused bad_request")
    #expect(client.create("room:a", .group) == "room:a group 1 members 1 present seq 0 owner read 0 unread 0/0")
  }
}
