internal import Foundation
internal import HubLoad

/// How a load test goes, on standard error: on a terminal one line that is rewritten, elsewhere a
/// line every two seconds.
struct BenchProgress: Sendable {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private static let plainEvery = 4

  func show(_ progress: LoadProgress) {
    if isTerminal {
      write("\r\u{1B}[K" + String(progress.sentence.prefix(max(20, columns - 1))))
    } else if progress.number % Self.plainEvery == 0 {
      write(progress.sentence + "\n")
    }
  }

  /// Leaves nothing on the terminal's line.
  func clear() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  private var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// That it cannot be written is no reason to stop.
  private func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
