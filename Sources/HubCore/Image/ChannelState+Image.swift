import DequeModule
import HashTreeCollections
import HubProtocol

/// Channels, memberships and windows in images. What can be derived is not written.
extension ChannelState {
  func write(to image: inout ImageWriter) {
    image.text(name.text)
    image.choice(kind)
    image.optional(profile.name)
    image.optional(profile.details)
    image.optional(profile.avatar)
    image.optional(profile.custom)
    image.text(epoch)
    image.number(updatedTs.milliseconds)
    image.number(seq)
    image.number(rev)
    image.number(changedAt)
    image.flag(isDeleted)
    guard !isDeleted else { return }
    image.number(floor)
    writePair(to: &image)
    // In the order of joining: the table's own order is another in every process.
    image.list(members.sorted { $0.value.ordinal < $1.value.ordinal }) {
      $0.member($1.key)
      $1.value.write(to: &$0)
    }
    image.number(joinCount)
    image.list(sanctions.sorted { $0.key < $1.key }) {
      $0.member($1.key)
      $1.value.write(to: &$0)
    }
    image.list(flags) { $1.write(to: &$0) }
    countable.write(to: &image)
    window.write(to: &image)
  }

  private func writePair(to image: inout ImageWriter) {
    image.flag(pair != nil)
    guard let pair else { return }
    image.member(pair.0)
    image.member(pair.1)
    image.flag(pairWrote.0)
    image.flag(pairWrote.1)
  }

  init(from image: inout ImageReader, userIDs: [UserID]) throws(ImageError) {
    let name = try image.channelName()
    let kind: ChannelKind = try image.choice("a kind")
    let profile = ChannelProfile(
      name: try image.optionalText(), details: try image.optionalText(),
      avatar: try image.optionalText(), custom: try image.optionalJSON())
    self.init(
      name: name, kind: kind, profile: profile, epoch: try image.text(),
      ts: try image.timestamp())
    seq = try image.number(below: Self.seqBound, "a seq")
    rev = try image.number()
    changedAt = try image.number()
    guard try !image.flag() else {
      restoreDeleted()
      return
    }
    restore(floor: try image.number(below: seq + 1, "a floor"))
    try readPair(from: &image, userCount: userIDs.count)
    let (seq, rev) = (self.seq, self.rev)
    let members = try image.list { image throws(ImageError) in
      let user = try image.userRef(below: userIDs.count)
      return (user, try Membership(from: &image, seq: seq))
    }
    try restore(members, from: &image)
    try readSanctions(from: &image, userCount: userIDs.count)
    flags = try image.list { image throws(ImageError) in
      try FlaggedMessage(from: &image, seq: seq, userCount: userIDs.count)
    }
    countable = try CountableMessages(from: &image, seq: seq, userCount: userIDs.count)
    window = try MessageWindow(
      from: &image, of: name, at: Position(epoch: epoch, seq: seq, rev: rev), above: floor,
      authors: countable.authors.map { userIDs[Int($0.index)] }, userIDs: userIDs)
    let deleted = window.kept.filter(\.isDeleted).map(\.seq)
    guard deleted == countable.deleted.filter({ $0 > seq - window.kept.count }) else {
      throw image.error("the same deleted messages in both places")
    }
  }

  /// Seqs lie below this: the idempotency keys keep them in 48 bits.
  private static let seqBound = 1 << 48

  private mutating func readPair(
    from image: inout ImageReader, userCount: Int
  ) throws(ImageError) {
    let isPair = try image.flag()
    guard isPair == (kind == .direct) else { throw image.error("a pair in direct channels") }
    guard isPair else { return }
    pair = (try image.userRef(below: userCount), try image.userRef(below: userCount))
    pairWrote = (try image.flag(), try image.flag())
  }

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

  private mutating func readSanctions(
    from image: inout ImageReader, userCount: Int
  ) throws(ImageError) {
    let stored = try image.list { image throws(ImageError) in
      (try image.userRef(below: userCount), try Sanction(from: &image))
    }
    guard stored.map(\.0).isAscending else { throw image.error("sanctions in order") }
    for (user, sanction) in stored { sanctions[user] = sanction }
  }
}
