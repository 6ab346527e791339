import Foundation
import HubClient

/// What the bot does. Events arrive in order and are answered one at a time; what comes meanwhile
/// waits in the subscription.
struct Bot {
  let connection: HubConnection
  let channel: String
  /// Our own user id.
  let me: String

  /// Goes on until the connection is closed. `HubConnection` comes back by itself when it is lost,
  /// and its subscriptions bring what was missed, each message once.
  static func run(_ connection: HubConnection, in channel: String) async throws(HubError) {
    let bot = Bot(
      connection: connection, channel: channel, me: try await connection.connect().user)
    try await connection.join(channel)
    var updates = try await connection.subscribe(to: channel).makeAsyncIterator()
    note("\(bot.me) is in \(channel)")
    while let update = try await updates.next(isolation: nil) {
      switch update {
      case .event(let event): try await bot.handle(event)
      case .reset, .missed: note("some messages could not be had")
      }
    }
  }

  private func handle(_ event: HubEvent) async throws(HubError) {
    do {
      switch event.body {
      case .member(let user, change: "joined", _) where user != me: try await greet(user)
      case .message(let message) where message.user != me: try await answer(message)
      case .unsubscribed(let reason): note("the channel is over for us: \(reason)")
      default: break
      }
    } catch let error where error.origin == .hub {
      // Silenced, not allowed to write here, too many hops: a bot says so and goes on.
      note("not answered: \(error)")
    }
  }

  private func greet(_ user: String) async throws(HubError) {
    let name = try await connection.users([user]).first?.name ?? user
    // A key of its own: who comes twice is greeted twice.
    try await send("Welcome, \(name)!", key: UUID().uuidString, hops: 0)
  }

  /// Answers a command. The key is made of what is answered: however often the answer is sent,
  /// it is delivered once.
  private func answer(_ message: HubMessage) async throws(HubError) {
    guard let text = message.text, let hops = Self.hopsOfAnswer(to: message) else { return }
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    let key = "\(message.seq)-\(message.ts ?? 0)"
    let reply: String
    switch words.first {
    case "!ping": reply = "pong"
    case "!rally": reply = "!rally"
    case "!remind" where words.count == 2:
      try await remind(of: words[1], message, key: "remind-\(key)")
      reply = "It is in your inbox."
    case "!help", "!remind":
      reply = "!ping, !remind TEXT (into your inbox), !rally (a game for two bots)"
    default: return
    }
    try await send(reply, to: message.seq, key: key, hops: hops)
  }

  private func remind(of text: String, _ message: HubMessage, key: String) async throws(HubError) {
    let asker = [message.user ?? me]
    var reminder = HubNotification(to: .users(asker), type: "reminder", text: text)
    reminder.target = HubInboxTarget(kind: "message", id: "\(channel)/\(message.seq)")
    reminder.key = key
    try await insist { () async throws(HubError) in try await connection.notify(reminder) }
  }

  private func send(
    _ text: String, to seq: Int? = nil, key: String, hops: Int
  ) async throws(HubError) {
    let data = HubJSON(#"{"hops":\#(hops)}"#)
    try await insist { () async throws(HubError) in
      try await connection.send(text, to: channel, data: data, replyTo: seq, key: key, hops: hops)
    }
  }

  /// Asks until the hub has answered; what has a key may be asked any number of times.
  private func insist(_ ask: () async throws(HubError) -> Void) async throws(HubError) {
    while true {
      do { return try await ask() } catch {
        guard error.code == HubError.timedOut || error.retryAfter != nil else { throw error }
        try? await Task.sleep(for: error.retryAfter ?? .zero)
      }
    }
  }

  /// How many bots' answers lie behind an answer; nil where there must be none: after 8, and to
  /// bots that do not count. The hub refuses more, but tells no reader; `data` tells it, too.
  private static func hopsOfAnswer(to message: HubMessage) -> Int? {
    guard message.isBot else { return 0 }
    let data = Data(message.data?.bytes ?? [])
    let behind = try? JSONDecoder().decode([String: Int].self, from: data)["hops"]
    return behind.flatMap { 0..<8 ~= $0 ? $0 + 1 : nil }
  }
}
