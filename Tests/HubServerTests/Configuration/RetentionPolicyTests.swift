import HubProtocol
import HubServer
import Testing

@Suite("cli, `--retention`: how long messages are kept")
struct RetentionPolicyTests {
  private func rule(_ text: String, _ kind: ChannelKind) throws -> RetentionPolicy.Rule {
    try #require(RetentionPolicy(text)).rule(for: kind)
  }

  @Test("what has no kind holds for all that have no rule of their own")
  func kinds() throws {
    let text = "365d,10000,public=30d,group=5"
    #expect(try rule(text, .direct) == .init(newest: 10_000, age: .seconds(365 * 86_400)))
    #expect(try rule(text, .public) == .init(newest: 10_000, age: .seconds(30 * 86_400)))
    #expect(try rule(text, .group) == .init(newest: 5, age: .seconds(365 * 86_400)))
  }

  @Test("without rules everything is kept")
  func none() {
    #expect(RetentionPolicy().isEmpty)
    #expect(RetentionPolicy().rule(for: .direct) == RetentionPolicy.Rule())
  }

  @Test(
    "anything else is no policy",
    arguments: [
      "", "x", "0", "-1", "0s", "1.5d", "d", "public", "public=", "=5", "room=5", "5,", ",5",
      "5,6", "1d,2d", "public=5,public=6", "public=group=5", "5 ", "public=1d=2",
    ])
  func bad(text: String) {
    #expect(RetentionPolicy(text) == nil)
  }
}
