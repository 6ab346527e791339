/// The arguments of `notify` and `inbox.*` (protocol, "Inbox").
extension Arguments {
  @inline(__always)
  func operation(_ name: OperationName.Inbox) throws(Refusal) -> Operation {
    switch name {
    case .notify: try .notify(notify())
    case .list: try .inboxList(inboxList())
    }
  }

  private func notify() throws(Refusal) -> Notify {
    Notify(
      audience: try audience(), notification: try notification(),
      key: try word(.key, atMost: Limits.keyBytes),
      collapse: try word(.collapse, atMost: Limits.keyBytes))
  }

  private func inboxList() throws(Refusal) -> InboxList {
    InboxList(
      types: try types(), states: try states(), cursor: try cursor(), limit: try pageLimit())
  }

  private func audience() throws(Refusal) -> Notify.Audience {
    let users = try users(.to, atMost: Limits.notifyRecipients)
    let channel = try optionalChannel()
    switch (users, channel) {
    case (let users?, nil):
      guard !users.isEmpty else {
        throw .badArgument(.to, "a list of 1 to \(Limits.notifyRecipients) entries")
      }
      return .users(users)
    case (nil, let channel?):
      return .channel(channel)
    case (nil, nil), (.some, .some):
      throw Refusal(.badRequest, "exactly one of `to` and `channel` is required")
    }
  }

  private func notification() throws(Refusal) -> Notification {
    let type = try requiredWord(.type, atMost: Limits.typeBytes)
    guard let text = try text() else { throw .missing(.text) }
    let target = try object(.target) { (target) throws(Refusal) in
      InboxTarget(
        kind: try target.requiredWord(.kind, atMost: Limits.labelBytes),
        id: try target.requiredWord(.id, atMost: Limits.labelBytes),
        url: try target.url(.url), thumb: try target.url(.thumb))
    }
    return Notification(
      type: type, actor: try user(.actor), target: target,
      title: try nonEmptyString(.title, atMost: Limits.labelBytes), text: text,
      data: try raw(.data), expiresTs: try timestamp(.expiresTs))
  }

  private func types() throws(Refusal) -> [String]? {
    var types: [String] = []
    let isThere = try forEach(.types, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      types.append(try word(slice, of: .types, atMost: Limits.typeBytes))
    }
    return isThere ? types : nil
  }

  private func states() throws(Refusal) -> [InboxState]? {
    var states: [InboxState] = []
    let isThere = try forEach(.states, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      states.append(try choice(slice, of: .states))
    }
    return isThere ? states : nil
  }
}
