/// What history tells of itself.
package enum HistoryNotice: Equatable, Sendable {
  /// Too much waits to be written, or no longer.
  case behind(Bool)
  /// There is no room on the disk: nothing is written, reading goes on.
  case full(String)
  /// There is room again.
  case writable
  /// Nothing will be written or read any more: why.
  case failed(String)
  /// Everything up to there survives a loss of power.
  case durable(LSN)
  /// Something in the file is not what was written.
  case damaged(String)
  /// A sweep has ended: how many notifications it deleted what was said of.
  case swept(rows: Int)
}

/// Whether history can be written.
package enum HistoryState: Equatable, Sendable {
  case writable
  case full(String)
  /// For good.
  case failed(String)
  case closed
}

/// Figures of history, for metrics.
package struct HistoryFigures: Equatable, Sendable {
  package let state: HistoryState
  /// The newest record that queries see.
  package let applied: LSN
  /// The newest record that survives a loss of power.
  package let durable: LSN
  /// Changes that wait to be written.
  package let pendingChanges: Int
  /// The most bytes that their messages take.
  package let pendingBytes: Int
  package let isBehind: Bool
  /// Bytes of the file and of its WAL.
  package let fileBytes: Int
  /// Messages that search does not know in their present state.
  package let unindexed: Int
  package let commits: Int
  package let commitNanoseconds: Int
  package let checkpoints: Int
  package let checkpointNanoseconds: Int
}
