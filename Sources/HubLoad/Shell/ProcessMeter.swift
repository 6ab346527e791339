internal import Foundation

/// Reads what Linux tells about one process.
package struct ProcessMeter: Sendable {
  private let pid: Int

  /// Nil when there is no such process, or no `/proc` on this system.
  package init?(pid: Int) {
    self.pid = pid
    guard figures() != nil else { return nil }
  }

  /// Nil once the process has ended.
  func figures() -> ProcessFigures? {
    guard let stat = contents("stat"), let status = contents("status") else { return nil }
    let ticks = sysconf(Int32(_SC_CLK_TCK))
    return ProcessFigures(stat: stat, status: status, ticksPerSecond: ticks)
  }

  private func contents(_ file: String) -> String? {
    guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/\(file)") else {
      return nil
    }
    return String(decoding: data, as: UTF8.self)
  }
}
