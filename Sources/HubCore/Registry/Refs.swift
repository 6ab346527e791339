/// A user's place in the registry: dense, given out in order of appearance, never used again.
package struct UserRef: Hashable, Sendable, Comparable {
  package let index: UInt32

  package init(index: UInt32) { self.index = index }

  package static func < (lhs: UserRef, rhs: UserRef) -> Bool { lhs.index < rhs.index }
}

/// A channel's place in the registry: dense, given out in order of creation, never used again, so
/// that a channel deleted and created anew is another one.
package struct ChannelRef: Hashable, Sendable, Comparable {
  package let index: UInt32

  package init(index: UInt32) { self.index = index }

  package static func < (lhs: ChannelRef, rhs: ChannelRef) -> Bool { lhs.index < rhs.index }
}
