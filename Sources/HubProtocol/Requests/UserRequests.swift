/// `user.update`: what is to change of a profile.
package struct ProfileUpdate: Equatable, Sendable {
  package let name: Update<String>
  /// As the client wrote it; `username` is lower-cased when it is applied.
  package let username: Update<String>
  package let avatar: Update<String>
  package let bio: Update<String>
  package let custom: Update<RawJSON>

  package init(
    name: Update<String> = .keep, username: Update<String> = .keep, avatar: Update<String> = .keep,
    bio: Update<String> = .keep, custom: Update<RawJSON> = .keep
  ) {
    self.name = name
    self.username = username
    self.avatar = avatar
    self.bio = bio
    self.custom = custom
  }

  /// The profile after the update.
  package func applied(to profile: UserProfile) -> UserProfile {
    UserProfile(
      name: name.applied(to: profile.name),
      username: username.applied(to: profile.username)?.lowercased(),
      avatar: avatar.applied(to: profile.avatar), bio: bio.applied(to: profile.bio),
      custom: custom.applied(to: profile.custom))
  }
}

/// One entry of `user.put`: a user to be made or changed.
package struct UserPut: Equatable, Sendable {
  package let id: UserID
  /// Whether the user is a bot; nil says nothing of it.
  package let isBot: Bool?
  package let update: ProfileUpdate

  package init(id: UserID, isBot: Bool? = nil, update: ProfileUpdate = ProfileUpdate()) {
    self.id = id
    self.isBot = isBot
    self.update = update
  }
}
