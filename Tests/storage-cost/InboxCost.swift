import Foundation
import HubCore
import HubProtocol
import HubStage

/// Full inboxes: what one takes of memory, what a recipient costs, and how long others wait while
/// a snapshot of all of them is written.
enum InboxCost {
  static func measure(people: Int) async {
    var hub = InboxHub(people: people)
    let before = residentBytes()
    let clock = ContinuousClock()
    let filling = clock.measure { hub.notifyAll(times: Limits.inboxItems) }
    let taken = residentBytes() - before
    let items = people * Limits.inboxItems
    print("\(people) inboxes of \(Limits.inboxItems) items: \(taken / people) bytes of memory each")
    print(
      "\(Figures.microseconds(filling / items)) for each recipient, in slices of at most "
        + "\(Figures.milliseconds(hub.longest))")
    hub.longest = .zero
    let image = hub.image
    let writing = Task.detached {
      var bytes = 0
      let took = ContinuousClock().measure { image.write { bytes += $1.count } }
      return (bytes, took)
    }
    var rounds = 0
    while hub.longest < .seconds(1), rounds < 8 {
      hub.notifyAll(times: 1)
      rounds += 1
    }
    let (bytes, took) = await writing.value
    print("image of \(bytes) bytes in \(Figures.milliseconds(took))")
    print("longest step while it was written: \(Figures.milliseconds(hub.longest))")
  }

  /// Memory of this process that is in use, as the kernel counts it.
  private static func residentBytes() -> Int {
    let figures = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = figures?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

/// A hub with people who are not there, and a bot that notifies them.
private struct InboxHub {
  private static let bot = ConnectionID(loop: 0, slot: 0, generation: 0)

  private let people: [UserID]
  private var hub = Hub(
    configuration: Hub.Configuration(
      registry: Registry.Configuration(windowMemory: 1 << 30, hashSeed: (1, 2)),
      requestsPerSecond: nil, heartbeatMilliseconds: 25_000, zones: FixedZones(), idSeed: (3, 4)))
  private var logged = 0
  private var number = 0
  private var time = 1_700_000_000_000
  private var effects: [Effect] = []
  private var changes: [HistoryChange] = []
  /// The longest that anything took that others waited for.
  var longest = Duration.zero

  init(people count: Int) {
    people = (0..<count).map { user("user-\($0)") }
    let identity = Identity(user: user("bot-1"), privilege: .bot)
    step { $0.receive(.hello(Self.bot, nil, .success(identity), since: nil, bytes: 0), at: $1) }
    for start in stride(from: 0, to: count, by: Limits.listEntries) {
      let puts = people[start..<min(count, start + Limits.listEntries)].map {
        UserPut(id: $0, isBot: nil, update: ProfileUpdate())
      }
      ask(.userPut(puts))
    }
  }

  var image: RegistryImage { hub.image }

  /// One notification for everybody, so many times.
  mutating func notifyAll(times: Int) {
    for _ in 0..<times {
      for start in stride(from: 0, to: people.count, by: Limits.notifyRecipients) {
        number += 1
        let recipients = people[start..<min(people.count, start + Limits.notifyRecipients)]
        ask(
          .notify(
            Notify(
              audience: .users(Array(recipients)),
              notification: Notification(type: "like", actor: people[0], text: "likes it"),
              key: "key-\(number)")))
      }
    }
  }

  private mutating func ask(_ operation: HubProtocol.Operation) {
    step { hub, moment in
      hub.receive(
        .request(Self.bot, Request(id: nil, operation: operation), bytes: 0), at: moment)
    }
    while let due = hub.nextDeadline, due <= time + 1_000 {
      time = max(time, due)
      step { $0.tick(at: $1) }
    }
  }

  /// One thing that others wait for.
  private mutating func step(_ body: (inout Hub, Moment) -> Void) {
    time += 1
    let moment = Moment(wall: Timestamp(milliseconds: time), uptime: time)
    let took = ContinuousClock().measure {
      body(&hub, moment)
      logged += hub.takeRecords().count
      hub.advance(durable: logged, at: moment)
    }
    longest = max(longest, took)
    hub.takeEffects(into: &effects)
    effects.removeAll(keepingCapacity: true)
    _ = hub.takeHistoryChanges(into: &changes)
    changes.removeAll(keepingCapacity: true)
  }
}
