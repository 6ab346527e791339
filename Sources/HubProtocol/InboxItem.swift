/// How far a notification got with its reader (protocol, "Inbox").
package enum InboxState: String, Sendable, CaseIterable {
  case unseen
  case seen
  case read
  case archived

  /// Whether an item in this state counts as unread.
  package var isUnread: Bool { self == .unseen || self == .seen }
}

/// What a notification is about.
package struct InboxTarget: Equatable, Sendable {
  package let kind: String
  package let id: String
  package let url: String?
  package let thumb: String?

  package init(kind: String, id: String, url: String? = nil, thumb: String? = nil) {
    self.kind = kind
    self.id = id
    self.url = url
    self.thumb = thumb
  }
}

/// What a publisher says in a notification, the same for every recipient.
package struct Notification: Equatable, Sendable {
  /// `like`, `comment`, `follow`, … or a word of the app's own.
  package var type: String
  /// Who did it.
  package var actor: UserID?
  package var target: InboxTarget?
  package var title: String?
  package var text: String
  /// Any JSON value of the app's own, kept byte for byte.
  package var data: RawJSON?
  /// When it is to be forgotten.
  package var expiresTs: Timestamp?

  package init(
    type: String, actor: UserID? = nil, target: InboxTarget? = nil, title: String? = nil,
    text: String, data: RawJSON? = nil, expiresTs: Timestamp? = nil
  ) {
    self.type = type
    self.actor = actor
    self.target = target
    self.title = title
    self.text = text
    self.data = data
    self.expiresTs = expiresTs
  }

  /// The most bytes that an item with this notification takes as JSON, its `actors` left out.
  package var weight: Int {
    var weight = 400 + JSONText.escapedCount(text) + JSONText.escapedCount(type)
    weight += title.map(JSONText.escapedCount) ?? 0
    weight += (actor?.text.utf8.count ?? 0) + (data?.bytes.count ?? 0)
    guard let target else { return weight }
    weight += JSONText.escapedCount(target.kind) + JSONText.escapedCount(target.id)
    weight += target.url.map(JSONText.escapedCount) ?? 0
    weight += target.thumb.map(JSONText.escapedCount) ?? 0
    return weight
  }
}

/// One notification in somebody's inbox.
package struct InboxItem: Equatable, Sendable {
  /// Its name in that inbox, never used again there.
  package var id: Int
  package var notification: Notification
  /// When it came.
  package var ts: Timestamp
  package var state: InboxState
  /// How many notifications it stands for.
  package var count: Int
  /// Who did it, the newest first.
  package var actors: [UserID]
  /// When the reader first followed it.
  package var actedTs: Timestamp?
  /// Who published it; nil for what the hub makes by itself.
  package var publisher: UserID?

  /// The most bytes that it takes as JSON.
  package var weight: Int {
    actors.reduce(notification.weight) { $0 + $1.text.utf8.count + 3 }
  }

  package init(
    id: Int, notification: Notification, ts: Timestamp, state: InboxState, count: Int,
    actors: [UserID], actedTs: Timestamp? = nil, publisher: UserID?
  ) {
    self.id = id
    self.notification = notification
    self.ts = ts
    self.state = state
    self.count = count
    self.actors = actors
    self.actedTs = actedTs
    self.publisher = publisher
  }
}

/// What happened to an inbox (protocol, "Inbox events").
package enum InboxEvent: Equatable, Sendable {
  case added(InboxItem)
  /// It grew, shrank, was marked or followed.
  case updated(InboxItem)
  /// Several were given the same state.
  case marked(ids: [Int], InboxState)
  /// With the item, where it was one and what it said is known.
  case removed(ids: [Int], InboxItem?)
  /// Nothing is left.
  case cleared
}

/// How an inbox stands: its numbers as of its own position.
package struct InboxStand: Equatable, Sendable {
  package let counts: InboxCounts
  /// Rises with every change of the inbox.
  package let at: Int

  package init(counts: InboxCounts, at: Int) {
    self.counts = counts
    self.at = at
  }
}

/// The numbers of an inbox: `unread` = unseen + seen, archived items left out.
package struct InboxCounts: Equatable, Sendable {
  package var unseen: Int
  package var unread: Int
  /// Unread items by type, in the order of the types' bytes.
  package var byType: [TypeCount]

  /// The unread items of one type.
  package struct TypeCount: Equatable, Sendable {
    package var type: String
    package var unread: Int

    package init(type: String, unread: Int) {
      self.type = type
      self.unread = unread
    }
  }

  package init(unseen: Int = 0, unread: Int = 0, byType: [TypeCount] = []) {
    self.unseen = unseen
    self.unread = unread
    self.byType = byType
  }
}
