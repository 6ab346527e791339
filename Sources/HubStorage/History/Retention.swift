package import HubCore
package import HubProtocol

/// What a channel keeps. A message goes when either bound says so.
package struct RetentionRule: Sendable {
  package let channel: ChannelRef
  /// How many of the newest messages are kept; nil: all.
  package let newest: Int?
  /// Messages from before that moment go; nil: none.
  package let before: Timestamp?

  package init(channel: ChannelRef, newest: Int?, before: Timestamp?) {
    self.channel = channel
    self.newest = newest
    self.before = before
  }
}

/// The messages of a channel that are to expire.
package struct Expiry: Equatable, Sendable {
  package let channel: ChannelRef
  /// The highest seq that goes.
  package let upTo: Int
}

/// How far the registry is with a channel.
package struct ChannelEnd: Sendable {
  package let seq: Int
  package let rev: Int

  package init(seq: Int, rev: Int) {
    self.seq = seq
    self.rev = rev
  }
}

/// What going back came to.
package struct Rewound: Sendable {
  /// Messages that the registry does not know.
  package let deleted: Int
  /// Messages that were kept in a state later than the registry's.
  package let ahead: [(channel: ChannelRef, seq: Int)]
}
