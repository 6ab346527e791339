/// A user object (protocol, "Users").
package struct User: Equatable, Sendable {
  /// Who it is.
  package let id: UserID
  /// What the user shows of themselves.
  package let profile: UserProfile
  /// Whether it is a bot.
  package let isBot: Bool
  /// Members of the user's `feed:` channel, the user left out; nil where it was not counted.
  package let followers: Int?
  /// `feed:` channels of others that the user has joined; nil where it was not counted.
  package let following: Int?

  package init(
    id: UserID, profile: UserProfile = UserProfile(), isBot: Bool = false, followers: Int? = nil,
    following: Int? = nil
  ) {
    self.id = id
    self.profile = profile
    self.isBot = isBot
    self.followers = followers
    self.following = following
  }

  /// What the user is called: the id stands in for a missing name.
  package var shownName: String { profile.name ?? id.text }

  /// The most bytes that the object takes as JSON, about.
  package var weight: Int {
    200 + 2 * id.text.utf8.count + profile.weight
  }
}

/// What users say of themselves.
package struct UserProfile: Equatable, Sendable {
  /// Display name; the id stands in when there is none.
  package var name: String?
  /// Lower-case, unique, at most `Limits.usernameBytes`.
  package var username: String?
  /// An `http` or `https` URL.
  package var avatar: String?
  /// A sentence or two, at most `Limits.detailsBytes`.
  package var bio: String?
  /// A JSON value of the app's own, kept byte for byte.
  package var custom: RawJSON?

  package init(
    name: String? = nil, username: String? = nil, avatar: String? = nil, bio: String? = nil,
    custom: RawJSON? = nil
  ) {
    self.name = name
    self.username = username
    self.avatar = avatar
    self.bio = bio
    self.custom = custom
  }

  /// The most bytes that the profile takes as members of a JSON object, about.
  var weight: Int {
    [name, username, avatar, bio].reduce(custom?.bytes.count ?? 0) { weight, text in
      weight + (text.map(JSONText.escapedCount) ?? 0)
    }
  }
}

/// What a token lets its holder be.
package enum Privilege: String, Sendable, CaseIterable {
  case person
  case bot
  case admin
}
