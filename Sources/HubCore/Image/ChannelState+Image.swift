import DequeModule
import HashTreeCollections
import HubProtocol

/// Channels, memberships and windows in images. What can be derived is not written.
extension ChannelState {
  func write(to image: inout ImageWriter) {
    image.text(name.text)
    image.number(ChannelKind.allCases.firstIndex(of: kind) ?? 0)
    image.optional(profile.name)
    image.optional(profile.details)
    image.optional(profile.avatar)
    image.optional(profile.custom)
    image.text(epoch)
    image.number(seq)
    image.number(rev)
    image.number(updatedTs.milliseconds)
    image.flag(isWarm)
    image.flag(pair != nil)
    if let pair {
      image.number(Int(pair.0.index))
      image.number(Int(pair.1.index))
    }
    // In the order of joining: the table's own order is another in every process.
    image.list(members.sorted { $0.value.ordinal < $1.value.ordinal }) {
      $0.number(Int($1.key.index))
      $1.value.write(to: &$0)
    }
    image.number(joinCount)
    countable.write(to: &image)
    image.list(window.kept) { $1.write(to: &$0) }
  }

  init(from image: inout ImageReader, userIDs: [UserID]) throws(ImageError) {
    guard let name = ChannelName(try image.text()) else { throw image.error("a channel name") }
    let kind = try image.number(below: ChannelKind.allCases.count, "a kind")
    let profile = ChannelProfile(
      name: try image.optionalText(), details: try image.optionalText(),
      avatar: try image.optionalText(), custom: try image.optionalJSON())
    let epoch = try image.text()
    let seq = try image.number(below: Self.seqBound, "a seq")
    let rev = try image.number()
    self.init(
      name: name, kind: ChannelKind.allCases[kind], profile: profile, epoch: epoch,
      ts: try image.timestamp())
    self.seq = seq
    self.rev = rev
    isWarm = try image.flag()
    if try image.flag() {
      pair = (
        try image.userRef(below: userIDs.count), try image.userRef(below: userIDs.count)
      )
    }
    let members = try image.list { image throws(ImageError) in
      let user = try image.userRef(below: userIDs.count)
      return (user, try Membership(from: &image, seq: seq))
    }
    try restore(members, from: &image)
    countable = try CountableMessages(from: &image, seq: seq, userCount: userIDs.count)
    try readWindow(from: &image, userIDs: userIDs)
  }

  /// Seqs lie below this: the idempotency keys keep them in 48 bits.
  private static let seqBound = 1 << 48

  private mutating func restore(
    _ members: [(UserRef, Membership)], from image: inout ImageReader
  ) throws(ImageError) {
    let joinCount = try image.number()
    var before = 0
    for (_, membership) in members {
      guard before < membership.ordinal, membership.ordinal <= joinCount else {
        throw image.error("members in the order of joining")
      }
      before = membership.ordinal
    }
    restore(members, joinCount: joinCount)
    guard self.members.count == members.count else { throw image.error("no member twice") }
  }

  private mutating func readWindow(
    from image: inout ImageReader, userIDs: [UserID]
  ) throws(ImageError) {
    let count = try image.number(below: countable.authors.count + 1, "a count of messages")
    for next in seq - count..<seq {
      let author = countable.authors[countable.authors.count - (seq - next)]
      window.append(
        try Message(
          from: &image, channel: name, seq: next + 1, user: userIDs[Int(author.index)]))
    }
    guard window.kept.count == count else { throw image.error("a window within its limits") }
  }
}

extension Membership {
  func write(to image: inout ImageWriter) {
    image.number(Role.allCases.firstIndex(of: role) ?? 0)
    image.number(ordinal)
    image.number(joinedTs.milliseconds)
    image.number(read)
    image.number(delivered)
  }

  init(from image: inout ImageReader, seq: Int) throws(ImageError) {
    role = Role.allCases[try image.number(below: Role.allCases.count, "a role")]
    ordinal = try image.number()
    joinedTs = try image.timestamp()
    read = try image.number(below: seq + 1, "a read pointer")
    delivered = try image.number(below: seq + 1, "a delivery pointer")
    guard read <= delivered else { throw image.error("read ≤ delivered") }
  }
}

extension CountableMessages {
  func write(to image: inout ImageWriter) {
    image.list(authors) { $0.number(Int($1.index)) }
    image.list(mentions) {
      $0.number($1.seq)
      $0.optional($1.user.map { Int($0.index) })
    }
  }

  init(from image: inout ImageReader, seq: Int, userCount: Int) throws(ImageError) {
    let authors = try image.list { image throws(ImageError) in
      try image.userRef(below: userCount)
    }
    guard authors.count == min(seq, Self.limit) else {
      throw image.error("the authors of the newest messages")
    }
    var lowest = seq - authors.count + 1
    let mentions = try image.list { image throws(ImageError) in
      let mentioned = try image.number(below: seq + 1, "a seq")
      guard mentioned >= lowest else { throw image.error("mentions among the newest, in order") }
      lowest = mentioned
      let user = try image.optionalNumber()
      guard user ?? 0 < userCount else { throw image.error("a user") }
      return Mention(seq: mentioned, user: user.map { UserRef(index: UInt32($0)) })
    }
    self.init(authors: authors, mentions: mentions, lastSeq: seq)
  }
}

extension ImageReader {
  /// A user's place in the registry.
  mutating func userRef(below count: Int) throws(ImageError) -> UserRef {
    UserRef(index: UInt32(try number(below: count, "a user")))
  }
}
