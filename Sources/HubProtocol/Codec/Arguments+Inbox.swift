/// The arguments of `notify` and `inbox.*` (protocol, "Inbox").
extension Arguments {
  @inline(__always)
  func operation(_ name: OperationName.Inbox) throws(Refusal) -> Operation {
    switch name {
    case .notify: try .notify(notify())
    case .retract:
      .notifyRetract(
        NotifyRetract(
          audience: try audience(), key: try requiredWord(.key, atMost: Limits.keyBytes)))
    case .list: try .inboxList(inboxList())
    case .counts: try .inboxCounts(types: types())
    case .mark: try .inboxMark(requiredChoice(.state), selection())
    case .delete: try .inboxDelete(selection())
    case .act: try .inboxAct(id: item())
    case .opened: .inboxOpened
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
    let named = try recipients()
    let channel = try optionalChannel()
    switch (named, channel) {
    case (let named?, nil): return named
    case (nil, let channel?): return .channel(channel)
    case (nil, nil), (.some, .some):
      throw Refusal(.badRequest, "exactly one of `to` and `channel` is required")
    }
  }

  /// `to`: user ids, or `{segment}`; nil when absent.
  private func recipients() throws(Refusal) -> Notify.Audience? {
    if self[.to]?.kind == .object {
      return try object(.to) { (to) throws(Refusal) in .segment(try to.segment()) }
    }
    guard let users = try users(.to, atMost: Limits.notifyRecipients) else { return nil }
    guard !users.isEmpty else {
      throw .badArgument(.to, "a list of 1 to \(Limits.notifyRecipients) entries, or `segment`")
    }
    return .users(users)
  }

  private func segment() throws(Refusal) -> Segment {
    guard let slice = self[.segment] else { throw .missing(.segment) }
    let rule = "an object of 1 to \(Limits.segmentFields) strings, numbers and truth values"
    guard slice.kind == .object, let object = JSONObject(source.copy(slice.outerRange)),
      (1...Limits.segmentFields).contains(object.keys.count), object.hasPlainKeys
    else { throw .badArgument(.segment, rule) }
    let fields = object.keys.compactMap { key in
      object.scalar(key).map { Segment.Field(name: key, value: $0) }
    }
    guard fields.count == object.keys.count else { throw .badArgument(.segment, rule) }
    guard fields.allSatisfy({ $0.byteCount <= Limits.labelBytes }) else {
      throw .tooLarge(.segment, bytes: Limits.labelBytes)
    }
    return Segment(fields: fields)
  }

  /// Exactly one of `ids` and `upto`, the latter with or without `types`.
  private func selection() throws(Refusal) -> InboxSelection {
    let ids = try list(.ids, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      try itemID(slice, of: .ids)
    }
    let upTo = try integer(.upto, in: 0...Limits.largestInteger)
    let types = try types()
    switch (ids, upTo) {
    case (let ids?, nil):
      guard types == nil else { throw Refusal(.badRequest, "`types` goes with `upto` only") }
      return .ids(try notEmpty(ids, .ids))
    case (nil, let upTo?): return .upTo(upTo, types: types)
    case (nil, nil), (.some, .some):
      throw Refusal(.badRequest, "exactly one of `ids` and `upto` is required")
    }
  }

  private func item() throws(Refusal) -> Int {
    guard let slice = self[.item] else { throw .missing(.item) }
    return try itemID(slice, of: .item)
  }

  /// What no inbox ever gave is not there.
  private func itemID(_ slice: JSONSlice, of name: ArgumentName) throws(Refusal) -> Int {
    let text = try string(slice, of: name, atMost: Limits.cursorBytes)
    guard let id = Int(text), String(id) == text, id > 0 else {
      throw Refusal(.notFound, "there is no such item in your inbox")
    }
    return id
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
      data: try data(), expiresTs: try timestamp(.expiresTs))
  }

  private func data() throws(Refusal) -> RawJSON? {
    guard let data = try raw(.data) else { return nil }
    guard data.bytes.count <= Limits.notificationDataBytes else {
      throw .tooLarge(.data, bytes: Limits.notificationDataBytes)
    }
    return data
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
