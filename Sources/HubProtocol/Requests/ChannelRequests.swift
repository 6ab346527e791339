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

/// `channel.update`.
package struct ChannelUpdate: Equatable, Sendable {
  package let channel: ChannelName
  package let name: Update<String>
  package let details: Update<String>
  package let avatar: Update<String>
  package let custom: Update<RawJSON>

  package init(
    channel: ChannelName, name: Update<String> = .keep, details: Update<String> = .keep,
    avatar: Update<String> = .keep, custom: Update<RawJSON> = .keep
  ) {
    self.channel = channel
    self.name = name
    self.details = details
    self.avatar = avatar
    self.custom = custom
  }

  /// The profile after the update.
  package func applied(to profile: ChannelProfile) -> ChannelProfile {
    ChannelProfile(
      name: name.applied(to: profile.name), details: details.applied(to: profile.details),
      avatar: avatar.applied(to: profile.avatar), custom: custom.applied(to: profile.custom))
  }
}

/// `member.ban`.
package struct MemberBan: Equatable, Sendable {
  package let channel: ChannelName
  package let user: UserID
  /// Nil for ever.
  package let until: Timestamp?
  package let reason: String?

  package init(channel: ChannelName, user: UserID, until: Timestamp? = nil, reason: String? = nil) {
    self.channel = channel
    self.user = user
    self.until = until
    self.reason = reason
  }
}

/// `member.list`.
package struct MemberList: Equatable, Sendable {
  package let channel: ChannelName
  /// Only those who are there.
  package let onlyPresent: Bool
  package let cursor: String?
  package let limit: Int

  package init(
    channel: ChannelName, onlyPresent: Bool = false, cursor: String? = nil,
    limit: Int = Limits.pageItemsDefault
  ) {
    self.channel = channel
    self.onlyPresent = onlyPresent
    self.cursor = cursor
    self.limit = limit
  }
}
