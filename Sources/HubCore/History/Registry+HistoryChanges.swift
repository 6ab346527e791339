import HashTreeCollections
import HubProtocol

/// What history is told.
extension Registry {
  /// What a record that took effect means for history.
  func historyChanges(of applied: Applied) -> [HistoryChange] {
    switch applied {
    case .sent(_, let stored), .changed(_, let stored, _), .reacted(_, _, let stored):
      [.put(stored)]
    case .channel(.deleted(let channel, _)): [.removed(channel)]
    case .channel(.left(let channel, let departure)):
      departure?.isEnd == true ? [.removed(channel)] : []
    case .expired(let expiries): expiries.map { .expired($0.channel, upTo: $0.seq) }
    case .channel(.created), .channel(.unchanged), .channel(.updated), .channel(.joined),
      .channel(.muted), .user, .members, .nothing, .repeated, .unchanged, .moved, .movedBack,
      .profiles, .blocked, .settings, .notified, .ran, .inboxMarked, .inboxDeleted, .inboxActed:
      []
    }
  }

  /// A message of the window with everything that history keeps of it.
  func stored(_ message: Message, in channel: ChannelRef) -> StoredMessage? {
    userRefs[message.user].map {
      channels[channel.index].window.stored(message, in: channel, author: $0)
    }
  }

  /// Applies a record of the log again, without anybody to tell; answers what it means for history.
  package mutating func replay(_ record: Record) -> [HistoryChange] {
    do {
      // In two steps: in one the registry would be copied before it changes.
      let applied = try apply(record)
      return historyChanges(of: applied) + takeInboxNews().bodies.map { .notified($0) }
    } catch {
      // It was refused then, too.
      return []
    }
  }

  /// What a history that was lost can be given back from memory: where each channel begins, and
  /// then the messages, in the order in which they came.
  package func seedHistory(_ take: ([HistoryChange]) throws -> Void) rethrows {
    var floors: [HistoryChange] = []
    var messages: [(ts: Timestamp, channel: ChannelRef, seq: Int)] = []
    for index in 0..<UInt32(channels.count) where !channels[index].isDeleted {
      let channel = ChannelRef(index: index)
      let window = channels[index].window
      let first = window.firstSeq ?? channels[index].seq + 1
      if first > 1 { floors.append(.expired(channel, upTo: first - 1)) }
      messages += window.kept.map { ($0.ts, channel, $0.seq) }
    }
    try take(floors)
    messages.sort { ($0.ts, $0.channel, $0.seq) < ($1.ts, $1.channel, $1.seq) }
    for start in stride(from: 0, to: messages.count, by: Self.seedBatch) {
      let batch = messages[start..<min(messages.count, start + Self.seedBatch)]
      try take(batch.compactMap { put($0.seq, of: $0.channel) })
    }
  }

  /// Messages that are given back in one go.
  private static let seedBatch = 1_000

  /// How far a channel is; nil when there is none, as far as records go.
  package func newestPosition(of channel: ChannelRef) -> (seq: Int, rev: Int)? {
    guard channel.index < UInt32(channels.count), !channels[channel.index].isDeleted else {
      return nil
    }
    return (channels[channel.index].seq, channels[channel.index].rev)
  }

  /// A message that is in memory, for history; nil when it is not.
  package func put(_ seq: Int, of channel: ChannelRef) -> HistoryChange? {
    guard newestPosition(of: channel) != nil else { return nil }
    return channels[channel.index].window[seq].flatMap { stored($0, in: channel) }
      .map(HistoryChange.put)
  }

  /// Records applied so far, and so the newest record's place in the log.
  package var appliedCount: Int { recordCount }
  /// Notifications so far, and so the newest one's number.
  package var notificationCount: Int { bodyCount }
  /// Users so far: what a record may refer to.
  package var userCount: Int { users.count }
  /// Whether its first record was applied.
  package var isFounded: Bool { !stream.isEmpty }
}
