import HubCore

/// Where a message lies in the file: a channel's messages lie together, by seq.
struct RowID: Hashable, Comparable {
  private static let seqBits = 35
  /// The highest seq that a row can have.
  static let lastSeq = 1 << seqBits - 1
  /// Channels that rows can be told apart by.
  static let channels = 1 << 28

  let number: Int

  init(number: Int) { self.number = number }

  /// Nil when the file has no place for it.
  init?(_ channel: ChannelRef, _ seq: Int) {
    guard channel.index < Self.channels, (0...Self.lastSeq).contains(seq) else { return nil }
    number = Int(channel.index) << Self.seqBits | seq
  }

  var seq: Int { number & Self.lastSeq }

  /// Rows that this hub wrote have a channel.
  var channel: ChannelRef { ChannelRef(index: UInt32(truncatingIfNeeded: number >> Self.seqBits)) }

  static func < (lhs: RowID, rhs: RowID) -> Bool { lhs.number < rhs.number }
}
