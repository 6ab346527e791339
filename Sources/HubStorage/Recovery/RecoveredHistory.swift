package import HubCore

/// History as recovery needs it.
package protocol RecoveredHistory: AnyObject, Sendable {
  /// The newest record it has; 0 when it was just begun.
  var applied: LSN { get }

  /// Hands over what records mean for it; what it has already is skipped.
  func append(_ changes: [HistoryChange], upTo lsn: LSN)

  /// Hands over messages that no record brings.
  func seed(_ changes: [HistoryChange])

  /// Waits until everything up to `lsn` is on the disk.
  func makeDurable(_ lsn: LSN) throws(HistoryFailure)

  /// Takes back what lies behind `lsn`, where `end` tells how far the registry is.
  func rewind(
    to lsn: LSN, end: @escaping @Sendable (ChannelRef) -> ChannelEnd?
  ) throws(HistoryFailure) -> Rewound
}

extension Rewound {
  /// What a history that is not a `HistoryStore` answers.
  package init(deleting count: Int, ahead: [(channel: ChannelRef, seq: Int)]) {
    self.init(deleted: count, ahead: ahead)
  }
}
