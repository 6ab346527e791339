internal import HubClient

/// What `hubctl inbox` does while it is connected.
struct InboxSession {
  /// Which items are meant.
  enum Selection {
    case ids([String])
    /// Those that came at that position of the inbox or before it.
    case upTo(Int)
  }

  let connection: HubConnection
  let output: Output
  let options: HubOptions
  /// Nil for all.
  let types: [String]?

  func list(states: [HubInboxState]?, limit: Int) async throws {
    var counts: HubInboxCounts?
    let (items, hasMore) = try await Paging.collect(limit) {
      (cursor, limit) async throws(HubError) in
      let page = try await connection.inbox(
        types: types, states: states, cursor: cursor, limit: limit)
      counts = counts ?? page.counts
      return (page.items, page.cursor)
    }
    let table = InboxTable { Clock.dateAndTime($0) }
    try await options.list(
      items, hasMore: hasMore, to: output, nothing: "There is no notification.", json: \.json,
      lines: table.lines)
    if let counts, !items.isEmpty, !options.json {
      await output.note("In all \(InboxText.counts(counts)), as of \(counts.at).")
    }
  }

  func mark(_ selection: Selection, as state: HubInboxState) async throws {
    let change =
      switch selection {
      case .ids(let ids): try await connection.markInbox(ids, as: state)
      case .upTo(let at): try await connection.markInbox(upTo: at, types: types, as: state)
      }
    try await answer(InboxText.counts(change.counts), change.json)
  }

  func delete(_ selection: Selection) async throws {
    let change =
      switch selection {
      case .ids(let ids): try await connection.deleteFromInbox(ids)
      case .upTo(let at): try await connection.deleteFromInbox(upTo: at, types: types)
      }
    try await answer("\(change.deleted) deleted; \(InboxText.counts(change.counts))", change.json)
  }

  func act(_ id: String) async throws {
    let act = try await connection.actOnInboxItem(id)
    let place = act.target.map { $0.url ?? "\($0.kind) \($0.id)" }
    try await answer(TerminalText.escape(place ?? "It leads nowhere."), act.json)
  }

  func counts() async throws {
    let summary = try await connection.inboxCounts(types: types)
    let byType = summary.counts.byType.sorted { $0.key < $1.key }.map { ", \($0.value) \($0.key)" }
    let line = "\(InboxText.counts(summary.counts))\(byType.joined()), as of \(summary.counts.at)"
    try await answer(TerminalText.escape(line), summary.json)
  }

  private func answer(_ line: String, _ json: HubJSON) async throws {
    if options.json { try await output.line(json) } else { try await output.line(line) }
  }
}

// MARK: - Following

extension InboxSession {
  /// Until somebody ends it.
  func follow() async throws {
    let events = await connection.events()
    try await Following.run(connection, output) { try await print(events) }
  }

  private func print(_ events: HubEvents) async throws {
    let line = EventLine(showsChannel: false) { Clock.timeOfDay($0) }
    for await update in events {
      switch update {
      case .event(let event) where event.name.hasPrefix("inbox."):
        try await answer(line.text(event), event.json)
      case .event(let event) where event.body == .userGap:
        await missing("the hub could not send all of them")
      case .event: break
      case .reset: await missing("the connection was lost")
      case .missed: await missing("output is read too slowly")
      }
    }
    if case .closed(let error?) = await connection.state { throw error }
  }

  private func missing(_ reason: String) async {
    await output.note("hubctl: notifications may be missing here: \(reason)")
  }
}
