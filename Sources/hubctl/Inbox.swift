public import ArgumentParser
public import HubClient

/// One's own notifications.
struct Inbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists your notifications, newest first; marks, deletes and follows them.",
    discussion: """
      Without --state, archived ones are left out. With --json each line is one notification, \
      answer or event as the hub sent it.

      EXAMPLES:
        hubctl inbox --type like --state unseen
        hubctl inbox --mark read 17 18
        hubctl inbox --mark seen --upto 99
        hubctl inbox --delete --upto 99 --type like
        hubctl inbox --follow
      """)

  @Argument(help: "The items that --mark and --delete are about: what the list shows as ID.")
  var ids: [String] = []

  @Option(help: "Only this type: like, mention, … May be given several times.")
  var type: [String] = []

  @Option(help: "Only items that are unseen, seen, read or archived. May be given several times.")
  var state: [HubInboxState] = []

  @Option(help: "The most notifications to list.")
  var limit = 50

  @Option(help: "Makes items unseen, seen, read or archived.")
  var mark: HubInboxState?

  @Flag(help: "Deletes items.")
  var delete = false

  @Option(
    help: """
      With --mark and --delete, instead of items: all that came at this position of the inbox or \
      before it. The list and --counts say where the inbox stands.
      """)
  var upto: Int?

  @Option(help: "Follows one item: it is read then. Prints where it leads.")
  var act: String?

  @Flag(help: "Only says how many there are.")
  var counts = false

  @Flag(help: "Prints what happens in the inbox from now on, one line an event, until Ctrl-C.")
  var follow = false

  @OptionGroup var options: HubOptions

  func validate() throws {
    try Paging.check(limit)
    _ = try action
  }

  func run() async throws {
    let action = try action
    try await options.run(about: Explanation.Subject()) { connection, output in
      let inbox = InboxSession(
        connection: connection, output: output, options: options,
        types: type.isEmpty ? nil : type)
      switch action {
      case .list: try await inbox.list(states: state.isEmpty ? nil : state, limit: limit)
      case .mark(let selection, let state): try await inbox.mark(selection, as: state)
      case .delete(let selection): try await inbox.delete(selection)
      case .act(let id): try await inbox.act(id)
      case .counts: try await inbox.counts()
      case .follow: try await inbox.follow()
      }
    }
  }
}

extension Inbox {
  /// What is to be done.
  private enum Action {
    case list
    case mark(InboxSession.Selection, HubInboxState)
    case delete(InboxSession.Selection)
    case act(String)
    case counts
    case follow
  }

  private var action: Action {
    get throws {
      let named = [mark != nil, delete, act != nil, counts, follow].count { $0 }
      guard named <= 1 else {
        throw ValidationError("Give one of --mark, --delete, --act, --counts and --follow.")
      }
      if let mark { return .mark(try selection("--mark"), mark) }
      if delete { return .delete(try selection("--delete")) }
      guard ids.isEmpty, upto == nil else {
        throw ValidationError("Items and --upto go with --mark and --delete.")
      }
      if counts {
        try refuse(state.isEmpty, "--counts", "--state")
        return .counts
      }
      guard act != nil || follow else { return .list }
      let name = follow ? "--follow" : "--act"
      try refuse(state.isEmpty && type.isEmpty, name, "--type and --state")
      return act.map { .act($0) } ?? .follow
    }
  }

  /// Which items are meant.
  private func selection(_ name: String) throws -> InboxSession.Selection {
    try refuse(state.isEmpty, name, "--state")
    guard let upto else {
      guard !ids.isEmpty else { throw ValidationError("\(name) needs items, or --upto.") }
      try refuse(type.isEmpty, "\(name) of items", "--type")
      return .ids(ids)
    }
    guard ids.isEmpty else { throw ValidationError("Give items or --upto, not both.") }
    guard upto >= 0 else { throw ValidationError("--upto must be at least 0.") }
    return .upTo(upto)
  }

  private func refuse(_ isAbsent: Bool, _ name: String, _ others: String) throws {
    guard isAbsent else { throw ValidationError("\(name) takes no \(others).") }
  }
}

extension HubInboxState: ExpressibleByArgument {}
