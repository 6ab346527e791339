import GRDB
package import HubCore

/// Going back to what the registry knows.
extension HistoryStore {
  /// Takes back what the registry does not know: after an unclean stop of a hub that acknowledges
  /// before it is durable, history may be ahead. Messages above each channel's end go, channels of
  /// which `end` says nothing go as a whole, and `lsn` is the newest record from then on. At start
  /// only, before anything is taken. Blocks.
  package func rewind(
    to lsn: LSN, end: @escaping @Sendable (ChannelRef) -> ChannelEnd?
  ) throws(HistoryFailure) -> Rewound {
    let outcome = Monitor<Result<Rewound, HistoryFailure>?>(nil)
    let isTaken = perform { writer in
      let result = writer.rewind(to: lsn, end: end)
      outcome.with { $0 = result }
      outcome.wake()
    }
    guard isTaken else { throw .closed }
    return try outcome.next { $0.map { .go($0) } ?? .wait(milliseconds: nil) }.get()
  }
}

extension HistoryWriter {
  fileprivate func rewind(
    to lsn: LSN, end: (ChannelRef) -> ChannelEnd?
  ) -> Result<Rewound, HistoryFailure> {
    var deleted = 0
    var ahead: [(channel: ChannelRef, seq: Int)] = []
    do {
      try transact { db in
        let commands = try prepared(db)
        for ref in channels.keys.sorted() {
          let channel = ChannelRef(index: UInt32(ref))
          let end = end(channel)
          deleted += try cut(channel, above: end?.seq ?? 0, commands)
          guard let end else {
            try forget(ref, db)
            continue
          }
          try lower(ref, to: end.seq, commands)
          ahead += try later(than: end.rev, in: channel, db)
        }
        progress.state.applied = lsn
        try progress.state.write(commands.state)
      }
    } catch {
      return .failure(.failed("\(core.path): \(error)"))
    }
    core.desk.with { desk in
      desk.appended = lsn
      // Not on the disk yet: whoever waits for `lsn` waits for a checkpoint.
      desk.durable = LSN(0)
      desk.durableWanted = min(desk.durableWanted, lsn)
    }
    publish()
    return .success(Rewound(deleted: deleted, ahead: ahead))
  }

  private func cut(
    _ channel: ChannelRef, above seq: Int, _ commands: WriterCommands
  ) throws -> Int {
    guard let first = RowID(channel, min(seq + 1, RowID.lastSeq)),
      let last = RowID(channel, RowID.lastSeq)
    else { return 0 }
    var deleted = 0
    while true {
      let count = try delete(first...last, limit: 1_000, commands)
      deleted += count
      guard count == 1_000 else { return deleted }
    }
  }

  private func forget(_ ref: Int, _ db: Database) throws {
    try Command(db, "DELETE FROM channel WHERE ref = ?").begin().add(ref).execute()
    if replaced[ref] == nil { replaced[ref] = .some(channels[ref]) }
    channels[ref] = nil
    progress.clearing.removeAll { $0 == ref }
  }

  /// A floor above the end was of records that are no more; what it took is gone.
  private func lower(_ ref: Int, to seq: Int, _ commands: WriterCommands) throws {
    guard let known = channels[ref], known.floor > seq,
      var row = try channelRow(ref, commands)
    else { return }
    row.floor = seq
    row.cleared = min(row.cleared, seq)
    try write(row, of: ref, commands)
  }

  private func later(
    than rev: Int, in channel: ChannelRef, _ db: Database
  ) throws -> [(channel: ChannelRef, seq: Int)] {
    let command = try Command(
      db, "SELECT id FROM message WHERE id >> 35 = ? AND rev > ? AND rev > 0 ORDER BY id")
    var found: [(channel: ChannelRef, seq: Int)] = []
    try command.begin().add(Int(channel.index)).add(rev).forEach { row in
      found.append((channel, RowID(number: row.number(0)).seq))
      return true
    }
    return found
  }
}
