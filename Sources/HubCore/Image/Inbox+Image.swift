import HubProtocol

/// Inboxes in images: what the registry keeps of them.
extension Inbox {
  func write(to image: inout ImageWriter) {
    image.number(at)
    image.flag(isOpened)
    image.list(entries) { $1.write(to: &$0) }
    image.list(details) { $1.write(to: &$0) }
    image.list(quietKeys) {
      $0.word($1.key)
      $0.number($1.deletedTs.milliseconds)
    }
  }

  /// Users may come later in the image, but below `userCount`.
  init(from image: inout ImageReader, userCount: Int) throws(ImageError) {
    let at = try image.number(below: InboxEntry.largestPosition + 1, "a position")
    let isOpened = try image.flag()
    let entries = try image.list { image throws(ImageError) in
      try InboxEntry(from: &image, userCount: userCount)
    }
    let details = try image.list { image throws(ImageError) in try InboxDetails(from: &image) }
    let quietKeys = try image.list { image throws(ImageError) in
      QuietKey(key: try image.word(), deletedTs: try image.timestamp())
    }
    self.init(
      at: at, isOpened: isOpened, entries: entries, details: details, quietKeys: quietKeys)
    if let flaw { throw image.error(flaw) }
  }

  /// What must hold of what was stored, if it does not.
  private var flaw: String? {
    let ids = Set(entries.map(\.id))
    if entries.count > Limits.inboxItems { return "at most \(Limits.inboxItems) items" }
    if ids.count != entries.count { return "no item twice" }
    if !zip(entries, entries.dropFirst()).allSatisfy({ $0.position < $1.position })
      || (entries.last?.position ?? 0) > at
    {
      return "items in the order of their positions"
    }
    guard entries.allSatisfy({ $0.id <= $0.position }) else {
      return "items that came before they grew"
    }
    if !zip(details, details.dropFirst()).allSatisfy({ $0.id < $1.id })
      || !details.allSatisfy({ ids.contains($0.id) })
    {
      return "details of items in the order of their ids"
    }
    if quietKeys.count > Limits.deletedKeys { return "at most \(Limits.deletedKeys) keys" }
    return nil
  }
}

extension InboxEntry {
  func write(to image: inout ImageWriter) {
    image.number(id)
    image.number(position)
    image.number(Int(type))
    image.choice(state)
    image.flag(isViewed)
    image.word(key)
    image.number(body)
    publisher.write(to: &image)
  }

  init(from image: inout ImageReader, userCount: Int) throws(ImageError) {
    let id = try image.number(below: Self.largestPosition + 1, "an item's id")
    let position = try image.number(below: Self.largestPosition + 1, "a position")
    let type = try image.number(below: Limits.notificationTypes, "a type")
    let state: InboxState = try image.choice("an item's state")
    let isViewed = try image.flag()
    let key = try image.word()
    let body = try image.number(below: Self.largestBody + 1, "a body")
    let publisher = try Publisher(from: &image, userCount: userCount)
    self.init(id: id, type: UInt16(type), publisher: publisher, key: key, body: body)
    self.position = position
    self.state = state
    self.isViewed = isViewed
  }
}

extension InboxEntry.Publisher {
  func write(to image: inout ImageWriter) {
    switch self {
    case .user(let user):
      image.byte(0)
      image.member(user)
    case .hub(let channel):
      image.byte(1)
      image.number(Int(channel.index))
    }
  }

  init(from image: inout ImageReader, userCount: Int) throws(ImageError) {
    self =
      try image.flag()
      ? .hub(try image.channelRef()) : .user(try image.userRef(below: userCount))
  }
}

extension InboxDetails {
  fileprivate func write(to image: inout ImageWriter) {
    image.number(id)
    image.word(collapse)
    image.optional(expiresTs?.milliseconds)
    image.optional(actedTs?.milliseconds)
    image.number(count)
    image.list(members) {
      $0.word($1.key)
      $0.number($1.body)
      $0.number(Int($1.type))
      $0.optional($1.expiresTs?.milliseconds)
      $0.optional($1.actor?.text)
    }
  }

  fileprivate init(from image: inout ImageReader) throws(ImageError) {
    id = try image.number()
    collapse = try image.word()
    expiresTs = try image.optionalTimestamp()
    actedTs = try image.optionalTimestamp()
    count = try image.number()
    members = try image.list { image throws(ImageError) in
      Member(
        key: try image.word(), body: try image.number(below: InboxEntry.largestBody + 1, "a body"),
        type: UInt16(try image.number(below: Limits.notificationTypes, "a type")),
        expiresTs: try image.optionalTimestamp(), actor: try image.optionalUserID())
    }
    guard members.count <= Limits.collapsedNotifications, count >= max(1, members.count) else {
      throw image.error("as many notifications as are counted")
    }
  }
}
