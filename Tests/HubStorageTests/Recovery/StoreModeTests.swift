import HubCore
import HubStorage
import SeededRandom
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: durability, from run to run")
struct StoreModeTests {
  @Test(
    "whatever a run promises, the next one keeps or says so, also when the mode changes",
    arguments: StoreJudge.seeds)
  func changes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<40 {
      let judge = StoreJudge()
      var machine = try StoreMachine()
      for run in 0..<6 {
        let mode = random.pick(Durability.allCases)
        let end = random.pick(StoreEnd.allCases)
        let comment: Comment = "seed \(seed), round \(round), run \(run): \(mode), \(end)"
        guard let hub = try judge.start(on: machine, as: mode, comment) else { continue }
        var workload = StoreWorkload(seed: random.next())
        workload.work(random.below(30), on: hub)
        machine = try finish(hub, judge, end, &random, comment)
      }
    }
  }

  private func finish(
    _ hub: StoreHub, _ judge: StoreJudge, _ end: StoreEnd, _ random: inout SplitMix64,
    _ comment: Comment
  ) throws -> StoreMachine {
    judge.before.end = end
    switch end {
    case .stopped:
      #expect(hub.stop(), comment)
      let machine = hub.leave()
      return random.oneIn(2) ? machine.restart() : machine.crash(seed: random.next())
    case .killed: return hub.leave().restart()
    case .crashed: return hub.leave().crash(seed: random.next())
    }
  }

  @Test(
    "a crash at any operation of a change of the mode leaves one of the two promises",
    arguments: Durability.allCases, Durability.allCases)
  func interruptedChange(from one: Durability, to other: Durability) throws {
    for end in StoreEnd.allCases {
      for operation in 1...60 {
        let comment: Comment = "\(one), \(end), \(other), operation \(operation)"
        let judge = StoreJudge()
        let first = try #require(try judge.start(on: StoreMachine(), as: one, comment))
        var workload = StoreWorkload(seed: 3)
        workload.talk(6, on: first)
        try first.takeSnapshot()
        workload.talk(4, on: first)
        var random = SplitMix64(seed: UInt64(operation))
        var machine = try finish(first, judge, end, &random, comment)
        machine.disk.crashAtOperation(operation)
        let second = try judge.start(on: machine, as: other, comment)
        guard second == nil else { break }
        machine = machine.crash(seed: random.next())
        if end == .killed { judge.before.end = .crashed }
        // Neither has told anybody anything since.
        _ = try judge.start(on: machine, as: random.oneIn(2) ? one : other, comment)
      }
    }
  }

  @Test(
    "new epochs: only after an unclean end of a hub that does not sync before it answers",
    arguments: Durability.allCases, StoreEnd.allCases)
  func epochs(durability: Durability, end: StoreEnd) throws {
    let judge = StoreJudge()
    let first = try #require(try judge.start(on: StoreMachine(), as: durability, ""))
    var workload = StoreWorkload(seed: 3)
    workload.talk(6, on: first)
    var random = SplitMix64(seed: 1)
    let machine = try finish(first, judge, end, &random, "")
    let second = try #require(try judge.start(on: machine, as: durability, ""))
    let isExpected =
      switch (durability, end) {
      case (.commit, _), (_, .stopped), (.interval, .killed): false
      case (.interval, .crashed), (.none, .killed), (.none, .crashed): true
      }
    #expect(second.needsEpochs == isExpected)
    #expect(
      second.steps.contains { $0.name == "epochs_renewed" && $0.isWarning } == isExpected)
  }
}
