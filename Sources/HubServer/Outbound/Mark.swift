package import HubCore
package import HubProtocol

/// What a frame is to those it goes to, so that a connection that does not keep up knows which of
/// its lanes the frame belongs to, and what it means to go without it (architecture, "Outbound
/// lanes"). Found out once for each frame, whatever the number of its receivers.
package enum Mark: Equatable, Sendable {
  /// A reply, or an `error`: ordered, never dropped.
  case reply
  /// The answer to a `subscribe`, which says where its channel stands: like a reply; what is
  /// missed of a channel behind it is another gap than what was missed before.
  case subscribed
  /// A new message, numbered: ordered, dropped into the channel's gap.
  case message(ChannelRef, ChannelName, seq: Int)
  /// An edit, a deletion or a reaction, numbered: ordered, dropped into the channel's gap.
  case change(ChannelRef, ChannelName, rev: Int)
  /// Something else that happened in a channel: ordered, dropped into the channel's gap.
  case channelEvent(ChannelRef, ChannelName)
  /// `unsubscribed`: ordered, never dropped; nothing of the channel comes behind it.
  case ended(ChannelName)
  /// An event of the user stream each of which counts: ordered, dropped into the user stream's gap.
  case userStream
  /// Of what happened nothing is kept, or what it says is soon said again: ordered, dropped without
  /// a word.
  case ephemeral
  /// Of the values under one key only the newest counts; dropped into the user stream's gap.
  case latest(LatestKey)
}

/// What a latest value is of.
package enum LatestKey: Hashable, Sendable {
  /// Who types in a channel.
  case typing(ChannelName)
  /// How many members of a channel are there.
  case present(ChannelName)
  case receipt(ChannelName, UserID)
  case presence(UserID)
  case activity(ChannelName)
  case unread(ChannelName)
  /// What is shown of one message, or no longer.
  case notice(ChannelName, seq: Int)

  /// The channel that the value is of; nil where it is of none.
  var channel: ChannelName? {
    switch self {
    case .typing(let channel), .present(let channel), .receipt(let channel, _),
      .activity(let channel), .unread(let channel):
      channel
    // A notice speaks to people who are not at its channel, subscribed or not.
    case .presence, .notice: nil
    }
  }
}

/// How far a channel has come: what a subscriber who takes everything knows of it.
package struct ChannelPosition: Equatable, Sendable {
  /// Number of the newest message; 0 before the first.
  package var seq: Int
  /// Number of the newest edit, deletion or reaction; 0 before the first.
  package var rev: Int

  package init(seq: Int, rev: Int) {
    self.seq = seq
    self.rev = rev
  }

  /// Before everything, and so a safe answer where nothing is known.
  package static let start = ChannelPosition(seq: 0, rev: 0)

  /// Goes on to behind a frame that was published in the channel.
  mutating func pass(_ mark: Mark) {
    switch mark {
    case .message(_, _, let seq): self.seq = max(self.seq, seq)
    case .change(_, _, let rev): self.rev = max(self.rev, rev)
    case .reply, .subscribed, .channelEvent, .ended, .userStream, .ephemeral, .latest: break
    }
  }

  /// Goes on to a position that is not behind this one in anything.
  mutating func advance(to other: ChannelPosition) {
    seq = max(seq, other.seq)
    rev = max(rev, other.rev)
  }
}
