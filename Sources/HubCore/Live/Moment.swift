package import HubProtocol

/// A reading of both clocks, taken by the shell and handed in: nothing in the core reads one.
package struct Moment: Sendable {
  /// Wall time, for what is stored and shown.
  package let wall: Timestamp
  /// Milliseconds of a clock that never jumps, for rates and deadlines.
  package let uptime: Int

  package init(wall: Timestamp, uptime: Int) {
    self.wall = wall
    self.uptime = uptime
  }
}
