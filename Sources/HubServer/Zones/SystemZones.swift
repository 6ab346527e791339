import Foundation
package import HubCore
package import HubProtocol
import Synchronization

/// The rules of time zones as the system's data has them, read once for each zone that is in use.
///
/// Only the sequencer asks; the lock is never waited for.
package final class SystemZones: ZoneSource {
  /// Names whose rules are kept, about as many as IANA has; one more, and all are read anew.
  package static let limit = 600
  /// Days before the start whose transitions are known.
  private static let daysBefore = 366
  /// Days after the start whose transitions are known: ten years. What is in force then stays.
  private static let daysAfter = 3_653

  private let first: Date
  private let last: Date
  private let known = Mutex<[String: ZoneRules]>([:])

  /// - Parameter start: About now: rules hold from a year before it to ten years after it.
  package init(start: Timestamp) {
    let day = 86_400_000
    first = Date(start.advanced(byMilliseconds: -Self.daysBefore * day))
    last = Date(start.advanced(byMilliseconds: Self.daysAfter * day))
  }

  /// Names whose rules are kept at the moment.
  package var count: Int { known.withLock { $0.count } }

  package func rules(of zone: String) -> ZoneRules? {
    known.withLock { known in
      if let rules = known[zone] { return rules }
      // Names that nobody knows are not kept: there are too many of them.
      guard let timeZone = TimeZone(identifier: zone) else { return nil }
      let rules = read(timeZone)
      if known.count == Self.limit { known.removeAll(keepingCapacity: true) }
      known[zone] = rules
      return rules
    }
  }

  private func read(_ zone: TimeZone) -> ZoneRules {
    let firstOffset = zone.secondsFromGMT(for: first)
    var transitions: [ZoneRules.Transition] = []
    var offset = firstOffset
    var date = first
    while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next <= last {
      date = next
      let new = zone.secondsFromGMT(for: next)
      guard new != offset else { continue }
      offset = new
      transitions.append(ZoneRules.Transition(from: Timestamp(next), offset: new))
    }
    return ZoneRules(firstOffset: firstOffset, transitions: transitions)
  }
}

extension Date {
  fileprivate init(_ moment: Timestamp) {
    self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
  }
}

extension Timestamp {
  fileprivate init(_ date: Date) {
    self.init(milliseconds: Int((date.timeIntervalSince1970 * 1_000).rounded()))
  }
}
