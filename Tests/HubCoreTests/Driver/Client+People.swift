import HubCore
import HubProtocol

/// Operations on users by short names; each answers as `ask` does.
extension Client {
  @discardableResult
  func profile(
    name: Update<String> = .keep, username: Update<String> = .keep, avatar: Update<String> = .keep,
    bio: Update<String> = .keep, custom: Update<RawJSON> = .keep
  ) -> String {
    ask(
      .userUpdate(
        ProfileUpdate(name: name, username: username, avatar: avatar, bio: bio, custom: custom)))
  }

  @discardableResult
  func put(_ puts: UserPut...) -> String { ask(.userPut(puts)) }

  @discardableResult
  func users(_ names: String...) -> String { ask(.userGet(names.map(user))) }

  @discardableResult
  func search(_ query: String, limit: Int = 50) -> String {
    ask(.userSearch(query, limit: limit))
  }

  @discardableResult
  func block(_ name: String) -> String { ask(.userBlock(user(name))) }

  @discardableResult
  func unblock(_ name: String) -> String { ask(.userUnblock(user(name))) }

  /// Changes settings, or asks for them.
  @discardableResult
  func settings(_ change: (inout SettingsUpdate) -> Void = { _ in }) -> String {
    var update = SettingsUpdate()
    change(&update)
    return ask(.userSettings(update))
  }

  @discardableResult
  func appear(_ status: PresenceStatus) -> String { ask(.presenceSet(status)) }

  @discardableResult
  func presence(of names: String...) -> String { ask(.presenceOfUsers(names.map(user))) }

  @discardableResult
  func presence(in names: String...) -> String { ask(.presenceOfChannels(names.map(channel))) }

  @discardableResult
  func signal(_ name: String, _ word: String = "wave") -> String {
    ask(.signal(Signal(channel: channel(name), name: word)))
  }

  @discardableResult
  func focus(_ name: String) -> String { ask(.focus(.channel(channel(name)))) }

  @discardableResult
  func disconnect(_ name: String) -> String { ask(.userDisconnect(user(name))) }

  /// Replaces the token by one that says that.
  @discardableResult
  func refresh(_ name: String, as privilege: Privilege = .person) -> String {
    refresh(.success(Identity(user: user(name), privilege: privilege)))
  }

  /// What was told of users in the last reply.
  var people: [User] {
    guard case .users(let users) = reply else { return [] }
    return users
  }

  /// The user stream in the last `hello`.
  var userStream: UserStream? {
    for case .reply(_, .hello(let hello)) in received.reversed() { return hello.userStream }
    return nil
  }
}
