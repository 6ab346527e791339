/// A message as one reader sees it: in replies, where what differs from reader to reader is said.
package struct MessageView: Sendable {
  package let message: Message
  /// Its sender is blocked by the reader: a stub that only keeps the numbering whole.
  package let isHidden: Bool
  /// The reader sent it, and so sees its key.
  package let isOwn: Bool
  /// The reader's own reactions to it.
  package let mine: [String]

  package init(
    _ message: Message, isHidden: Bool = false, isOwn: Bool = false, mine: [String] = []
  ) {
    self.message = message
    self.isHidden = isHidden
    self.isOwn = isOwn
    self.mine = mine
  }
}

/// How often one reaction was made to a message.
package struct ReactionCount: Equatable, Sendable {
  /// At most `Limits.reactionBytes`.
  package let reaction: String
  package let count: Int

  package init(_ reaction: String, _ count: Int) {
    self.reaction = reaction
    self.count = count
  }

  /// Whether it counts that reaction. Two spellings of one character are two reactions: clients
  /// compare what they were told byte by byte.
  package func isOf(_ reaction: String) -> Bool {
    self.reaction.utf8.elementsEqual(reaction.utf8)
  }
}
