import HubProtocol
import Testing

@Suite("Protocol, Channels and membership: `channel.list`")
struct ListTests {
  private let hub = HubDriver()
  private let alice: Client

  init() {
    alice = hub.connect("alice")
    let bob = hub.connect("bob")
    for (name, kind) in [
      ("room:g", ChannelKind.group), ("room:p", .public), ("room:b", .broadcast),
    ] {
      alice.create(name, kind)
      hub.pass(1)
    }
    bob.create("room:other", .public)
    bob.create("room:news", .broadcast)
    bob.create("room:hidden", .group)
  }

  @Test("each scope holds what it says, and hidden channels are in none")
  func scopes() {
    alice.openDirect("bob")
    let direct = alice.summary?.channel.text ?? ""
    // By the name shown: the direct channel is called `bob`.
    #expect(alice.list(.joined) == "channels \(direct),room:b,room:g,room:p")
    #expect(alice.list(.joinable) == "channels room:news,room:other")
    #expect(alice.list(.all) == "channels room:b,room:news,room:other,room:p")
    #expect(alice.list(.all, kind: .public) == "channels room:other,room:p")
    #expect(alice.list(.all, kind: .group) == "channels ")
    #expect(alice.list(.joined, kind: .direct) == "channels \(direct)")
  }

  @Test("sorts are newest activity first, kind descending then name, and name")
  func sorts() {
    #expect(alice.list(.joined, sort: .activity) == "channels room:b,room:p,room:g")
    hub.pass(1)
    alice.send("room:g", "m")
    #expect(alice.list(.joined, sort: .activity) == "channels room:g,room:b,room:p")
    #expect(alice.list(.joined, sort: .kind) == "channels room:p,room:g,room:b")
    #expect(alice.list(.all, sort: .kind) == "channels room:other,room:p,room:b,room:news")
  }

  @Test(
    "pages hold every channel once", arguments: ChannelList.Sort.allCases, [1, 2, 3, 100])
  func paging(sort: ChannelList.Sort, limit: Int) {
    for number in 0..<9 {
      alice.create(
        "room:\(number)", .public, members: [],
        profile: ChannelProfile(name: number % 2 == 0 ? "same name" : "a \(number)"))
    }
    var names: [String] = []
    var cursor: String?
    repeat {
      alice.list(.all, sort: sort, cursor: cursor, limit: limit)
      guard case .channels(let page, let next) = alice.reply else { return }
      #expect(page.count <= limit)
      names += page.map(\.channel.text)
      cursor = next
    } while cursor != nil
    #expect(names.count == 13)
    #expect(Set(names).count == 13)
    #expect("channels " + names.joined(separator: ",") == alice.list(.all, sort: sort))
  }

  @Test("a cursor of another sort, or of no list, is `bad_request`")
  func badCursor() {
    alice.list(.all, sort: .name, limit: 1)
    guard case .channels(_, let cursor) = alice.reply else { return }
    #expect(cursor != nil)
    #expect(alice.list(.all, sort: .kind, cursor: cursor) == "refused bad_request")
    for cursor in ["", "name", "name x y z", "name 0 @bad z"] {
      #expect(alice.list(.all, cursor: cursor) == "refused bad_request")
    }
  }

  @Test("a page of channels with large summaries ends early")
  func budget() {
    let details = String(repeating: "d", count: Limits.detailsBytes)
    for number in 100..<160 {
      alice.create(
        "room:\(number)", .public, members: [], profile: ChannelProfile(details: details))
    }
    alice.list(.joined, kind: .public, limit: 100)
    guard case .channels(let page, let cursor) = alice.reply else { return }
    #expect(page.count < 50)
    #expect(cursor != nil)
  }
}
