/// Stands for the executor of an embedded loop, which has none: the test's own thread is the loop,
/// so everybody is where they should be.
final class EmbeddedExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedSerialExecutor())
  }

  func checkIsolated() {}
}
