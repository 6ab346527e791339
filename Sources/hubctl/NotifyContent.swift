internal import ArgumentParser
internal import HubClient

/// What a notification of `hubctl notify` says.
struct NotifyContent: ParsableArguments {
  @Option(help: "What it is: system, like, … or a word of your own. Else message.")
  var type: String?

  @Option(help: "What it says.")
  var text: String?

  @Option(help: "A heading.")
  var title: String?

  @Option(help: "Who did it: a user id. They themselves are not notified.")
  var actor: String?

  @Option(help: "Notifications with the same word become one. At most 64 bytes.")
  var collapse: String?

  @Option(help: "What it is about: video, message, … With --target-id.")
  var targetKind: String?

  @Option(help: "Which one it is about.")
  var targetId: String?

  @Option(help: "Where that is to be found.")
  var targetUrl: String?

  @Option(help: "URL of a small picture of it.")
  var targetThumb: String?

  @Option(
    help: """
      When it is gone again: in 90s, 30m, 2h or 7d, or at 2026-12-24 or 2026-12-24T18:30 in your \
      time zone.
      """)
  var expires: Moment?

  @Option(help: "A JSON value to go along.")
  var data: String?

  /// Whether nothing of it is given.
  var isAbsent: Bool {
    [
      type, text, title, actor, collapse, targetKind, targetId, targetUrl, targetThumb, data,
    ].allSatisfy { $0 == nil } && expires == nil
  }

  /// - Parameter now: in milliseconds since the Unix epoch.
  func check(now: Int) throws {
    guard text != nil else { throw ValidationError("Say something with --text.") }
    if let data, HubJSON(data) == nil {
      throw ValidationError("--data must be one JSON value, for instance '{\"video\":1}'.")
    }
    guard (targetKind == nil) == (targetId == nil) else {
      throw ValidationError("--target-kind and --target-id go together.")
    }
    guard targetKind != nil || (targetUrl == nil && targetThumb == nil) else {
      throw ValidationError("--target-url and --target-thumb need --target-kind and --target-id.")
    }
    guard expires.map({ $0.ts(now: now) > now }) ?? true else {
      throw ValidationError("--expires must lie ahead.")
    }
  }

  /// - Parameter now: in milliseconds since the Unix epoch.
  func notification(to audience: HubNotification.Audience, now: Int) -> HubNotification {
    var notification = HubNotification(to: audience, type: type ?? "message", text: text ?? "")
    notification.title = title
    notification.actor = actor
    notification.collapse = collapse
    if let targetKind, let targetId {
      notification.target = HubInboxTarget(
        kind: targetKind, id: targetId, url: targetUrl, thumb: targetThumb)
    }
    notification.expiresTs = expires?.ts(now: now)
    notification.data = data.flatMap { HubJSON($0) }
    return notification
  }
}
