import HashTreeCollections
import HubProtocol

/// `channel.list`.
extension Registry {
  /// The channels of one page in the order asked for, and the cursor of the next.
  func list(
    _ request: ChannelList, for user: UserRef, at now: Timestamp,
    presentCount: (ChannelRef) -> Int
  ) throws(Refusal) -> (channels: [ChannelSummary], cursor: String?) {
    let start = try ListPlace(cursor: request.cursor, sort: request.sort)
    var places: [(place: ListPlace, ref: ChannelRef)] = []
    for ref in candidates(request.scope, user, at: now) {
      let place = listPlace(of: ref, for: user, sort: request.sort)
      guard request.kind == nil || channels[ref.index].kind == request.kind else { continue }
      if let start, !(start < place) { continue }
      places.append((place, ref))
    }
    places.sort { $0.place < $1.place }

    var summaries: [ChannelSummary] = []
    var budget = PageBudget()
    for (index, entry) in places.enumerated() {
      let summary = summary(
        of: entry.ref, for: user, at: now, presentCount: presentCount(entry.ref))
      guard index < request.limit, budget.takes(summary.weight) else {
        return (summaries, places[index - 1].place.cursor)
      }
      summaries.append(summary)
    }
    return (summaries, nil)
  }

  private func candidates(
    _ scope: ChannelList.Scope, _ user: UserRef, at now: Timestamp
  ) -> [ChannelRef] {
    switch scope {
    case .joined:
      return users[user.index].channels
    case .joinable:
      return openChannels.filter {
        channels[$0.index].members[user] == nil && !channels[$0.index].isBanned(user, at: now)
      }
    case .all:
      return openChannels.filter { !channels[$0.index].isBanned(user, at: now) }
    }
  }

  private var openChannels: [ChannelRef] {
    (0..<UInt32(channels.count)).lazy.map(ChannelRef.init).filter {
      channels[$0.index].kind.isOpen && !channels[$0.index].isDeleted
    }
  }

  func listPlace(
    of ref: ChannelRef, for user: UserRef, sort: ChannelList.Sort
  ) -> ListPlace {
    let name = channels[ref.index].name
    switch sort {
    case .activity:
      return ListPlace(
        sort: sort, primary: "", number: -channels[ref.index].updatedTs.milliseconds, name: name)
    case .kind:
      // Descending: the kinds' places from the end.
      let kinds = ChannelKind.allCases.map(\.rawValue).sorted(by: >)
      let place = kinds.firstIndex(of: channels[ref.index].kind.rawValue) ?? kinds.count
      return ListPlace(sort: sort, primary: shownName(of: ref, to: user), number: place, name: name)
    case .name:
      return ListPlace(sort: sort, primary: shownName(of: ref, to: user), number: 0, name: name)
    }
  }
}

/// Where a channel stands in a sorted list. Written into cursors, so that they hold over restarts.
struct ListPlace: Comparable {
  let sort: ChannelList.Sort
  let primary: String
  let number: Int
  let name: ChannelName

  init(sort: ChannelList.Sort, primary: String, number: Int, name: ChannelName) {
    self.sort = sort
    self.primary = primary
    self.number = number
    self.name = name
  }

  /// The place that a cursor names; nil without a cursor.
  init?(cursor: String?, sort: ChannelList.Sort) throws(Refusal) {
    guard let cursor else { return nil }
    let fields = cursor.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard fields.count == 4, fields[0] == sort.rawValue, let number = Int(fields[1]),
      let name = ChannelName(String(fields[2]))
    else { throw .foreignCursor }
    self.init(sort: sort, primary: String(fields[3]), number: number, name: name)
  }

  var cursor: String { "\(sort.rawValue) \(number) \(name) \(primary)" }

  static func < (lhs: ListPlace, rhs: ListPlace) -> Bool {
    (lhs.number, lhs.primary, lhs.name) < (rhs.number, rhs.primary, rhs.name)
  }
}
