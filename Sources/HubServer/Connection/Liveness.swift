/// Whether a connection is alive and has said who it is (protocol, "Session"). Times are
/// milliseconds of uptime.
package struct Liveness {
  /// What time has come for.
  package enum Action: Equatable {
    case nothing
    case ping
    /// Silence for the heartbeat and its grace: close 4410.
    case closeSilent
    /// No `hello` in time: close 4408.
    case closeWithoutHello
    /// The token in the upgrade was bad and no `hello` came to be answered with that.
    case refuseToken
  }

  /// Milliseconds that the answer to a ping may take.
  package static let grace = 10_000
  /// Milliseconds from the upgrade to `hello`.
  package static let helloDeadline = 10_000
  /// Milliseconds that a connection with a bad token in its upgrade has for a `hello`, under whose
  /// id it is then told.
  package static let badTokenDeadline = 1_000

  private let heartbeat: Int
  private var hasBadToken: Bool
  private var heardAt: Int
  private var pingedAt: Int
  private var helloDue: Int?

  package init(heartbeat: Int, hasBadToken: Bool, now: Int) {
    self.heartbeat = heartbeat
    self.hasBadToken = hasBadToken
    heardAt = now
    pingedAt = now
    helloDue = now + (hasBadToken ? Self.badTokenDeadline : Self.helloDeadline)
  }

  /// A `hello` is on its way: the deadline no longer needs one to be made up for it.
  package mutating func helloCame() {
    hasBadToken = false
  }

  /// A `hello` was answered with ok.
  package mutating func greeted() {
    helloDue = nil
  }

  /// Decides at `now`; `hasHeard` says whether anything came since the last call.
  package mutating func tick(now: Int, hasHeard: Bool) -> Action {
    if hasHeard { heardAt = now }
    if let helloDue, now >= helloDue {
      self.helloDue = nil
      return hasBadToken ? .refuseToken : .closeWithoutHello
    }
    if now - heardAt >= heartbeat + Self.grace { return .closeSilent }
    guard now - pingedAt >= heartbeat else { return .nothing }
    pingedAt = now
    return .ping
  }
}
