import Foundation
import HubCore
import HubProtocol
import HubStage
import HubStorage
import Synchronization

/// From append to acknowledgement: 64 records at a time, each batch when the one before it is
/// durable, through the journal; then the same bytes at the same rate by nothing but a write and an
/// `fdatasync`. Taken in turns, so that both meet the same disk.
enum LogCost {
  private static let senders = 64

  static func measure(in directory: String, seconds: Int) throws {
    let place = JournalPlace(path: directory + "/journal", on: DiskFileSystem())
    let store = StoreID(high: 1, low: 2)
    let log = JournalLog(
      writer: try place.create(store: store, firstLSN: LSN(1)), durability: .commit
    ) { record, bytes in
      record.write(to: &bytes)
      return Record.version
    }
    let told = Told()
    log.notify { notice in
      if case .durable(let lsn) = notice { told.set(lsn.number) }
    }
    var bytes: [UInt8] = []
    let records = (0..<senders).map {
      SampleRecord.message($0, by: UserRef(index: 0), to: channel("room:1"))
    }
    for record in records { record.write(to: &bytes) }
    let bare = try Bare(path: directory + "/bare")
    var journaled: [Duration] = []
    var written: [Duration] = []
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      for _ in 0..<100 {
        journaled.append(
          ContinuousClock().measure {
            _ = log.append(records)
            told.wait(for: log.last.number)
          })
      }
      for _ in 0..<100 { written.append(try ContinuousClock().measure { try bare.append(bytes) }) }
    }
    log.close()
    print("\(journaled.count) batches of \(senders) records, \(bytes.count) bytes each")
    print("journal, append to acknowledgement: \(Figures.line(journaled))")
    print("bare write + fdatasync:             \(Figures.line(written))")
    let ratio =
      Figures.percentile(journaled.sorted(), 0.99) / Figures.percentile(written.sorted(), 0.99)
    print(String(format: "p99 ratio %.2f (at most 3)", ratio))
  }

  /// How far the log is.
  private final class Told: Sendable {
    private let condition = NSCondition()
    private let lsn = Atomic(0)

    func set(_ number: Int) {
      condition.lock()
      lsn.store(number, ordering: .releasing)
      condition.signal()
      condition.unlock()
    }

    func wait(for number: Int) {
      condition.lock()
      while lsn.load(ordering: .acquiring) < number { condition.wait() }
      condition.unlock()
    }
  }

  /// A file that is written at its end, with its room taken beforehand as the journal does.
  private final class Bare {
    private let file: any OpenFile
    private var offset = 0
    private var size = 0

    init(path: String) throws {
      file = try DiskFileSystem().open(path, .creating)
    }

    func append(_ bytes: [UInt8]) throws {
      if offset + bytes.count > size {
        size += 64 << 20
        try file.preallocate(size)
        try file.sync()
      }
      try file.write(bytes, at: offset)
      offset += bytes.count
      try file.sync()
    }
  }
}
