import HubCore
import HubProtocol
import HubStorage
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: a hub whose disk fails or is full")
struct StoreFailureTests {
  private static let steps = 40
  private static let send = ("a", #"{"op":"message.send","channel":"r","text":"t"}"#)
  private static let look = ("a", #"{"op":"channel.list"}"#)

  /// Operations of a life in which nothing fails, once it has begun.
  private func operations(seed: UInt64) throws -> Int {
    let machine = try StoreMachine()
    let hub = try #require(try StoreJudge().start(on: machine, "seed \(seed)"))
    let before = machine.disk.operations
    var workload = StoreWorkload(seed: seed)
    workload.work(Self.steps, on: hub)
    return machine.disk.operations - before
  }

  @Test(
    "no room, at any operation: it refuses, reads, and goes on by itself when there is some",
    arguments: StoreJudge.seeds)
  func noSpace(seed: UInt64) throws {
    var fullCount = 0
    for operation in 1...(try operations(seed: seed)) {
      let comment: Comment = "seed \(seed), operation \(operation)"
      let judge = StoreJudge()
      let machine = try live(seed: seed, judge, comment) { disk in
        disk.failOperation(operation, .noSpace, lasting: operation.isMultiple(of: 2))
      } after: { hub, disk in
        guard hub.writer?.state == .full else { return }
        fullCount += 1
        fill(hub, disk, judge, comment)
      }
      _ = try judge.start(on: machine.crash(seed: seed), comment)
    }
    #expect(fullCount > 10)
  }

  /// What clients see while there is no room, and then there is.
  private func fill(
    _ hub: StoreHub, _ disk: SimulatedDisk, _ judge: StoreJudge, _ comment: Comment
  ) {
    let replies = judge.clients.replies
    hub.receive([Self.look])
    // It waits for its turn behind what cannot be written.
    #expect(judge.clients.replies > replies || !hub.batch.isEmpty, comment)
    // A failure that comes once may be over by now.
    let isFull = hub.writer?.state == .full
    judge.clients.refusals = []
    hub.receive([Self.send])
    disk.clearFailures()
    hub.retry()
    #expect(judge.clients.refusals.contains(.storageFull) || !isFull, comment)
    #expect(hub.writer?.state == .writable && hub.batch.isEmpty, comment)
    judge.clients.refusals = []
    hub.receive([Self.send])
    #expect(!judge.clients.refusals.contains(.storageFull), comment)
  }

  @Test(
    "an error, at any operation: nothing is acknowledged any more, and nothing is lost",
    arguments: StoreJudge.seeds.suffix(1), [false, true])
  func inputOutput(seed: UInt64, isLasting: Bool) throws {
    var failures = 0
    for operation in 1...(try operations(seed: seed)) {
      let comment: Comment = "seed \(seed), operation \(operation)"
      let judge = StoreJudge()
      var told: Int?
      let machine = try live(seed: seed, judge, comment) { disk in
        disk.failOperation(operation, .inputOutput, lasting: isLasting)
      } after: { hub, _ in
        guard hub.hasFailed else { return }
        told = told ?? judge.chronicle.told
        #expect(told == judge.chronicle.told, comment)
        let replies = judge.clients.replies
        hub.receive([Self.look])
        #expect(judge.clients.replies > replies, comment)
      }
      failures += told == nil ? 0 : 1
      guard operation.isMultiple(of: 2) else {
        _ = try judge.start(on: machine.crash(seed: seed), comment)
        continue
      }
      // The process begins again on what can be read, and then the machine crashes.
      let second = try judge.start(on: machine.restart(), comment)?.leave()
      if let second { _ = try judge.start(on: second.crash(seed: seed), comment) }
    }
    #expect(failures > 50)
  }

  /// A life in which something is to fail once it has begun.
  private func live(
    seed: UInt64, _ judge: StoreJudge, _ comment: Comment, _ prepare: (SimulatedDisk) -> Void,
    after look: (StoreHub, SimulatedDisk) -> Void
  ) throws -> StoreMachine {
    let machine = try StoreMachine(seed: seed)
    let hub = try #require(try judge.start(on: machine, comment))
    hub.receive(StoreWorkload.setting)
    prepare(machine.disk)
    var workload = StoreWorkload(seed: seed)
    for _ in 0..<Self.steps {
      workload.step(on: hub)
      look(hub, machine.disk)
    }
    return hub.leave()
  }
}
