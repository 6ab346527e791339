import HubProtocol

/// What users have set, in images.
extension UserSettings {
  func write(to image: inout ImageWriter) {
    // Most users leave everything as it is.
    let isDefault = self == UserSettings()
    image.flag(!isDefault)
    guard !isDefault else { return }
    image.choice(directPolicy)
    image.flag(showsReceipts)
    image.flag(showsTyping)
    image.optional(quietUntil?.milliseconds)
    image.list(quietPeriods) { $1.write(to: &$0) }
    image.list(mutedTypes) { $0.text($1) }
    image.list(mutedUsers) { $0.text($1.text) }
    image.list(mutedChannels) { $0.text($1.text) }
  }

  init(from image: inout ImageReader) throws(ImageError) {
    self.init()
    guard try image.flag() else { return }
    directPolicy = try image.choice("a policy")
    showsReceipts = try image.flag()
    showsTyping = try image.flag()
    quietUntil = try image.optionalNumber().map(Timestamp.init)
    quietPeriods = try image.list { image throws(ImageError) in try QuietPeriod(from: &image) }
    mutedTypes = try image.list { image throws(ImageError) in try image.text() }
    mutedUsers = try image.list { image throws(ImageError) in try image.userID() }
    mutedChannels = try image.list { image throws(ImageError) in try image.channelName() }
    guard self != UserSettings() else { throw image.error("settings that are not everybody's") }
  }
}

extension QuietPeriod {
  func write(to image: inout ImageWriter) {
    image.list(days) { $0.choice($1) }
    image.number(from)
    image.number(to)
    image.text(zone)
  }

  init(from image: inout ImageReader) throws(ImageError) {
    self.init(
      days: try image.list { image throws(ImageError) in try image.choice("a day") },
      from: try image.number(below: 1_440, "a minute"),
      to: try image.number(below: 1_440, "a minute"), zone: try image.text())
  }
}
