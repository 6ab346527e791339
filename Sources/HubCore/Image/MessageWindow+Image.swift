import DequeModule
import HashTreeCollections
import HubProtocol

/// What is in memory of a channel's messages, in images.
extension MessageWindow {
  func write(to image: inout ImageWriter) {
    image.number(forgottenRev)
    image.number(generation)
    image.list(doubts) {
      $0.number($1.seq)
      $0.optional($1.rev)
    }
    image.list(kept) { image, message in
      message.write(to: &image)
      writeReactors(of: message, to: &image)
    }
    image.list(recalled) { image, message in
      image.number(message.seq)
      image.text(message.user.text)
      message.write(to: &image)
      writeReactors(of: message, to: &image)
    }
  }

  private func writeReactors(of message: Message, to image: inout ImageWriter) {
    guard !message.reactions.isEmpty else { return }
    image.reactors(reactors[message.seq] ?? [])
  }

  /// Reads what `write` wrote: the channel's newest messages, whose authors are known, and older
  /// ones above its floor.
  init(
    from image: inout ImageReader, of channel: ChannelName, at position: Position,
    above floor: Int, authors: [UserID], userIDs: [UserID]
  ) throws(ImageError) {
    let revBound = position.rev ?? 0
    self.init(
      forgottenRev: try image.number(below: revBound + 1, "a rev"),
      generation: try image.number(),
      doubts: try image.list { image throws(ImageError) in
        Doubt(seq: try image.number(), rev: try image.optionalNumber())
      })
    guard doubts.count == min(generation, Self.doubtLimit) else {
      throw image.error("the latest doubts")
    }
    let count = try image.number(below: authors.count + 1, "a count of messages")
    for place in authors.count - count..<authors.count {
      let message = try Message(
        from: &image, channel: channel, seq: position.seq - authors.count + place + 1,
        user: authors[place], revBound: revBound)
      append(message)
      guard try restoreReactors(of: message, from: &image, userIDs.count) else {
        throw image.error("as many users as counted")
      }
    }
    guard kept.count == count, count <= position.seq - floor else {
      throw image.error("a window within its limits")
    }
    guard hasRightReplies else { throw image.error("replies as they were counted") }
    let bound = firstSeq ?? position.seq + 1
    let recalledCount = try image.number(below: Self.recalledLimit + 1, "a count of messages")
    for _ in 0..<recalledCount {
      let seq = try image.number(below: bound, "an older message")
      guard seq > floor, self[seq] == nil else { throw image.error("another older message") }
      let message = try Message(
        from: &image, channel: channel, seq: seq, user: try image.userID(), revBound: revBound)
      recall(message, [])
      guard try restoreReactors(of: message, from: &image, userIDs.count) else {
        throw image.error("as many users as counted")
      }
    }
    guard recalled.count == recalledCount else { throw image.error("older messages in bounds") }
  }

  private mutating func restoreReactors(
    of message: Message, from image: inout ImageReader, _ userCount: Int
  ) throws(ImageError) -> Bool {
    guard !message.reactions.isEmpty else { return true }
    return restore(try image.reactors(below: userCount), to: message)
  }

  /// Whether all that answer something answer what came before, and each message knows how many do:
  /// whoever is kept came before all that answer it.
  private var hasRightReplies: Bool {
    var counts: [Int: Int] = [:]
    for message in kept {
      guard let parent = message.replyTo else { continue }
      guard 1..<message.seq ~= parent else { return false }
      if !message.isDeleted { counts[parent, default: 0] += 1 }
    }
    return kept.allSatisfy { $0.replyCount == counts[$0.seq, default: 0] }
  }
}

extension ImageWriter {
  /// Who made each of a message's reactions.
  mutating func reactors(_ reactors: MessageWindow.Reactors) {
    list(reactors) { image, users in image.list(users.sorted()) { $0.member($1) } }
  }
}

extension ImageReader {
  /// Who made each of a message's reactions, from users below `count`.
  mutating func reactors(below count: Int) throws(ImageError) -> [[UserRef]] {
    try list { image throws(ImageError) in try image.userRefs(below: count) }
  }
}
