import Foundation
import HubCore
import HubProtocol
import HubStorage
import Synchronization

/// A history in a directory of a test's own, deleted with this.
final class HistoryStage: Sendable {
  static let store = StoreID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)

  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("hub-history-\(UUID().uuidString)").path
  private let told = Mutex<[HistoryNotice]>([])
  private let (stream, feed) = AsyncStream<HistoryNotice>.makeStream()

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// What history told of itself, of all openings.
  var notices: [HistoryNotice] { told.withLock { $0 } }

  /// Waits until it tells that; what came before is forgotten.
  func hears(_ wanted: HistoryNotice) async {
    for await notice in stream where notice == wanted { return }
  }

  /// What it said to be damaged.
  var damages: [String] {
    notices.compactMap { if case .damaged(let sentence) = $0 { sentence } else { nil } }
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func open(
    store: StoreID = HistoryStage.store, _ change: (inout HistoryOptions) -> Void = { _ in }
  ) throws(HistoryRefusal) -> (store: HistoryStore, opened: HistoryOpened) {
    var options = HistoryOptions()
    options.commitDelayMilliseconds = 1
    change(&options)
    return try HistoryStore.open(directory: path, store: store, options: options) { notice in
      self.told.withLock { $0.append(notice) }
      self.feed.yield(notice)
    }
  }

  func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + name)
  }

  /// Deletes everything in the directory.
  func clear() throws {
    for name in try names { try remove(name) }
  }
}

extension HistoryStore {
  func ask(_ query: HistoryQuery, at lsn: Int) async -> HistoryAnswer {
    await withCheckedContinuation { continuation in
      ask(query, after: LSN(lsn)) { continuation.resume(returning: $0) }
    }
  }

  func expiries(_ rules: [RetentionRule]) async throws -> [Expiry] {
    try await withCheckedContinuation { continuation in
      expiries(rules) { continuation.resume(returning: $0) }
    }.get()
  }

  func backup(to path: String, at lsn: Int) async -> Result<Int, HistoryFailure> {
    await withCheckedContinuation { continuation in
      backup(to: path, at: LSN(lsn)) { continuation.resume(returning: $0) }
    }
  }

  /// The texts that a search finds.
  func found(
    _ text: String, in channels: [Int] = [0], excluded: [Int] = [], below: Int? = nil,
    limit: Int = 50, at lsn: Int
  ) async -> [String] {
    let search = HistorySearch(
      text: text, channels: Set(channels.map(channel)), excluded: Set(excluded.map(user)),
      below: below, limit: limit)
    guard case .found(let messages, _) = await ask(.search(search), at: lsn) else {
      return ["no answer"]
    }
    return messages.map { $0.message.content.text ?? "" }
  }
}

func channel(_ index: Int) -> ChannelRef { ChannelRef(index: UInt32(index)) }

func user(_ index: Int) -> UserRef { UserRef(index: UInt32(index)) }

/// A message of channel 0, unless said otherwise.
func stored(
  _ seq: Int, in index: Int = 0, by author: Int = 0, _ text: String? = "text", ts: Int? = nil,
  replyTo: Int? = nil, key: String? = nil, rev: Int = 0, isDeleted: Bool = false
) throws -> StoredMessage {
  let ts = Timestamp(milliseconds: ts ?? 1_000 * seq)
  return StoredMessage(
    channel: channel(index), author: user(author),
    message: Message(
      channel: try name("channel-\(index)", ChannelName.init), seq: seq,
      user: try name("user-\(author)", UserID.init), ts: ts,
      content: MessageContent(text: isDeleted ? nil : text), replyTo: replyTo, key: key,
      deletedTs: isDeleted ? ts : nil, rev: rev))
}

private struct NoName: Error {}

private func name<Name>(_ text: String, _ make: (String) -> Name?) throws -> Name {
  guard let name = make(text) else { throw NoName() }
  return name
}
