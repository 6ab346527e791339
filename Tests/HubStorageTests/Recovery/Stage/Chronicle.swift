import HubCore
import HubStage
import HubStorage

/// Every record that a hub has ever begun to log, and so the state at each of them: what recovery
/// is judged by.
final class Chronicle {
  /// What the records up to some LSN come to.
  struct State {
    var registry = Registry(configuration: .init(windowMemory: 1, hashSeed: StoreHub.hashSeed))
    var history = SimulatedHistory.Contents()
  }

  /// Records between states that are kept, so that few have to be played again.
  private static let interval = 16

  private var records: [[UInt8]] = []
  private var states = [State()]
  /// The newest record that somebody was told of.
  private(set) var told = 0
  /// The newest record that was said to survive a crash of the machine.
  private(set) var safe = 0

  /// The newest record that may be found.
  var last: Int { records.count }

  /// Notes what is about to be logged.
  func append(_ records: [Record]) {
    self.records += records.map(\.stored)
  }

  /// Somebody may have been told of everything up to there.
  func tell(_ lsn: Int) { told = max(told, lsn) }

  /// Everything up to there survives a crash of the machine.
  func keep(_ lsn: Int) { safe = max(safe, lsn) }

  /// From now on the records up to there are what happened.
  func settle(at lsn: Int) {
    records.removeLast(max(0, records.count - lsn))
    states.removeLast(max(0, states.count - 1 - lsn / Self.interval))
    (told, safe) = (min(told, lsn), min(safe, lsn))
  }

  /// What the records up to there come to, played from their stored form.
  func state(at lsn: Int) throws -> State {
    var index = min(states.count - 1, lsn / Self.interval)
    var state = states[index]
    for number in (index * Self.interval)..<lsn {
      let record = try Record(records[number], userCount: state.registry.userCount)
      state.history.take(state.registry.replay(record))
      state.history.applied = LSN(number + 1)
      guard (number + 1).isMultiple(of: Self.interval) else { continue }
      index += 1
      if states.count == index { states.append(state) }
    }
    return state
  }
}
