internal import Foundation
internal import HubClient

/// Standard output and standard error, a whole line at a time, never kept back.
actor Output {
  /// Nobody reads standard output any more.
  struct Closed: Error {}

  init() {
    // A closed pipe is to be an error of the write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // Standard streams that are closed must not become sockets: their places are taken by what
    // cannot be written to.
    var place = open("/dev/null", O_RDONLY)
    while 0...STDERR_FILENO ~= place { place = open("/dev/null", O_RDONLY) }
    if place > STDERR_FILENO { close(place) }
  }

  /// A line for people, or of JSON, on standard output.
  func line(_ text: String) throws(Closed) {
    try line(Array(text.utf8))
  }

  /// A JSON value on standard output as it came; JSON has no line breaks but between its tokens.
  func line(_ json: HubJSON) throws(Closed) {
    try line(json.bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
  }

  /// A line on standard error. That it cannot be written is no reason to stop.
  func note(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(Array(text.utf8) + [0x0A]))
  }

  private func line(_ bytes: [UInt8]) throws(Closed) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(bytes + [0x0A]))
    } catch {
      throw Closed()
    }
  }
}
