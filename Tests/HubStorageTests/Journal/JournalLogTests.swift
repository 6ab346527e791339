import Foundation
import HubCore
import HubProtocol
import HubStorage
import SimulatedDisk
import Synchronization
import Testing

@Suite("Architecture, Storage: the log on its thread", .timeLimit(.minutes(2)))
final class JournalLogTests {
  /// Notices in the order in which they came.
  private final class Listener: Sendable {
    private let told = Mutex<[LogNotice]>([])

    var notices: [LogNotice] { told.withLock { $0 } }

    func take(_ notice: LogNotice) { told.withLock { $0.append(notice) } }

    /// Waits until something was told.
    func wait(for isThere: (LogNotice) -> Bool) {
      while !notices.contains(where: isThere) { sched_yield() }
    }

    func wait(for notice: LogNotice) { wait { $0 == notice } }
  }

  private let listener = Listener()
  private let user = UserID("alice")
  private let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("hub-journal-\(UUID().uuidString)").path

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  private func records(_ numbers: some Sequence<Int>) throws -> [Record] {
    let user = try #require(user)
    return numbers.map {
      Record(ts: Timestamp(milliseconds: $0), change: .userAppeared(user, .person))
    }
  }

  private static let encode: JournalLog.Encode = { record, bytes in
    var number = UInt64(record.ts.milliseconds)
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: number))
      number >>= 8
    }
    return 1
  }

  /// The numbers of the records in a journal, in order.
  private func numbers(_ writer: JournalWriter) throws -> [Int] {
    var numbers: [Int] = []
    try writer.replay(from: LSN(1)) { _, bytes, _ in
      numbers.append(bytes.reversed().reduce(0) { $0 << 8 | Int($1) })
    }
    return numbers
  }

  /// A log that the listener listens to.
  private func log(
    on place: JournalPlace, _ durability: JournalLog.Durability = .commit,
    idle: Duration = .seconds(3_600), encode: @escaping JournalLog.Encode = encode
  ) throws -> JournalLog {
    let recovered = try place.recover()?.writer
    let log = JournalLog(
      writer: try recovered ?? place.create(store: JournalStage.store, firstLSN: LSN(1)),
      durability: durability, patience: JournalLog.Patience(idle: idle, retry: .milliseconds(1)),
      encode: encode)
    log.notify { [listener] in listener.take($0) }
    return log
  }

  @Test("what several append at once becomes durable in one order, told in that order")
  func appenders() throws {
    let place = JournalPlace(
      try DataDirectory(path: path), sizes: JournalSizes(first: 8_192, most: 65_536))
    let log = try log(on: place)
    let places = Mutex<[Int: Int]>([:])
    let batches = try (0..<8).map { thread in
      try (0..<50).map { try records([thread * 1_000 + $0 * 2, thread * 1_000 + $0 * 2 + 1]) }
    }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for batch in batches[thread] {
        guard case .pending(let lsn) = log.append(batch) else { continue }
        places.withLock { places in
          for (index, record) in batch.enumerated() {
            places[lsn.number - batch.count + index + 1] = record.ts.milliseconds
          }
        }
      }
    }
    try log.sync()
    let told = listener.notices.map { notice in
      if case .durable(let lsn) = notice { lsn.number } else { -1 }
    }
    #expect(told == told.sorted() && told.first != -1 && told.last == 800)
    #expect(log.last == LSN(800) && log.figures.synced == LSN(800))
    #expect(log.figures.syncs > 0 && log.figures.syncDuration > .zero)
    log.close()
    let recovery = try #require(try place.recover())
    #expect(recovery.wasStoppedInOrder)
    let expected = places.withLock { places in (1...800).map { places[$0] } }
    #expect(try numbers(recovery.writer) == expected)
  }

  @Test("what comes while it is busy is written together, with one sync")
  func groupCommit() throws {
    let disk = try JournalStage.disk()
    let (isEncoding, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let log = try log(on: JournalPlace(path: JournalStage.path, on: disk)) { record, bytes in
      if record.ts.milliseconds == 0 {
        isEncoding.signal()
        mayGoOn.wait()
      }
      return Self.encode(record, &bytes)
    }
    #expect(log.append(try records([0])) == .pending(upTo: LSN(1)))
    isEncoding.wait()
    for number in 1...100 { _ = log.append(try records([number])) }
    mayGoOn.signal()
    try log.sync()
    #expect(listener.notices == [.durable(upTo: LSN(1)), .durable(upTo: LSN(101))])
    #expect(log.figures.syncs == 2)
    log.close()
  }

  @Test("with an interval it is told when it is written, and synced when somebody asks")
  func interval() throws {
    let disk = try JournalStage.disk()
    let place = JournalPlace(path: JournalStage.path, on: disk)
    let log = try log(on: place, .interval(milliseconds: 3_600_000))
    _ = log.append(try records(0..<3))
    listener.wait(for: .durable(upTo: LSN(3)))
    #expect(log.figures.synced == LSN(0) && log.figures.syncs == 0)
    let killed = try #require(try JournalStage.place(disk.restart()).recover())
    #expect(killed.writer.last == LSN(3))
    try log.sync()
    #expect(log.figures.synced == LSN(3) && log.figures.syncs == 1)
    log.close()
  }

  @Test("with an interval it is synced by itself when that has passed")
  func intervalPasses() throws {
    let disk = try JournalStage.disk()
    let place = JournalPlace(path: JournalStage.path, on: disk)
    let log = try log(on: place, .interval(milliseconds: 1))
    _ = log.append(try records(0..<3))
    while log.figures.synced < LSN(3) { sched_yield() }
    #expect(listener.notices == [.durable(upTo: LSN(3))])
    log.close()
  }

  @Test("when there is nothing to do it writes a seal, once")
  func idle() throws {
    let disk = try JournalStage.disk()
    let log = try log(on: JournalStage.place(disk), idle: .milliseconds(1))
    _ = log.append(try records([5]))
    while log.figures.written < 2 * 33 { sched_yield() }
    let outline = try JournalStage.place(disk.crash(seed: 1)).inspect()
    #expect(outline?.segments.first?.isSealed == true)
    try log.sync()
    #expect(log.figures.written == 2 * 33)
    log.close()
    #expect(log.figures.written == 3 * 33)
  }

  @Test("a full disk is told, pending records wait, and go on when there is room")
  func full() throws {
    let disk = try JournalStage.disk()
    disk.setCapacity(1_000)
    let log = try log(on: JournalStage.place(disk))
    _ = log.append(try records(0..<50))
    listener.wait(for: .full)
    #expect(throws: LogFailure.full) { try log.sync() }
    #expect(log.figures.state == .full && log.figures.last == LSN(0))
    disk.setCapacity(nil)
    listener.wait(for: .writable)
    try log.sync()
    let notices = listener.notices
    #expect(notices.first == .full && notices.filter { $0 == .full }.count == 1)
    #expect(notices.contains(.durable(upTo: LSN(50))) && notices.contains(.writable))
    log.close()
    #expect(try numbers(JournalStage.recover(disk).writer) == Array(0..<50))
  }

  @Test("who listens late is told that it is full")
  func lateListener() throws {
    let disk = try JournalStage.disk()
    disk.setCapacity(100)
    let log = try log(on: JournalStage.place(disk))
    listener.wait(for: .full)
    let other = Listener()
    log.notify { other.take($0) }
    other.wait(for: .full)
    log.close()
  }

  @Test("closed while it is full, it ends without what it could not write")
  func closedWhileFull() throws {
    let disk = try JournalStage.disk()
    let log = try log(on: JournalStage.place(disk))
    _ = log.append(try records(0..<3))
    try log.sync()
    disk.setCapacity(0)
    _ = log.append(try records(3..<90))
    listener.wait(for: .full)
    log.close()
    let recovery = try JournalStage.recover(disk.crash(seed: 1))
    #expect(recovery.wasStoppedInOrder && recovery.writer.last == LSN(3))
  }

  @Test("a failed sync is told, and nothing is written or accepted any more")
  func failed() throws {
    let disk = try JournalStage.disk()
    let log = try log(on: JournalStage.place(disk))
    _ = log.append(try records([1]))
    try log.sync()
    // The write works, the sync does not.
    disk.failOperation(2, .inputOutput)
    _ = log.append(try records([2]))
    let reason = "cannot sync \(JournalStage.segment(1)): Input/output error"
    listener.wait(for: .failed(reason))
    #expect(throws: LogFailure.failed(reason)) { try log.sync() }
    let operations = disk.operations
    for number in 3..<20 { _ = log.append(try records([number])) }
    log.deleteSegments(upTo: LSN(100))
    log.close()
    #expect(disk.operations == operations)
    #expect(listener.notices == [.durable(upTo: LSN(1)), .failed(reason)])
    #expect(log.figures.state == .failed(reason) && log.figures.synced == LSN(1))
  }

  @Test("once closed it takes nothing, and says so to who waits")
  func closed() throws {
    let disk = try JournalStage.disk()
    let log = try log(on: JournalStage.place(disk))
    _ = log.append(try records(0..<4))
    for _ in 0..<2 { log.close() }
    #expect(listener.notices == [.durable(upTo: LSN(4))])
    try log.sync()
    _ = log.append(try records([9]))
    #expect(throws: LogFailure.closed) { try log.sync() }
    #expect(try numbers(JournalStage.recover(disk).writer) == [0, 1, 2, 3])
  }

  @Test("segments that are not needed go")
  func deletion() throws {
    let disk = try JournalStage.disk()
    let log = try log(on: JournalStage.place(disk))
    for number in 0..<200 {
      _ = log.append(try records([number]))
      try log.sync()
    }
    let segments = log.figures.segments
    log.deleteSegments(upTo: LSN(200))
    while log.figures.segments == segments { sched_yield() }
    let manifest = try #require(disk.bytes(of: JournalStage.path + "/manifest"))
    while log.figures.bytes != disk.usedBytes - manifest.count { sched_yield() }
    log.close()
    let recovered = try JournalStage.recover(disk).writer
    #expect(recovered.first > LSN(100) && recovered.last == LSN(200))
  }
}
