package import HubCore
package import HubProtocol

extension Mark {
  /// The mark of an event that goes to a channel's subscribers.
  package init(of event: Event, publishedIn channel: ChannelRef) {
    switch event {
    case .message(let message, _):
      self = .message(channel, message.channel, seq: message.seq)
    case .hiddenMessage(let name, let seq):
      self = .message(channel, name, seq: seq)
    case .messageChanged(let change):
      self = .change(channel, change.message.channel, rev: change.message.rev)
    case .reaction(let change):
      self = .change(channel, change.channel, rev: change.rev)
    case .member(let name, _, _, _):
      self = .channelEvent(channel, name)
    case .signal, .readBy, .typing, .typingCount, .receipt, .channelCreated, .channelUpdated,
      .channelDeleted, .presence, .present, .user, .ownSettings, .ownMute, .activity, .unread,
      .inbox, .notice, .noticeRetract, .unsubscribed, .gap, .userGap, .error:
      self.init(of: event)
    }
  }

  /// The mark of an event that goes to single connections.
  package init(of event: Event) {
    switch event {
    case .typing(let name, _), .typingCount(let name, _): self = .latest(.typing(name))
    case .present(let name, _): self = .latest(.present(name))
    case .receipt(let name, let user, _, _): self = .latest(.receipt(name, user))
    case .presence(let presence): self = .latest(.presence(presence.user))
    case .activity(let activity): self = .latest(.activity(activity.channel))
    case .unread(let counts): self = .latest(.unread(counts.channel))
    case .notice(let notice): self = .latest(.notice(notice.channel, seq: notice.seq))
    case .noticeRetract(let channel, let seq): self = .latest(.notice(channel, seq: seq))
    // `read_by` says only what changed: a newer one does not stand for those before it.
    case .signal, .readBy: self = .ephemeral
    case .unsubscribed(let name, _): self = .ended(name)
    case .error, .gap, .userGap: self = .reply
    case .message, .hiddenMessage, .messageChanged, .reaction, .member, .channelCreated,
      .channelUpdated, .channelDeleted, .user, .ownSettings, .ownMute, .inbox:
      self = .userStream
    }
  }
}
