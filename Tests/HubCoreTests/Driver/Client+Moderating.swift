import HubProtocol

/// Operations on channels and their members by short names; each answers as `ask` does.
extension Client {
  @discardableResult
  func rename(_ name: String, to title: String) -> String {
    change(name, title: title.isEmpty ? .clear : .set(title))
  }

  @discardableResult
  func change(
    _ name: String, title: Update<String> = .keep, details: Update<String> = .keep,
    avatar: Update<String> = .keep, custom: Update<RawJSON> = .keep
  ) -> String {
    ask(
      .channelUpdate(
        ChannelUpdate(
          channel: channel(name), name: title, details: details, avatar: avatar, custom: custom)))
  }

  @discardableResult
  func delete(_ name: String) -> String { ask(.channelDelete(channel(name))) }

  @discardableResult
  func mute(_ name: String, until: Int? = nil) -> String {
    ask(.channelMute(channel(name), until: until.map(Timestamp.init(milliseconds:))))
  }

  @discardableResult
  func unmute(_ name: String) -> String { ask(.channelUnmute(channel(name))) }

  @discardableResult
  func remove(_ name: String, _ users: String...) -> String { remove(name, users) }

  @discardableResult
  func remove(_ name: String, _ users: [String]) -> String {
    ask(.memberRemove(channel(name), users: users.map(user)))
  }

  @discardableResult
  func appoint(_ name: String, _ other: String, _ role: Role) -> String {
    ask(.memberRole(channel(name), user(other), role))
  }

  @discardableResult
  func annotate(_ name: String, _ custom: String?) -> String {
    ask(.memberUpdate(channel(name), custom: custom.map { .set(json($0)) } ?? .clear))
  }

  @discardableResult
  func ban(_ name: String, _ other: String, until: Int? = nil) -> String {
    ask(
      .memberBan(
        MemberBan(
          channel: channel(name), user: user(other),
          until: until.map(Timestamp.init(milliseconds:)))))
  }

  @discardableResult
  func unban(_ name: String, _ other: String) -> String {
    ask(.memberUnban(channel(name), user(other)))
  }

  @discardableResult
  func silence(_ name: String, _ other: String, until: Int) -> String {
    ask(.memberSilence(channel(name), user(other), until: Timestamp(milliseconds: until)))
  }

  @discardableResult
  func members(
    _ name: String, present: Bool = false, cursor: String? = nil, limit: Int = 50
  ) -> String {
    ask(
      .memberList(
        MemberList(channel: channel(name), onlyPresent: present, cursor: cursor, limit: limit)))
  }
}
