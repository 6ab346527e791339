package import HubProtocol

/// One item of an inbox as the registry keeps it, in 32 bytes: what counts and decides. What it
/// says is with history, under `body`.
package struct InboxEntry: Equatable, Sendable {
  /// Who put it there.
  package enum Publisher: Equatable, Sendable {
    case user(UserRef)
    /// The hub by itself, about something in that channel.
    case hub(ChannelRef)
  }

  /// The largest id and position, 2^40−1.
  package static let largestPosition = 1 << 40 - 1
  /// The largest number of a body, 2^48−1.
  package static let largestBody = 1 << 48 - 1

  /// Hash of its publisher and key; 0 without a key, and where `InboxMembers` has the keys.
  package var key: UInt64
  /// The body in the upper 48 bits, then the upper 8 bits of id and position.
  private var bodyAndUpperBits: UInt64
  private var lowerID: UInt32
  private var lowerPosition: UInt32
  private var publisherIndex: UInt32
  /// The type's place in `NotificationTypes`.
  package var type: UInt16
  private var bits: UInt8

  private static let stateBits: UInt8 = 0b11
  private static let viewedBit: UInt8 = 0b100
  private static let hubBit: UInt8 = 0b1000

  package init(id: Int, type: UInt16, publisher: Publisher, key: UInt64, body: Int) {
    self.key = key
    self.type = type
    lowerID = UInt32(truncatingIfNeeded: id)
    lowerPosition = lowerID
    let upper = UInt64(id) >> 32
    bodyAndUpperBits = UInt64(body) << 16 | upper << 8 | upper
    switch publisher {
    case .user(let user):
      publisherIndex = user.index
      bits = 0
    case .hub(let channel):
      publisherIndex = channel.index
      bits = Self.hubBit
    }
  }

  /// Names the item in its inbox: where the inbox stood when it came.
  package var id: Int { Int(bodyAndUpperBits >> 8 & 0xFF) << 32 | Int(lowerID) }

  /// Where the inbox stood when the item came or last grew.
  package var position: Int {
    get { Int(bodyAndUpperBits & 0xFF) << 32 | Int(lowerPosition) }
    set {
      lowerPosition = UInt32(truncatingIfNeeded: newValue)
      bodyAndUpperBits = bodyAndUpperBits & ~0xFF | UInt64(newValue) >> 32 & 0xFF
    }
  }

  /// The number of the `StoredNotification` that it shows.
  package var body: Int {
    get { Int(bodyAndUpperBits >> 16) }
    set { bodyAndUpperBits = UInt64(newValue) << 16 | bodyAndUpperBits & 0xFFFF }
  }

  package var publisher: Publisher {
    bits & Self.hubBit == 0
      ? .user(UserRef(index: publisherIndex)) : .hub(ChannelRef(index: publisherIndex))
  }

  package var state: InboxState {
    get {
      switch bits & Self.stateBits {
      case 0: .unseen
      case 1: .seen
      case 2: .read
      default: .archived
      }
    }
    set { bits = bits & ~Self.stateBits | UInt8(newValue.rank) }
  }

  /// Whether the reader has seen it, in whatever state it is now.
  package var isViewed: Bool {
    get { bits & Self.viewedBit != 0 }
    set { bits = newValue ? bits | Self.viewedBit : bits & ~Self.viewedBit }
  }
}

extension InboxState {
  /// Its place on the way from unseen to archived.
  var rank: Int {
    switch self {
    case .unseen: 0
    case .seen: 1
    case .read: 2
    case .archived: 3
    }
  }
}

/// What the registry keeps of an item besides its entry, where there is more to keep.
struct InboxDetails: Equatable, Sendable {
  /// One of the notifications that a collapsed item stands for.
  struct Member: Equatable, Sendable {
    /// As in `InboxEntry`.
    let key: UInt64
    let body: Int
    let type: UInt16
    let expiresTs: Timestamp?
    let actor: UserID?
  }

  /// Which item it belongs to.
  let id: Int
  /// Hash of its publisher and `collapse`; 0 without one.
  var collapse: UInt64 = 0
  var expiresTs: Timestamp?
  var actedTs: Timestamp?
  /// How many notifications it stands for.
  var count = 1
  /// The newest `Limits.collapsedNotifications` of them, oldest first; none without `collapse`.
  var members: [Member] = []

  func isExpired(at now: Timestamp) -> Bool { expiresTs.map { $0 <= now } ?? false }

  /// Who did what it stands for, each once, the newest first, at most `Limits.listEntries`; nil
  /// where only its body says.
  var actors: [UserID]? {
    guard collapse != 0 else { return nil }
    var actors: [UserID] = []
    for member in members.reversed() where actors.count < Limits.listEntries {
      if let actor = member.actor, !actors.contains(actor) { actors.append(actor) }
    }
    return actors
  }
}

/// An item as it stood at one moment, without what it says.
struct InboxStub: Equatable, Sendable {
  let entry: InboxEntry
  let details: InboxDetails?
}
