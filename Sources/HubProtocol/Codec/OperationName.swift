/// Every `op` that the hub knows, by the part of the protocol that speaks of it.
enum OperationName {
  case session(Session)
  case channel(Channel)
  case member(Member)
  case message(Message)
  case live(Live)
  case user(User)
  case inbox(Inbox)

  /// Protocol, "Session" and "Operators".
  enum Session: String, CaseIterable {
    case hello
    case ping
    case tokenRefresh = "token.refresh"
    case adminSnapshot = "admin.snapshot"
    case adminBackup = "admin.backup"
  }

  /// Protocol, "Channels and membership" and "Subscribing and recovery".
  enum Channel: String, CaseIterable {
    case create = "channel.create"
    case get = "channel.get"
    case update = "channel.update"
    case delete = "channel.delete"
    case list = "channel.list"
    case join = "channel.join"
    case leave = "channel.leave"
    case mute = "channel.mute"
    case unmute = "channel.unmute"
    case directOpen = "dm.open"
    case subscribe
    case unsubscribe
  }

  /// Protocol, "Channels and membership".
  enum Member: String, CaseIterable {
    case add = "member.add"
    case remove = "member.remove"
    case role = "member.role"
    case update = "member.update"
    case ban = "member.ban"
    case unban = "member.unban"
    case silence = "member.silence"
    case list = "member.list"
  }

  /// Protocol, "Messages".
  enum Message: String, CaseIterable {
    case send = "message.send"
    case edit = "message.edit"
    case delete = "message.delete"
    case history = "message.history"
    case thread = "message.thread"
    case search = "message.search"
    case feed = "feed.list"
    case reactionAdd = "reaction.add"
    case reactionRemove = "reaction.remove"
    case flag = "message.flag"
    case flags = "message.flags"
  }

  /// Protocol, "Ephemeral" and "Receipts and unread".
  enum Live: String, CaseIterable {
    case typing
    case signal
    case presenceSet = "presence.set"
    case presenceGet = "presence.get"
    case focus
    case read
    case delivered
    case readUnread = "read.unread"
  }

  /// Protocol, "Users".
  enum User: String, CaseIterable {
    case get = "user.get"
    case update = "user.update"
    case put = "user.put"
    case search = "user.search"
    case block = "user.block"
    case unblock = "user.unblock"
    case settings = "user.settings"
    case disconnect = "user.disconnect"
  }

  /// Protocol, "Inbox".
  enum Inbox: String, CaseIterable {
    case notify
    case retract = "notify.retract"
    case list = "inbox.list"
    case counts = "inbox.counts"
    case mark = "inbox.mark"
    case delete = "inbox.delete"
    case act = "inbox.act"
    case opened = "inbox.opened"
  }

  /// The name on the wire.
  var text: String {
    switch self {
    case .session(let name): name.rawValue
    case .channel(let name): name.rawValue
    case .member(let name): name.rawValue
    case .message(let name): name.rawValue
    case .live(let name): name.rawValue
    case .user(let name): name.rawValue
    case .inbox(let name): name.rawValue
    }
  }

  /// The operation that `op`, a string in `source`, names; nil for one the hub does not know.
  init?(_ op: JSONSlice, in source: JSONSource) {
    guard let name = Self.table[op, in: source] else { return nil }
    self = name
  }

  private static let all: [OperationName] =
    Session.allCases.map { .session($0) } + Channel.allCases.map { .channel($0) }
    + Member.allCases.map { .member($0) } + Message.allCases.map { .message($0) }
    + Live.allCases.map { .live($0) } + User.allCases.map { .user($0) }
    + Inbox.allCases.map { .inbox($0) }
  private static let table = NameTable(all) { $0.text }
}
