import HubCore
import HubProtocol
import HubStage

/// What is stored, and whether anything can be.
extension HubDriver {
  /// Messages up to that one are no longer kept.
  func expire(_ channel: UInt32, upTo seq: Int) {
    hub.expire([Record.Expiry(channel: ChannelRef(index: channel), seq: seq)])
    run()
  }

  /// Nothing durable is taken, or, with nil, it is again.
  func refuseWriting(_ refusal: Refusal?) { hub.refuseWriting(refusal) }

  /// The log takes nothing more.
  func giveUpWriting(_ refusal: Refusal) {
    hub.giveUpWriting(durable: durable, refusal)
    logged = durable
    tape.cut(to: before + durable)
    run()
  }

  /// Everything durable but how many records there were and when: what no refused request changes.
  var state: [UInt8] {
    var bytes: [UInt8] = []
    hub.image.write { section, block in
      if section != .settings { bytes += block }
    }
    return bytes
  }

  /// Stops the hub, and starts another from its image; the connections are gone, and what was not
  /// durable.
  func restart() throws {
    before += durable
    tape.cut(to: before)
    flawsBefore += replayFlaws
    let registry = try hub.image.loaded(windowMemory: windowMemory)
    seed += 1
    let configuration = Self.configuration(windowMemory, requestsPerSecond, seed)
    hub = Hub(configuration: configuration, registry: registry)
    clients = [:]
    subscribers = [:]
    asked = []
    logged = 0
    durable = 0
    run()
  }

  /// What differs when the log is played again, now and at each start; nothing, in a hub that is
  /// right. Nothing may be pending.
  var replayFlaws: [String] {
    flawsBefore + tape.flaws(against: hub.image, history)
  }
}
