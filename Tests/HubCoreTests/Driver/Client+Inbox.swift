import HubProtocol

/// Operations on inboxes by short names; each answers as `ask` does.
extension Client {
  @discardableResult
  func notify(
    _ users: String..., text: String = "hi", type: String = "like", actor: String? = nil,
    key: String? = nil, collapse: String? = nil, expires: Int? = nil
  ) -> String {
    notify(
      .users(users.map(user)), text: text, type: type, actor: actor, key: key,
      collapse: collapse, expires: expires)
  }

  @discardableResult
  func notify(
    _ audience: Notify.Audience, text: String = "hi", type: String = "like",
    actor: String? = nil, key: String? = nil, collapse: String? = nil, expires: Int? = nil
  ) -> String {
    notify(
      audience,
      Notification(
        type: type, actor: actor.map(user), text: text,
        expiresTs: expires.map { Timestamp(milliseconds: $0) }),
      key: key, collapse: collapse)
  }

  @discardableResult
  func notify(
    _ audience: Notify.Audience, _ notification: Notification, key: String? = nil,
    collapse: String? = nil
  ) -> String {
    ask(
      .notify(
        Notify(audience: audience, notification: notification, key: key, collapse: collapse)))
  }

  @discardableResult
  func retract(_ users: String..., key: String) -> String {
    retract(.users(users.map(user)), key: key)
  }

  @discardableResult
  func retract(_ audience: Notify.Audience, key: String) -> String {
    ask(.notifyRetract(NotifyRetract(audience: audience, key: key)))
  }

  @discardableResult
  func inbox(
    types: [String]? = nil, states: [InboxState]? = nil, cursor: String? = nil, limit: Int = 50
  ) -> String {
    ask(.inboxList(InboxList(types: types, states: states, cursor: cursor, limit: limit)))
  }

  @discardableResult
  func counts(_ types: [String]? = nil) -> String { ask(.inboxCounts(types: types)) }

  @discardableResult
  func mark(_ state: InboxState, _ ids: Int...) -> String { ask(.inboxMark(state, .ids(ids))) }

  @discardableResult
  func mark(_ state: InboxState, upTo at: Int, types: [String]? = nil) -> String {
    ask(.inboxMark(state, .upTo(at, types: types)))
  }

  @discardableResult
  func discard(_ ids: Int...) -> String { ask(.inboxDelete(.ids(ids))) }

  @discardableResult
  func discard(upTo at: Int, types: [String]? = nil) -> String {
    ask(.inboxDelete(.upTo(at, types: types)))
  }

  @discardableResult
  func act(_ item: Int) -> String { ask(.inboxAct(id: item)) }

  @discardableResult
  func opened() -> String { ask(.inboxOpened) }

  /// The items in the last reply that lists some.
  var items: [InboxItem] {
    for case .reply(_, .inbox(let items, _, _)) in received.reversed() { return items }
    return []
  }

  /// The numbers in the last reply or event that has some.
  var stand: InboxStand? {
    for item in received.reversed() {
      switch item {
      case .reply(_, .inbox(_, let stand, _)), .reply(_, .inboxCounts(let stand)),
        .reply(_, .inboxMarked(let stand)), .reply(_, .inboxDeleted(_, let stand)),
        .event(.inbox(_, let stand)):
        return stand
      case .reply, .refusal, .event, .closed: continue
      }
    }
    return nil
  }

  /// The events of the inbox, in order.
  var inboxEvents: [(event: InboxEvent, stand: InboxStand)] {
    received.compactMap { item in
      guard case .event(.inbox(let event, let stand)) = item else { return nil }
      return (event, stand)
    }
  }
}
