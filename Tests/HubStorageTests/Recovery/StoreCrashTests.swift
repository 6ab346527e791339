import Foundation
import HubCore
import HubStorage
import SeededRandom
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: a hub whose machine crashes")
struct StoreCrashTests {
  private static let groups = 60

  @Test(
    "at any operation, it has what was acknowledged, and history and epochs are as they were",
    arguments: StoreJudge.seeds)
  func crashes(seed: UInt64) throws {
    let operations = try run(seed: seed, crashingAt: .max)
    #expect(operations > 150)
    for operation in 1..<operations { _ = try run(seed: seed, crashingAt: operation) }
  }

  /// Lives until an operation crashes the machine, then goes on, crashes again on the way up or
  /// later, and in the end it runs. Answers the operations of the first life.
  private func run(seed: UInt64, crashingAt operation: Int) throws -> Int {
    var random = SplitMix64(seed: seed ^ UInt64(truncatingIfNeeded: operation) << 32)
    var machine = try StoreMachine()
    let judge = StoreJudge()
    let before = machine.disk.operations
    if operation < .max { machine.disk.crashAtOperation(operation) }
    machine = try live(on: machine, judge, seed: seed, "seed \(seed), operation \(operation)")
    guard operation < .max else { return machine.disk.operations - before }
    for round in 1...3 {
      machine = machine.crash(seed: random.next())
      if round < 3 { machine.disk.crashAtOperation(1 + random.below(round == 1 ? 30 : 80)) }
      machine = try live(
        on: machine, judge, seed: random.next(), groups: 8,
        "seed \(seed), operation \(operation), round \(round)")
    }
    #expect(!machine.disk.hasCrashed)
    return 0
  }

  private func live(
    on machine: StoreMachine, _ judge: StoreJudge, seed: UInt64, groups: Int = Self.groups,
    _ comment: Comment
  ) throws -> StoreMachine {
    guard let hub = try judge.start(on: machine, comment) else { return machine }
    var workload = StoreWorkload(seed: seed)
    workload.work(groups / 2, on: hub)
    guard !machine.disk.hasCrashed else { return hub.leave() }
    // Stopped in order, and started again.
    let isStopped = hub.stop()
    #expect(isStopped || machine.disk.hasCrashed, comment)
    guard !machine.disk.hasCrashed else { return hub.leave() }
    let left = hub.leave()
    guard let next = try judge.start(on: left, comment) else { return left }
    workload.work(groups / 2, on: next)
    return next.leave()
  }
}
