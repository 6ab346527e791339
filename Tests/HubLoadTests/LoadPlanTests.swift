import HubLoad
import HubProtocol
import Testing

@Suite("Plan: what can be asked for")
struct LoadPlanTests {
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
      Change<LoadPlan>("--connections") { $0.connections = 0 }, Change<LoadPlan>("channels") { $0.channels = 101 },
      Change<LoadPlan>("--bytes") { $0.bytes = 10 }, Change<LoadPlan>("--bytes") { $0.bytes = 5_001 },
      Change<LoadPlan>("--seconds") { $0.seconds = 0 }, Change<LoadPlan>("--seconds") { $0.seconds = .infinity },
      Change<LoadPlan>("--seconds") { $0.seconds = .nan }, Change<LoadPlan>("--connect-rate") { $0.connectRate = 0 },
      Change<LoadPlan>("--connect-rate") { $0.connectRate = .infinity },
      Change<LoadPlan>("--window") { $0.pace = .window(0) }, Change<LoadPlan>("--rate") { $0.pace = .rate(-1) },
      Change<LoadPlan>("--rate") { $0.pace = .rate(.nan) }, Change<LoadPlan>("staged") { $0.isStaged = true },
      Change<LoadPlan>("run") { $0.run = "a b" }, Change<LoadPlan>("--token") { $0.tokenPrefix = "dev:a b" },
    ])
  func outOfRange(flaw: Change<LoadPlan>) {
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
