import HashTreeCollections
package import HubProtocol

/// A message as history keeps it, with who reacted to it. How many messages answer it is not kept:
/// history counts those it has.
package struct StoredMessage: Sendable {
  package let channel: ChannelRef
  package let author: UserRef
  package let message: Message
  /// Shared with the window, so that a message with many reactions costs nothing to hand over.
  let sets: MessageWindow.Reactors

  /// Who made each reaction, in the order of `message.reactions`; ascending.
  package var reactors: [[UserRef]] { sets.map { $0.sorted() } }

  package init(
    channel: ChannelRef, author: UserRef, message: Message, reactors: [[UserRef]] = []
  ) {
    self.init(
      channel: channel, author: author, message: message, sets: reactors.map { TreeSet($0) })
  }

  init(
    channel: ChannelRef, author: UserRef, message: Message, sets: MessageWindow.Reactors
  ) {
    self.channel = channel
    self.author = author
    self.message = message
    self.sets = sets
  }

  /// Everything that `init(body:)` is not told.
  package var body: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + (message.content.text?.utf8.count ?? 0))
    var image = ImageWriter(appendingTo: bytes)
    write(to: &image)
    return image.bytes
  }

  func write(to image: inout ImageWriter) {
    image.text(message.user.text)
    message.write(to: &image)
    image.reactors(sets)
  }

  /// Reads what `body` wrote; whatever the bytes, the answer is a message or an error.
  package init(
    body: [UInt8], channel: ChannelRef, named name: ChannelName, seq: Int, author: UserRef,
    replyCount: Int
  ) throws(ImageError) {
    var image = ImageReader(body)
    let stored = try StoredMessage(
      from: &image, channel: channel, named: name, seq: seq, author: author)
    guard image.isAtEnd else { throw image.error("the end of the message") }
    self = stored.answered(byInAll: replyCount)
  }

  init(
    from image: inout ImageReader, channel: ChannelRef, named name: ChannelName, seq: Int,
    author: UserRef
  ) throws(ImageError) {
    let user = try image.userID()
    let message = try Message(
      from: &image, channel: name, seq: seq, user: user, revBound: Limits.largestInteger)
    let reactors = try image.reactors(below: Int(UInt32.max))
    guard reactors.map(\.count) == message.reactions.map(\.count) else {
      throw image.error("as many users as counted")
    }
    self.init(channel: channel, author: author, message: message, reactors: reactors)
  }

  /// The same message with another number of replies.
  package func answered(byInAll replyCount: Int) -> StoredMessage {
    StoredMessage(
      channel: channel, author: author,
      message: message.answered(by: replyCount - message.replyCount), sets: sets)
  }
}
