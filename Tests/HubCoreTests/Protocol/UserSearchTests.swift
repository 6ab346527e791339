import HubProtocol
import SeededRandom
import Testing

@Suite("Protocol, Users: `user.search`")
struct UserSearchTests {
  private let hub = HubDriver()
  private let alice: Client

  init() {
    alice = hub.connect("alice")
    alice.profile(name: .set("Anna-Lena van der Berg"), username: .set("queen"))
  }

  @Test(
    "users are found by the beginning of the username or of a word of the name, in any case",
    arguments: [
      ("anna", true), ("LENA", true), ("van der b", true), ("berg", true), ("que", true),
      ("  Berg ", true), ("anna-lena van der berg", true), ("queens", false), ("ueen", false),
      ("erg", false), ("alice", false), ("", false), (" ", false), ("anna lena", false),
    ])
  func found(query: String, isFound: Bool) {
    #expect(alice.search(query) == (isFound ? "users alice" : "users "))
  }

  @Test("who has no name is found by the id; a new name takes the place of the old")
  func renamed() {
    alice.profile(name: .clear, username: .clear)
    #expect(alice.search("ali") == "users alice")
    #expect(alice.search("berg") == "users ")
    alice.profile(name: .set("Zoe"))
    #expect(alice.search("ali") == "users ")
    #expect(alice.search("zo") == "users alice")
  }

  @Test("each is found once, at most `limit` of them")
  func limit() {
    for (number, client) in hub.connect(20, "m").enumerated() {
      client.profile(name: .set("Max Max \(number)"), username: .set("max\(number)"))
    }
    alice.search("max", limit: 100)
    #expect(alice.people.count == 20 && Set(alice.people.map(\.id)).count == 20)
    alice.search("max", limit: 7)
    #expect(alice.people.count == 7)
  }

  @Test("names of any script are found")
  func scripts() {
    for name in ["Ólafur Þór", "Çağla", "李 小龙", "Ünal"] {
      alice.profile(name: .set(name))
      #expect(alice.search(String(name.prefix(2))) == "users alice", "\(name)")
      #expect(alice.search(name.uppercased()) == "users alice", "\(name)")
    }
  }

  @Test("what is found equals a look at every name, for random names")
  func recount() {
    var random = SplitMix64(seed: TestSeed.value)
    let words = ["an", "Ann", "anna", "Bo", "bob", "bo-an", "x"]
    var names: [String: String] = [:]
    let clients = hub.connect(12, "m")
    for round in 0..<300 {
      let number = random.below(clients.count)
      let name = random.list(upTo: 3) { $0.pick(words) }.joined(separator: " ")
      clients[number].profile(name: name.isEmpty ? .clear : .set(name))
      names["m\(number + 1)"] = name.isEmpty ? nil : name
      let query = random.pick(["a", "an", "ann", "b", "bo", "bob", "m1", "an b", "X"])
      alice.search(query, limit: 100)
      let expected = (1...12).map { "m\($0)" }.filter { id in
        Self.matches(names[id] ?? id, query)
      }
      let found = Set(alice.people.map(\.id.text)).subtracting(["alice"])
      #expect(found == Set(expected), "round \(round): \(query), \(TestSeed.hint)")
    }
  }

  private static func matches(_ name: String, _ query: String) -> Bool {
    let (lower, wanted) = (name.lowercased(), query.lowercased())
    let starts = lower.indices.filter { index in
      let isPart = lower[index].isLetter || lower[index].isNumber
      guard isPart, index > lower.startIndex else { return isPart }
      let before = lower[lower.index(before: index)]
      return !before.isLetter && !before.isNumber
    }
    return starts.contains { lower[$0...].hasPrefix(wanted) }
  }
}
