/// What Linux tells about a process: its processor time and its resident memory.
package struct ProcessFigures: Sendable, Equatable {
  /// User and system time since the process began.
  package let cpuMicroseconds: Double
  package let residentKilobytes: Int

  package init(cpuMicroseconds: Double, residentKilobytes: Int) {
    self.cpuMicroseconds = cpuMicroseconds
    self.residentKilobytes = residentKilobytes
  }

  /// - Parameters:
  ///   - stat: `/proc/PID/stat`, in which the name of the program, in parentheses, may hold
  ///     anything.
  ///   - status: `/proc/PID/status`.
  ///   - ticksPerSecond: the unit of the times in `stat`.
  /// - Returns: nil when one of them has another shape.
  package init?(stat: String, status: String, ticksPerSecond: Int) {
    guard let name = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: name)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
      let kilobytes = line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first,
      let resident = Int(kilobytes)
    else { return nil }
    cpuMicroseconds = (user + system) * 1e6 / Double(ticksPerSecond)
    residentKilobytes = resident
  }
}
