import GRDB
import HubCore
import HubProtocol

/// Writing changes.
extension HistoryWriter {
  /// A message that is to be written, once per transaction.
  fileprivate struct Put {
    let id: RowID
    var stored: StoredMessage
    /// Its number in the order in which the messages came.
    var number = 0
  }

  /// The statements, prepared if they are not.
  func prepared(_ db: Database) throws -> WriterCommands {
    if let commands { return commands }
    let prepared = try WriterCommands(db)
    commands = prepared
    return prepared
  }

  /// Writes changes, the last state of each message only, and how far history is by that.
  func write(_ works: [HistoryDesk.Work], _ db: Database) throws {
    let commands = try prepared(db)
    var puts: [Put] = []
    var places: [RowID: Int] = [:]
    var notified: [Int: StoredNotification] = [:]
    for case .changes(let changes, let lsn, _) in works {
      for change in changes {
        switch change {
        case .put(let stored): try gather(stored, &puts, &places)
        case .removed(let channel): try raise(channel, to: ChannelRow.removed, commands)
        case .expired(let channel, let seq):
          try raise(channel, to: min(max(seq, 0), RowID.lastSeq - 1), commands)
        case .notified(let stored): notified[stored.number] = stored
        }
      }
      if let lsn { progress.state.applied = max(progress.state.applied, lsn) }
    }
    for index in puts.indices {
      progress.state.number += 1
      puts[index].number = progress.state.number
    }
    // Neighbours in the file one after the other.
    puts.sort { $0.id < $1.id }
    for put in puts { try write(put, commands) }
    for (_, stored) in notified.sorted(by: { $0.key < $1.key }) {
      try NotificationRow(stored).write(to: commands.notify)
    }
    try progress.state.write(commands.state)
  }

  private func gather(
    _ stored: StoredMessage, _ puts: inout [Put], _ places: inout [RowID: Int]
  ) throws {
    guard let id = RowID(stored.channel, stored.message.seq) else {
      throw RowDamage(
        "channel \(stored.channel.index), message \(stored.message.seq) "
          + "is beyond what history holds")
    }
    if let place = places[id] {
      puts[place].stored = stored
    } else {
      places[id] = puts.count
      puts.append(Put(id: id, stored: stored))
    }
  }

  private func write(_ put: Put, _ commands: WriterCommands) throws {
    let ref = Int(put.stored.channel.index)
    let known = channels[ref]
    guard put.id.seq > known?.floor ?? 0 else { return }
    if known?.isNamed != true { try name(ref, put.stored.message.channel.text, commands) }
    let row = MessageRow(put.id, put.stored)
    let doc = put.text == nil ? nil : put.number
    guard try row.write(doc: doc, to: commands.insert) == 0 else { return learn(put.text, doc) }
    try replace(by: row, put, commands)
  }

  /// Search is to learn of a message that it does not know.
  private func learn(_ text: String?, _ doc: Int?) {
    guard let text, let doc else { return }
    fresh[doc] = text
    progress.unindexed += 1
  }

  /// Writes a row in the place of what is there. Where search knows a message by another text than
  /// that, it must forget that first.
  private func replace(by row: MessageRow, _ put: Put, _ commands: WriterCommands) throws {
    let old = try commands.message.begin().add(row.id.number).first { MessageRow($0) }
    guard let old else { return }
    var doc = old.doc
    switch known(old) {
    case .nothing:
      doc = put.text == nil ? nil : put.number
      learn(put.text, doc)
    case .text(_, let text) where text == put.text: break
    case .text(let doc, _) where doc > progress.indexedUpTo: fresh[doc] = put.text
    case .text(let doc, let text):
      let stale = StaleRow(doc: doc, number: put.number, text: text)
      progress.unindexed += try stale.write(commands.stale)
    }
    try row.write(doc: doc, to: commands.update)
  }

  /// What search knows of a message, or will when it has caught up.
  private enum Known {
    /// Nothing, or what cannot be told: then it must not be found there any more.
    case nothing
    case text(doc: Int, String?)
  }

  private func known(_ row: MessageRow) -> Known {
    guard let doc = row.doc else { return .nothing }
    do {
      return .text(doc: doc, try SearchText.text(of: row, file: core.path))
    } catch {
      // Whoever reads it is told.
      return .nothing
    }
  }

  private func name(_ ref: Int, _ name: String, _ commands: WriterCommands) throws {
    var row = try channelRow(ref, commands) ?? ChannelRow(name: name, floor: 0, cleared: 0)
    row.name = name
    try write(row, of: ref, commands)
  }

  /// From now on nothing exists up to `floor`; the rows go later.
  private func raise(_ channel: ChannelRef, to floor: Int, _ commands: WriterCommands) throws {
    guard channel.index < RowID.channels else { return }
    let ref = Int(channel.index)
    guard floor > channels[ref]?.floor ?? 0 else { return }
    var row = try channelRow(ref, commands) ?? ChannelRow(name: "", floor: 0, cleared: 0)
    if row.cleared == row.floor { progress.clearing.append(ref) }
    row.floor = floor
    try write(row, of: ref, commands)
  }

  func channelRow(_ ref: Int, _ commands: WriterCommands) throws -> ChannelRow? {
    try commands.channelRow.begin().add(ref).first { row in
      try ChannelRow.read(row, file: core.path).channel
    }
  }

  func write(_ row: ChannelRow, of ref: Int, _ commands: WriterCommands) throws {
    commands.channel.begin().add(ref).add(row.name).add(row.floor).add(row.cleared)
    try commands.channel.add(row.checksum(of: ref)).execute()
    if replaced[ref] == nil { replaced[ref] = .some(channels[ref]) }
    channels[ref] = HistoryContents.Known(floor: row.floor, isNamed: !row.name.isEmpty)
  }
}

extension HistoryWriter.Put {
  /// What search is to find it by.
  fileprivate var text: String? {
    stored.message.isDeleted ? nil : stored.message.content.text
  }
}
