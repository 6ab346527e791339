internal import Foundation

/// What ends a command that would go on for ever.
enum Interruption {
  /// Returns when the process is asked to end: Ctrl-C or SIGTERM. A second one ends it at once.
  static func signal() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { number in
      Foundation.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
    for await _ in stream { break }
    for source in sources { source.cancel() }
    Foundation.signal(SIGINT, SIG_DFL)
    Foundation.signal(SIGTERM, SIG_DFL)
  }

  /// Returns when nobody reads standard output any more. Its thread lives as long as the process.
  static func outputClosed() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    Thread.detachNewThread {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      // With no events asked for, only errors and hang-ups are reported.
      while poll(&output, 1, -1) < 0 && errno == EINTR {}
      continuation.yield()
    }
    for await _ in stream { break }
  }
}
