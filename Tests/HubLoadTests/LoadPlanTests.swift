import HubLoad
import HubProtocol
import Testing

@Suite("Plan: what can be asked for")
struct LoadPlanTests {
  typealias Flaw = Change<LoadPlan>

  private let good = LoadPlan(
    scenario: .fanout, connections: 100, channels: 1, seed: 1, run: "ab12")

  @Test("the defaults can be carried out")
  func defaults() {
    #expect(good.problems().isEmpty)
    #expect(good.token(7) == "dev:bench-ab12-7")
    #expect(good.channelName(3)?.text == "bench:ab12:3")
  }

  @Test(
    "what is out of range is named by its option",
    arguments: [
      Flaw("--connections") { $0.connections = 0 },
      Flaw("channels") { $0.channels = 101 },
      Flaw("--bytes") { $0.bytes = 10 },
      Flaw("--bytes") { $0.bytes = 5_001 },
      Flaw("--seconds") { $0.seconds = 0 },
      Flaw("--seconds") { $0.seconds = .infinity },
      Flaw("--seconds") { $0.seconds = .nan },
      Flaw("--connect-rate") { $0.connectRate = 0 },
      Flaw("--connect-rate") { $0.connectRate = .infinity },
      Flaw("--window") { $0.pace = .window(0) },
      Flaw("--rate") { $0.pace = .rate(-1) },
      Flaw("--rate") { $0.pace = .rate(.nan) },
      Flaw("staged") { $0.isStaged = true },
      Flaw("run") { $0.run = "a b" },
      Flaw("--token") { $0.tokenPrefix = "dev:a b" },
    ])
  func outOfRange(flaw: Flaw) {
    var plan = good
    flaw.apply(&plan)
    #expect(plan.problems().contains { $0.contains(flaw.words) })
  }

  @Test("all problems are told at once")
  func allAtOnce() {
    var plan = good
    plan.bytes = 1
    plan.seconds = -1
    plan.pace = .window(0)
    #expect(plan.problems().count == 3)
  }
}
