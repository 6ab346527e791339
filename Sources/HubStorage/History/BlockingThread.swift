#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread for work that blocks.
final class BlockingThread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let ended = Monitor(false)

  /// Starts it; false when the system has no thread to give.
  func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let ended = ended
    let body = Body {
      run()
      ended.with { $0 = true }
      ended.wake()
    }
    // SAFETY: retained here, released by the thread that starts, or below when none does.
    let passed = Unmanaged.passRetained(body)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = pthread_create(&thread, nil, runBody, passed.toOpaque())
    guard code == 0 else {
      passed.release()
      return false
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }

  /// Blocks until it has ended.
  func join() {
    ended.next { $0 ? .go(()) : .wait(milliseconds: nil) }
  }

  // SAFETY: `start` passed a retained `Body` to this thread alone.
  fileprivate static func run(_ passed: UnsafeMutableRawPointer) {
    Unmanaged<Body>.fromOpaque(passed).takeRetainedValue().run()
  }
}

#if canImport(Darwin)
  // SAFETY: the system hands over what `start` gave to `pthread_create`.
  private func runBody(_ passed: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    BlockingThread.run(passed)
    return nil
  }
#else
  // SAFETY: the system hands over what `start` gave to `pthread_create`.
  private func runBody(_ passed: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let passed { BlockingThread.run(passed) }
    return nil
  }
#endif
