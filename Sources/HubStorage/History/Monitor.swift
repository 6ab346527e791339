#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a look at shared state came to.
enum Turn<Value> {
  case go(Value)
  /// Nothing to do until somebody wakes, or that time has passed.
  case wait(milliseconds: Int?)
}

/// State that threads share under one lock, and wait for.
// SAFETY: `state` is touched by `with` and `next` alone, which hold the mutex meanwhile.
final class Monitor<State: Sendable>: @unchecked Sendable {
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  init(_ state: State) {
    self.state = state
    // SAFETY: both stay where they are until `deinit`, when no thread can be inside any more.
    mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the state; `body` must be short and must not come back here.
  func with<Value>(_ body: (inout State) -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Has every thread that waits look again.
  func wake() { pthread_cond_broadcast(changed) }

  /// Blocks until `look`, called now and whenever something may have changed, says go.
  func next<Value>(_ look: (inout State) -> Turn<Value>) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      switch look(&state) {
      case .go(let value):
        return value
      case .wait(nil):
        pthread_cond_wait(changed, mutex)
      case .wait(let milliseconds?):
        var end = Self.moment(afterMilliseconds: milliseconds)
        pthread_cond_timedwait(changed, mutex, &end)
      }
    }
  }

  private static func moment(afterMilliseconds milliseconds: Int) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let nanoseconds = time.tv_nsec + milliseconds % 1_000 * 1_000_000
    time.tv_sec += milliseconds / 1_000 + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }
}
