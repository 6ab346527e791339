import HubProtocol

/// Memberships and what moderators impose, in images.
extension Membership {
  func write(to image: inout ImageWriter) {
    image.choice(role)
    image.number(ordinal)
    image.number(joinedTs.milliseconds)
    image.number(read)
    image.number(delivered)
    image.optional(mutedUntil?.milliseconds)
    image.optional(custom)
    image.flag(hidesReads)
    image.number(changedAt)
  }

  init(from image: inout ImageReader, seq: Int) throws(ImageError) {
    role = try image.choice("a role")
    ordinal = try image.number()
    joinedTs = try image.timestamp()
    read = try image.number(below: seq + 1, "a read pointer")
    delivered = try image.number(below: seq + 1, "a delivery pointer")
    guard read <= delivered else { throw image.error("read ≤ delivered") }
    mutedUntil = try image.optionalNumber().map(Timestamp.init)
    custom = try image.optionalJSON()
    hidesReads = try image.flag()
    changedAt = try image.number()
  }
}

extension Sanction {
  func write(to image: inout ImageWriter) {
    image.optional(bannedUntil?.milliseconds)
    image.optional(reason)
    image.optional(silencedUntil?.milliseconds)
  }

  init(from image: inout ImageReader) throws(ImageError) {
    bannedUntil = try image.optionalNumber().map(Timestamp.init)
    reason = try image.optionalText()
    silencedUntil = try image.optionalNumber().map(Timestamp.init)
  }
}

extension [UserRef] {
  /// Whether each comes behind the one before it.
  var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}

extension ChannelState.FlaggedMessage {
  func write(to image: inout ImageWriter) {
    image.number(seq)
    image.member(user)
    image.number(ts.milliseconds)
    image.optional(reason)
  }

  init(from image: inout ImageReader, seq bound: Int, userCount: Int) throws(ImageError) {
    seq = try image.number(below: bound + 1, "a seq")
    user = try image.userRef(below: userCount)
    ts = try image.timestamp()
    reason = try image.optionalText()
  }
}

extension ImageReader {
  /// A user's place in the registry.
  mutating func userRef(below count: Int) throws(ImageError) -> UserRef {
    UserRef(index: UInt32(try number(below: min(count, 1 << 32), "a user")))
  }

  /// Users in the order of their places, each once.
  mutating func userRefs(below count: Int) throws(ImageError) -> [UserRef] {
    let users = try list { image throws(ImageError) in try image.userRef(below: count) }
    guard users.isAscending else { throw error("users in order") }
    return users
  }
}
