/// `hello`: who is there (protocol, "Session").
package struct Hello: Equatable, Sendable {
  /// Nil when the upgrade request carried the token.
  package let token: String?
  /// `user_stream.at` of an earlier session.
  package let sinceUser: String?

  package init(token: String?, sinceUser: String? = nil) {
    self.token = token
    self.sinceUser = sinceUser
  }
}

/// `channel.create`.
package struct ChannelCreate: Equatable, Sendable {
  package let channel: ChannelName
  package let kind: ChannelKind
  package let profile: ChannelProfile
  /// Besides the creator, who becomes the owner.
  package let members: [UserID]

  package init(
    channel: ChannelName, kind: ChannelKind, profile: ChannelProfile, members: [UserID]
  ) {
    self.channel = channel
    self.kind = kind
    self.profile = profile
    self.members = members
  }
}

/// `channel.list`.
package struct ChannelList: Equatable, Sendable {
  /// Which channels are looked through.
  package enum Scope: String, Sendable, CaseIterable {
    case joined
    case joinable
    case all
  }

  /// The order of the answer.
  package enum Sort: String, Sendable, CaseIterable {
    /// Newest activity first.
    case activity
    /// Kind descending, then name ascending.
    case kind
    /// Name ascending.
    case name
  }

  package let scope: Scope
  package let kind: ChannelKind?
  package let sort: Sort
  package let cursor: String?
  package let limit: Int

  package init(scope: Scope, kind: ChannelKind?, sort: Sort, cursor: String?, limit: Int) {
    self.scope = scope
    self.kind = kind
    self.sort = sort
    self.cursor = cursor
    self.limit = limit
  }
}

/// `subscribe` (protocol, "Subscribing and recovery").
package struct Subscribe: Equatable, Sendable {
  package let channel: ChannelName
  /// Where the client stopped; nil asks for the newest `limit` messages.
  package let since: Position?
  /// 0…`Limits.subscribeMessages`.
  package let limit: Int

  package init(channel: ChannelName, since: Position?, limit: Int) {
    self.channel = channel
    self.since = since
    self.limit = limit
  }
}

/// `message.send`.
package struct MessageSend: Equatable, Sendable {
  package let channel: ChannelName
  package let content: MessageContent
  package let replyTo: Int?
  /// Makes the send idempotent per sender and channel; at most `Limits.keyBytes`.
  package let key: String?
  /// Look for the key through all of history.
  package let isRetry: Bool
  /// How many bots' answers lie behind this message.
  package let hops: Int

  package init(
    channel: ChannelName, content: MessageContent, replyTo: Int? = nil, key: String? = nil,
    isRetry: Bool = false, hops: Int = 0
  ) {
    self.channel = channel
    self.content = content
    self.replyTo = replyTo
    self.key = key
    self.isRetry = isRetry
    self.hops = hops
  }
}

/// `message.history`.
package struct MessageHistory: Equatable, Sendable {
  /// From where the page is taken; the seq may lie outside the channel.
  package enum Anchor: Equatable, Sendable {
    /// The messages just below.
    case before(Int)
    /// The messages just above.
    case after(Int)
    /// The message itself, and as many below as above it.
    case around(Int)
  }

  package let channel: ChannelName
  package let anchor: Anchor
  package let limit: Int

  package init(channel: ChannelName, anchor: Anchor, limit: Int) {
    self.channel = channel
    self.anchor = anchor
    self.limit = limit
  }
}

/// `notify` (protocol, "Inbox").
package struct Notify: Equatable, Sendable {
  /// For whom it is.
  package enum Audience: Equatable, Sendable {
    /// At most `Limits.notifyRecipients`.
    case users([UserID])
    /// The channel's members.
    case channel(ChannelName)
  }

  package let audience: Audience
  package let notification: Notification
  /// Makes it idempotent per publisher and recipient.
  package let key: String?
  /// Items of one publisher with the same word become one.
  package let collapse: String?

  package init(
    audience: Audience, notification: Notification, key: String? = nil, collapse: String? = nil
  ) {
    self.audience = audience
    self.notification = notification
    self.key = key
    self.collapse = collapse
  }
}

/// `inbox.list`.
package struct InboxList: Equatable, Sendable {
  /// Nil for all types.
  package let types: [String]?
  /// Nil for all but the archived.
  package let states: [InboxState]?
  package let cursor: String?
  package let limit: Int

  package init(types: [String]?, states: [InboxState]?, cursor: String?, limit: Int) {
    self.types = types
    self.states = states
    self.cursor = cursor
    self.limit = limit
  }
}
