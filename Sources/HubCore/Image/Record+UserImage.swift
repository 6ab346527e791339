import HubProtocol

/// Changes of users in stored records.
extension Record.UserChange {
  var kind: RecordKind {
    switch self {
    case .profile: .profile
    case .put: .put
    case .block: .block
    case .settings: .settings
    }
  }

  func write(to image: inout ImageWriter, by user: UserRef) {
    image.member(user)
    switch self {
    case .profile(let update): update.write(to: &image)
    case .put(let puts):
      image.list(puts) {
        $0.text($1.id.text)
        $0.optional($1.isBot.map { $0 ? 1 : 0 })
        $1.update.write(to: &$0)
      }
    case .block(let other, let isOn):
      image.text(other.text)
      image.flag(isOn)
    case .settings(let update): update.write(to: &image)
    }
  }

  init(_ kind: RecordKind, from image: inout ImageReader) throws(ImageError) {
    if case .profile = kind {
      self = .profile(try ProfileUpdate(from: &image))
    } else if case .put = kind {
      self = .put(
        try image.list { image throws(ImageError) in
          let id = try image.userID()
          let isBot = try image.optionalNumber().map { $0 == 1 }
          return UserPut(id: id, isBot: isBot, update: try ProfileUpdate(from: &image))
        })
    } else if case .block = kind {
      self = .block(try image.userID(), isOn: try image.flag())
    } else {
      self = .settings(try SettingsUpdate(from: &image))
    }
  }
}

extension ProfileUpdate {
  fileprivate func write(to image: inout ImageWriter) {
    image.update(name)
    image.update(username)
    image.update(avatar)
    image.update(bio)
    image.update(custom)
  }

  fileprivate init(from image: inout ImageReader) throws(ImageError) {
    self.init(
      name: try image.textUpdate(), username: try image.textUpdate(),
      avatar: try image.textUpdate(), bio: try image.textUpdate(), custom: try image.jsonUpdate())
  }
}

extension SettingsUpdate {
  fileprivate func write(to image: inout ImageWriter) {
    image.optional(directPolicy.flatMap { DirectPolicy.allCases.firstIndex(of: $0) })
    image.optional(showsReceipts.map { $0 ? 1 : 0 })
    image.optional(showsTyping.map { $0 ? 1 : 0 })
    image.update(quietUntil) { $0.number($1.milliseconds) }
    image.optionalList(quietPeriods) { $1.write(to: &$0) }
    image.optionalList(mutedTypes) { $0.text($1) }
    image.optionalList(mutedUsers) { $0.text($1.text) }
    image.optionalList(mutedChannels) { $0.text($1.text) }
  }

  fileprivate init(from image: inout ImageReader) throws(ImageError) {
    self.init()
    if let policy = try image.optionalNumber() {
      guard policy < DirectPolicy.allCases.count else { throw image.error("a policy") }
      directPolicy = DirectPolicy.allCases[policy]
    }
    showsReceipts = try image.optionalNumber().map { $0 == 1 }
    showsTyping = try image.optionalNumber().map { $0 == 1 }
    quietUntil = try image.update { image throws(ImageError) in try image.timestamp() }
    quietPeriods = try image.optionalList { image throws(ImageError) in
      try QuietPeriod(from: &image)
    }
    mutedTypes = try image.optionalList { image throws(ImageError) in try image.text() }
    mutedUsers = try image.optionalList { image throws(ImageError) in try image.userID() }
    mutedChannels = try image.optionalList { image throws(ImageError) in
      try image.channelName()
    }
  }
}
