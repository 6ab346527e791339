import HubCore
import HubProtocol
import NIOCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The one place where the server reads clocks.
package struct HubClock: Sendable {
  package init() {}

  /// Both clocks, read now.
  func moment() -> Moment {
    Moment(wall: wall(), uptime: uptime())
  }

  /// Milliseconds of the clock that event loops schedule by.
  func uptime() -> Int {
    Int(NIODeadline.now().uptimeNanoseconds / 1_000_000)
  }

  private func wall() -> Timestamp {
    Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000))
  }
}
