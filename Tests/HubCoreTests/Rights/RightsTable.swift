import HubProtocol

/// Something that is asked of a channel, and what is expected of it.
struct Right {
  let name: String
  let ask: @Sendable (RightsStage) -> String
  /// For owner, moderator, member, stranger and banned: `ok`, or an error code.
  let group: String
  let `public`: String
  let broadcast: String
  /// For member and stranger.
  let direct: String

  /// What all members may do.
  static func members(
    _ name: String, _ ask: @escaping @Sendable (RightsStage) -> String
  ) -> Right {
    Right(
      name: name, ask: ask, group: "ok ok ok not_found not_found",
      public: "ok ok ok not_member banned", broadcast: "ok ok ok not_member banned",
      direct: "ok not_found")
  }

  /// What everybody may do who may know of the channel.
  static func visitors(
    _ name: String, direct: String = "ok not_found",
    _ ask: @escaping @Sendable (RightsStage) -> String
  ) -> Right {
    Right(
      name: name, ask: ask, group: "ok ok ok not_found not_found",
      public: "ok ok ok ok banned", broadcast: "ok ok ok ok banned", direct: direct)
  }

  /// What moderators and the owner may do.
  static func moderators(
    _ name: String, direct: String = "forbidden not_found",
    _ ask: @escaping @Sendable (RightsStage) -> String
  ) -> Right {
    Right(
      name: name, ask: ask, group: "ok ok forbidden not_found not_found",
      public: "ok ok forbidden not_member banned",
      broadcast: "ok ok forbidden not_member banned", direct: direct)
  }

  /// What the owner alone may do.
  static func owner(
    _ name: String, _ ask: @escaping @Sendable (RightsStage) -> String
  ) -> Right {
    Right(
      name: name, ask: ask, group: "ok forbidden forbidden not_found not_found",
      public: "ok forbidden forbidden not_member banned",
      broadcast: "ok forbidden forbidden not_member banned", direct: "forbidden not_found")
  }
}

/// The whole of "Who may" (protocol, "Channels and membership").
extension Right {
  static let all = channels + moderation + messages + changes + pointers

  private static let later = 1_800_000_000_000

  private static let channels: [Right] = [
    visitors("channel.get") { $0.actor.get($0.room) },
    visitors("subscribe") { $0.actor.subscribe($0.room, limit: 3) },
    visitors("message.history") { $0.actor.history($0.room, .after(0)) },
    visitors("message.thread") { $0.actor.thread($0.room, 1) },
    visitors("member.list") { $0.actor.members($0.room) },
    visitors("presence.get") { $0.actor.presence(in: $0.room) },
    visitors("focus") { $0.actor.focus($0.room) },
    visitors("channel.join", direct: "forbidden not_found") { $0.actor.join($0.room) },
    visitors("channel.leave", direct: "forbidden not_found") { $0.actor.leave($0.room) },
    members("channel.mute") { $0.actor.mute($0.room) },
    members("channel.unmute") { $0.actor.unmute($0.room) },
    moderators("channel.update") { $0.actor.rename($0.room, to: "Stage") },
    owner("channel.delete") { $0.actor.delete($0.room) },
  ]

  private static let moderation: [Right] = [
    members("member.update") { $0.actor.annotate($0.room, "{}") },
    moderators("member.add") { $0.actor.add($0.room, "nina") },
    moderators("member.remove") { $0.actor.remove($0.room, "tim") },
    moderators("member.remove nobody") { $0.actor.remove($0.room, "nina") },
    moderators("member.ban") { $0.actor.ban($0.room, "tim") },
    moderators("member.ban a stranger") { $0.actor.ban($0.room, "nina") },
    moderators("member.unban") { $0.actor.unban($0.room, "ben") },
    moderators("member.silence") { $0.actor.silence($0.room, "tim", until: later) },
    moderators("message.flags") { $0.actor.flags($0.room) },
    owner("member.role") { $0.actor.appoint($0.room, "tim", .moderator) },
    owner("member.role owner") { $0.actor.appoint($0.room, "tim", .owner) },
  ]

  private static let messages: [Right] = [
    Right(
      name: "message.send", ask: { $0.actor.send($0.room, "m") },
      group: "ok ok ok not_found not_found", public: "ok ok ok not_member banned",
      broadcast: "ok ok forbidden not_member banned", direct: "ok not_found"),
    members("a reply") { $0.actor.send($0.room, "m", replyTo: 1) },
    members("a mention") { $0.actor.send($0.room, "m", mentions: ["nina"], replyTo: 1) },
    moderators("@channel", direct: "ok not_found") {
      $0.actor.send($0.room, "m", everybody: true, replyTo: 1)
    },
    members("typing") { $0.actor.type($0.room) },
    members("typing off") { $0.actor.type($0.room, on: false) },
    members("signal") { $0.actor.signal($0.room) },
  ]

  private static let changes: [Right] = [
    members("message.edit") { $0.actor.edit($0.room, $0.own, "other") },
    Right(
      name: "message.edit of another's", ask: { $0.actor.edit($0.room, 2, "other") },
      group: "forbidden forbidden forbidden not_found not_found",
      public: "forbidden forbidden forbidden not_member banned",
      broadcast: "forbidden forbidden forbidden not_member banned",
      direct: "forbidden not_found"),
    moderators("message.edit to @channel", direct: "ok not_found") {
      $0.actor.edit($0.room, $0.own, "other", mentions: [], everybody: true)
    },
    members("message.delete") { $0.actor.delete($0.room, $0.own) },
    moderators("message.delete of another's") { $0.actor.delete($0.room, 2) },
    members("reaction.add") { $0.actor.react($0.room, 1) },
    members("reaction.remove") { $0.actor.react($0.room, 1, on: false) },
    members("message.flag") { $0.actor.flag($0.room, 1) },
  ]

  private static let pointers: [Right] = [
    members("read") { $0.actor.read($0.room, 1) },
    members("delivered") { $0.actor.delivered($0.room, 3) },
    members("read.unread") { $0.actor.readUnread($0.room, 1) },
    visitors("unsubscribe", direct: "ok ok") { $0.actor.unsubscribe($0.room) }.forAll,
  ]

  /// The same, granted to everybody.
  private var forAll: Right {
    let everybody = "ok ok ok ok ok"
    return Right(
      name: name, ask: ask, group: everybody, public: everybody, broadcast: everybody,
      direct: "ok ok")
  }
}
