import HubProtocol

/// Users and their inboxes in images. Memberships are with the channels.
extension UserState {
  func write(to image: inout ImageWriter) {
    image.text(id.text)
    image.choice(privilege)
    image.optional(profile.name)
    image.optional(profile.username)
    image.optional(profile.avatar)
    image.optional(profile.bio)
    image.optional(profile.custom)
    settings.write(to: &image)
    image.list(blocked) { $0.member($1) }
    image.list(departures) {
      $0.text($1.channel.text)
      $0.number($1.record)
    }
    image.number(streamFloor)
    image.number(inbox.at)
    image.list(inbox.entries) { $1.write(to: &$0) }
  }

  /// Whom the user has blocked may come later in the image, but below `userCount`.
  init(from image: inout ImageReader, userCount: Int) throws(ImageError) {
    let id = try image.userID()
    self.init(id: id, privilege: try image.choice("a privilege"))
    profile = UserProfile(
      name: try image.optionalText(), username: try image.optionalText(),
      avatar: try image.optionalText(), bio: try image.optionalText(),
      custom: try image.optionalJSON())
    settings = try UserSettings(from: &image)
    let blocked = try image.userRefs(below: userCount)
    let departures = try image.list { image throws(ImageError) in
      Departure(channel: try image.channelName(), record: try image.number())
    }
    restore(blocked: blocked, departures: departures, streamFloor: try image.number())
    inbox = try Inbox(from: &image)
  }
}

extension Inbox {
  init(from image: inout ImageReader) throws(ImageError) {
    let at = try image.number()
    let entries = try image.list { image throws(ImageError) in try Entry(from: &image) }
    guard entries.count <= Limits.inboxItems else { throw image.error("fewer items") }
    var bound = at + 1
    for entry in entries {
      guard entry.position < bound, entry.item.id <= entry.position else {
        throw image.error("items in order of position, newest first")
      }
      bound = entry.position
    }
    guard Set(entries.map(\.item.id)).count == entries.count else {
      throw image.error("no item twice")
    }
    self.init(at: at, entries: entries)
  }
}

extension Inbox.Entry {
  func write(to image: inout ImageWriter) {
    image.number(item.id)
    image.number(position)
    image.number(item.ts.milliseconds)
    image.number(InboxState.allCases.firstIndex(of: item.state) ?? 0)
    image.number(item.count)
    image.list(item.actors) { $0.text($1.text) }
    image.text(item.publisher.text)
    image.optional(key)
    image.optional(collapse)
    image.list(earlierKeys) { $0.text($1) }
    item.notification.write(to: &image)
  }

  init(from image: inout ImageReader) throws(ImageError) {
    let id = try image.number()
    let position = try image.number()
    let ts = try image.timestamp()
    let state = try image.number(below: InboxState.allCases.count, "an item's state")
    let count = try image.number()
    let actors = try image.list { image throws(ImageError) in try image.userID() }
    let publisher = try image.userID()
    let key = try image.optionalText()
    let collapse = try image.optionalText()
    let earlierKeys = try image.list { image throws(ImageError) in try image.text() }
    let item = InboxItem(
      id: id, notification: try Notification(from: &image), ts: ts,
      state: InboxState.allCases[state], count: count, actors: actors, publisher: publisher)
    self.init(
      item: item, position: position, key: key, collapse: collapse, earlierKeys: earlierKeys)
  }
}
