/// The arguments of `user.*` (protocol, "Users").
extension Arguments {
  @inline(__always)
  func operation(_ name: OperationName.User) throws(Refusal) -> Operation {
    switch name {
    case .get: try .userGet(requiredUsers())
    case .update: try .userUpdate(userUpdate())
    case .put: try .userPut(putUsers())
    case .search: try .userSearch(query(), limit: pageLimit())
    case .block: try .userBlock(requiredUser())
    case .unblock: try .userUnblock(requiredUser())
    case .settings: try .userSettings(settingsUpdate())
    case .disconnect: try .userDisconnect(requiredUser())
    }
  }

  /// What is searched for.
  func query() throws(Refusal) -> String {
    try requiredWord(.q, atMost: Limits.queryBytes)
  }

  private func userUpdate() throws(Refusal) -> ProfileUpdate {
    try requireChange(.name, .username, .avatar, .bio, .custom)
    return try profileUpdate()
  }

  private func profileUpdate() throws(Refusal) -> ProfileUpdate {
    ProfileUpdate(
      name: try stringUpdate(.name, atMost: Limits.labelBytes), username: try usernameUpdate(),
      avatar: try urlUpdate(.avatar), bio: try stringUpdate(.bio, atMost: Limits.detailsBytes),
      custom: try customUpdate())
  }

  /// The limit holds for the username as it is written and as it is kept, in lower case.
  private func usernameUpdate() throws(Refusal) -> Update<String> {
    let limit = Limits.usernameBytes
    guard let username = try nonEmptyString(.username, atMost: limit) else {
      return update(.username, nil)
    }
    guard UsernameRule.allows(username) else {
      throw .badArgument(.username, UsernameRule.sentence)
    }
    guard username.lowercased().utf8.count <= limit else {
      throw .tooLarge(.username, bytes: limit)
    }
    return .set(username)
  }

  private func putUsers() throws(Refusal) -> [UserPut] {
    var puts: [UserPut] = []
    var ids: Set<UserID> = []
    let isThere = try forEach(.users, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      let put = try object(slice, "a list of objects", of: .users) { (entry) throws(Refusal) in
        try entry.userPut()
      }
      guard ids.insert(put.id).inserted else {
        throw .badArgument(.users, "a list of objects with different ids")
      }
      puts.append(put)
    }
    guard isThere else { throw .missing(.users) }
    return try notEmpty(puts, .users)
  }

  private func userPut() throws(Refusal) -> UserPut {
    UserPut(id: try requiredUser(.id), isBot: try bool(.bot), update: try profileUpdate())
  }
}

/// Which usernames the protocol lets through, besides their length.
enum UsernameRule {
  static let sentence = "without white space, control characters and @ , / \\ \" `"

  /// Whether every scalar of `username` is allowed.
  static func allows(_ username: String) -> Bool {
    username.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "@", ",", "/", "\\", "\"", "`": false
      default: !scalar.properties.isWhitespace && !ControlRule.isControl(scalar)
      }
    }
  }
}

/// Control characters of Unicode (category Cc).
enum ControlRule {
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}
