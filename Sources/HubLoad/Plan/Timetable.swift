/// The moments at which things are due that happen at a stated rate: the first at once, every
/// other 1/rate after the one before it. Times are nanoseconds since the start.
package struct Timetable: Sendable, Equatable {
  /// Above 0.
  package let perSecond: Double

  package init(perSecond: Double) {
    precondition(perSecond > 0, "a rate is above 0")
    self.perSecond = perSecond
  }

  /// When number `number`, counted from 0, is due.
  package func due(_ number: Int) -> UInt64 {
    UInt64((Double(number) * 1e9 / perSecond).rounded(.up))
  }

  /// How many are due by `elapsed`.
  package func count(by elapsed: UInt64) -> Int {
    var count = Int(Double(elapsed) * perSecond / 1e9) + 1
    // Rounding may have moved one of them across the boundary.
    while count > 0, due(count - 1) > elapsed { count -= 1 }
    while due(count) <= elapsed { count += 1 }
    return count
  }
}
