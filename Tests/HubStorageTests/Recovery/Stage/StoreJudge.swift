import Foundation
import HubCore
import HubProtocol
import HubStage
import HubStorage
import SimulatedDisk
import Testing

/// How a run of a hub ended.
enum StoreEnd: CaseIterable {
  case stopped, killed
  /// The whole machine crashed.
  case crashed
}

/// Starts hubs one after the other, and compares what each recovers with what was promised before.
final class StoreJudge {
  /// Seeds of random tests. `HUB_STORE_SEEDS` adds that many; `HUB_STORE_SEED` is the only one.
  static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["HUB_STORE_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    let more = environment["HUB_STORE_SEEDS"].flatMap { Int($0) } ?? 0
    return [1] + (0..<(1 + more)).map { _ in UInt64.random(in: 0 ... .max) }
  }()

  let chronicle = Chronicle()
  let clients = StoreClients()
  /// How the run before this was, and how it ended.
  var before: (durability: Durability, end: StoreEnd) = (.commit, .crashed)
  /// How a hub that was interrupted on its way up since then would have been.
  private var interrupted: Durability?
  /// Whether history was ever taken back: what it forgot then is not told again.
  private var hasRewound = false

  /// Starts a hub on what the one before left; nil when the machine crashes meanwhile. Nothing else
  /// may stop it.
  func start(
    on machine: StoreMachine, as durability: Durability = .commit, _ comment: Comment
  ) throws -> StoreHub? {
    clients.lose()
    do {
      let hub = try StoreHub(
        on: machine, durability, chronicle, clients, windowMemory: StoreHub.windowMemory)
      // What a crash has interrupted is judged when it has been tried again.
      guard !machine.disk.hasCrashed else {
        interrupted = durability
        return nil
      }
      try check(hub, comment)
      chronicle.settle(at: hub.base)
      chronicle.keep(hub.base)
      try hub.begin()
      before = (durability, .crashed)
      interrupted = nil
      return hub
    } catch {
      if !machine.disk.hasCrashed { Issue.record("refused: \(error): \(comment)") }
      interrupted = durability
      return nil
    }
  }

  /// The oldest state that may be found.
  private var floor: Int {
    switch (before.durability, before.end) {
    case (_, .stopped), (.commit, _), (.interval, .killed): chronicle.told
    case (.interval, .crashed), (.none, .killed), (.none, .crashed): chronicle.safe
    }
  }

  private func check(_ hub: StoreHub, _ comment: Comment) throws {
    #expect(floor <= hub.base && hub.base <= chronicle.last, comment)
    let isLess = hub.base < chronicle.told
    if before.durability == .commit, (interrupted ?? .commit) == .commit {
      #expect(!hub.needsEpochs || chronicle.told == 0, comment)
    }
    if isLess { #expect(hub.needsEpochs, comment) }
    let state = try chronicle.state(at: min(hub.base, chronicle.last))
    #expect(hub.hub.image.digest == state.registry.digest, comment)
    if hub.steps.contains(where: { $0.name == "history_rewound" }) {
      #expect(before.durability != .commit || interrupted ?? .commit != .commit, comment)
      hasRewound = true
    }
    if hasRewound {
      #expect(hub.history.contents.isWithin(state.history), comment)
    } else {
      #expect(hub.history.contents == state.history, comment)
    }
    guard !isLess, !hub.needsEpochs else { return clients.forget() }
    #expect(clients.flaws(of: hub) == [], comment)
  }
}

extension SimulatedHistory.Contents {
  /// Whether it is at the same record, with no message that the other does not have.
  func isWithin(_ other: Self) -> Bool {
    applied == other.applied
      && rows.allSatisfy { channel, rows in
        rows.keys.allSatisfy { other.rows[channel]?[$0] != nil }
      }
  }
}
