/// A member of a channel as `member.list` shows it.
package struct Member: Sendable {
  package let user: User
  package let role: Role
  package let isPresent: Bool
  /// Number of the last message read; nil when the member or the reader hides receipts.
  package let read: Int?
  /// Number of the last message delivered; nil like `read`.
  package let delivered: Int?
  package let joinedTs: Timestamp
  package let custom: RawJSON?
  /// Until when the member may not speak; told to moderators and the member.
  package let silencedUntil: Timestamp?

  package init(
    user: User, role: Role, isPresent: Bool, read: Int?, delivered: Int?, joinedTs: Timestamp,
    custom: RawJSON?, silencedUntil: Timestamp?
  ) {
    self.user = user
    self.role = role
    self.isPresent = isPresent
    self.read = read
    self.delivered = delivered
    self.joinedTs = joinedTs
    self.custom = custom
    self.silencedUntil = silencedUntil
  }

  /// The most bytes that the entry takes as JSON, about.
  package var weight: Int {
    300 + user.id.text.utf8.count + user.weight + (custom?.bytes.count ?? 0)
  }
}

/// A message that somebody wants moderators to look at.
package struct Flag: Equatable, Sendable {
  package let seq: Int
  package let user: UserID
  package let ts: Timestamp
  package let reason: String?

  package init(seq: Int, user: UserID, ts: Timestamp, reason: String?) {
    self.seq = seq
    self.user = user
    self.ts = ts
    self.reason = reason
  }

  /// The most bytes that the entry takes as JSON, about.
  package var weight: Int {
    100 + user.text.utf8.count + (reason.map(JSONText.escapedCount) ?? 0)
  }
}
