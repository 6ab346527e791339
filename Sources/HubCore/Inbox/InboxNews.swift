import HubProtocol

/// What a record did to inboxes, for those who are to be told: the owners, and history.
struct InboxNews: Sendable {
  /// What happened to one inbox.
  enum Change: Sendable {
    case added(InboxStub)
    /// It grew, shrank, was marked or followed.
    case updated(InboxStub)
    /// Several were given the same state.
    case marked([Int], InboxState)
    case removed([InboxStub])
    /// Its owner deleted all there was.
    case cleared
  }

  private(set) var bodies: [StoredNotification] = []
  private(set) var changes: [(user: UserRef, change: Change)] = []

  var isEmpty: Bool { bodies.isEmpty && changes.isEmpty }

  mutating func note(_ change: Change, of user: UserRef) {
    changes.append((user, change))
  }

  mutating func note(_ changes: [Inbox.Change], of user: UserRef) {
    for change in changes {
      switch change {
      case .added(let stub): note(.added(stub), of: user)
      case .updated(let stub): note(.updated(stub), of: user)
      case .removed(let stubs): note(.removed(stubs), of: user)
      }
    }
  }

  mutating func note(_ body: StoredNotification) {
    bodies.append(body)
  }
}

/// How the inbox is used, over all users, since the hub's first start (features, "Push history
/// inbox").
package struct InboxUsage: Equatable, Sendable {
  /// People who have opened it.
  package var people = 0
  /// Items that their readers have seen.
  package var viewed = 0
  /// Items that their readers have deleted.
  package var deleted = 0

  package init(people: Int = 0, viewed: Int = 0, deleted: Int = 0) {
    self.people = people
    self.viewed = viewed
    self.deleted = deleted
  }
}
