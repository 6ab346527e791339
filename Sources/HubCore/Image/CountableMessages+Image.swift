import DequeModule
import HubProtocol

/// What unread counts are computed from, in images.
extension CountableMessages {
  func write(to image: inout ImageWriter) {
    image.list(authors) { $0.member($1) }
    image.list(deleted) { $0.number($1) }
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
    let deleted = try image.list { image throws(ImageError) in
      let place = try image.number(below: seq + 1, "a seq")
      guard place >= lowest else { throw image.error("deleted ones among the newest, in order") }
      lowest = place + 1
      return place
    }
    lowest = seq - authors.count + 1
    let mentions = try image.list { image throws(ImageError) in
      let mentioned = try image.number(below: seq + 1, "a seq")
      guard mentioned >= lowest else { throw image.error("mentions among the newest, in order") }
      lowest = mentioned
      let user = try image.optionalNumber()
      guard user ?? 0 < userCount else { throw image.error("a user") }
      return Mention(seq: mentioned, user: user.map { UserRef(index: UInt32($0)) })
    }
    self.init(authors: authors, deleted: deleted, mentions: mentions, lastSeq: seq)
  }
}
