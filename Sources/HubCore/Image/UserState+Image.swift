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
    inbox.write(to: &image)
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
    inbox = try Inbox(from: &image, userCount: userCount)
  }
}
