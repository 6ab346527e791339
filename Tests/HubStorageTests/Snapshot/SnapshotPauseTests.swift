import Dispatch
import HubCore
import HubStage
import HubStorage
import Synchronization
import Testing

@Suite("Architecture, State that is large: a snapshot does not stop the sequencer")
struct SnapshotPauseTests {
  /// What the thread that writes has come to.
  private final class Writing: Sendable {
    let digests = Mutex<(captured: [UInt8], loaded: [UInt8])?>(nil)
    let hasEnded = Atomic(false)
    let done = DispatchSemaphore(value: 0)
  }

  /// The longest pause is told, not judged: it depends on the machine. The target is 20 ms.
  @Test("with 1,100,000 memberships the hub goes on while its snapshot is written")
  func pause() throws {
    let directory = try SnapshotDirectory()
    let clock = ContinuousClock()
    let began = clock.now
    var hub = LargeHub()
    print("built in \(clock.now - began)")

    var before = Pauses()
    for _ in 0..<2_000 { before.note(clock.measure { hub.apply(batchOf: 64) }) }
    print("without a snapshot: \(before)")

    let writing = Writing()
    var during = Pauses()
    let captured = clock.measure { start(writing, hub.image, directory.store) }
    during.note(captured)
    while !writing.hasEnded.load(ordering: .acquiring) {
      during.note(clock.measure { hub.apply(batchOf: 64) })
    }
    print("while it is written: \(during)\n  capture: \(captured)")

    writing.done.wait()
    let digests = try #require(writing.digests.withLock { $0 })
    #expect(digests.loaded == digests.captured, "what is loaded is what was captured")
    #expect(hub.image.digest != digests.captured, "the hub went on")
    #expect(during.count > 100)
  }

  /// Writes the image on another thread, where its last reference goes too.
  private func start(_ writing: Writing, _ image: RegistryImage, _ store: SnapshotStore) {
    DispatchQueue(label: "snapshot", qos: .utility).async {
      Self.write(image, to: store, writing)
      writing.hasEnded.store(true, ordering: .releasing)
      let loaded = try? store.load(windowMemory: 1 << 30)
      let digest = loaded?.state.map { DrivenHub($0.registry).digest }
      writing.digests.withLock { $0?.loaded = digest ?? [] }
      writing.done.signal()
    }
  }

  private static func write(
    _ image: consuming RegistryImage, to store: SnapshotStore, _ writing: Writing
  ) {
    let clock = ContinuousClock()
    let took = clock.measure { _ = try? store.take(image, SnapshotDirectory.header) }
    print("written in \(took)")
    let digest = image.digest
    writing.digests.withLock { $0 = (digest, []) }
  }
}

/// How long batches took.
private struct Pauses: CustomStringConvertible {
  private static let bounds: [Int] = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]
  private var counts = [Int](repeating: 0, count: bounds.count + 1)
  private var longest = Duration.zero
  private(set) var count = 0

  mutating func note(_ duration: Duration) {
    let microseconds = Int(duration / .microseconds(1))
    counts[Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count] += 1
    longest = max(longest, duration)
    count += 1
  }

  var description: String {
    let rows = zip(Self.bounds.map { "≤ \($0) µs" } + ["longer"], counts)
      .filter { $0.1 > 0 }.map { "  \($0.0): \($0.1)" }
    return "\(count) batches of 64, the longest \(longest)\n" + rows.joined(separator: "\n")
  }
}
