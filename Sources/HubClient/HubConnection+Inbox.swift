internal import HubProtocol

extension HubConnection {
  /// Publishes a notification; bots and admins may (`notify`). Sent again after a lost connection
  /// only when it has a key.
  public func notify(_ notification: HubNotification) async throws(HubError) -> HubNotified {
    let notify = try notification.wire()
    return try await call(.notify(notify), isRepeatable: notify.key != nil) {
      HubNotified(json: $0)
    }
  }

  /// The user's notifications, newest first (`inbox.list`).
  /// - Parameters:
  ///   - types: nil for all.
  ///   - limit: 1 to 100.
  public func inbox(
    types: [String]? = nil, cursor: String? = nil, limit: Int = 50
  ) async throws(HubError) -> HubInboxPage {
    let list = InboxList(types: types, states: nil, cursor: cursor, limit: limit)
    return try await call(.inboxList(list)) { HubInboxPage(json: $0) }
  }
}

extension HubNotification {
  fileprivate func wire() throws(HubError) -> Notify {
    let recipients: Notify.Audience =
      switch audience {
      case .users(let users): .users(try UserID.checked(users))
      case .channel(let channel): .channel(try ChannelName.checked(channel))
      }
    let actor: UserID? = if let name = self.actor { try UserID.checked(name) } else { nil }
    return Notify(
      audience: recipients,
      notification: Notification(
        type: type, actor: actor, title: title, text: text, data: data?.raw),
      key: key, collapse: collapse)
  }
}
