internal import HubProtocol

/// What bots and admins put into people's inboxes (protocol, "Inbox").
extension HubConnection {
  /// Publishes a notification; others than bots and admins get `forbidden` (`notify`). Sent again
  /// after a lost connection only when it has a key.
  ///
  /// A large audience is worked off in parts and answered after the last: with a key it may be
  /// repeated after ``HubError/timedOut``, and nobody gets it twice.
  @discardableResult
  public func notify(_ notification: HubNotification) async throws(HubError) -> HubNotified {
    let notify = try notification.wire()
    return try await call(.notify(notify), isRepeatable: notify.key != nil) {
      HubNotified(json: $0)
    }
  }

  /// Takes back what this user published with a key, read or not; a collapsed item shrinks
  /// (`notify.retract`). Where there is nothing, nothing happens.
  /// - Parameter key: 1 to 64 bytes.
  @discardableResult
  public func retractNotification(
    to audience: HubNotification.Audience, key: String
  ) async throws(HubError) -> HubRetracted {
    let retract = NotifyRetract(audience: try audience.wire(), key: key)
    return try await call(.notifyRetract(retract)) { HubRetracted(json: $0) }
  }
}

extension HubNotification {
  fileprivate func wire() throws(HubError) -> Notify {
    let actor: UserID? = if let name = self.actor { try UserID.checked(name) } else { nil }
    let target = target.map {
      InboxTarget(kind: $0.kind, id: $0.id, url: $0.url, thumb: $0.thumb)
    }
    if let expiresTs, !(0...Limits.largestInteger ~= expiresTs) {
      throw .badArgument("expiresTs must be 0 to 2^53-1")
    }
    return Notify(
      audience: try audience.wire(),
      notification: Notification(
        type: type, actor: actor, target: target, title: title, text: text, data: data?.raw,
        expiresTs: expiresTs.map { Timestamp(milliseconds: $0) }),
      key: key, collapse: collapse)
  }
}

extension HubNotification.Audience {
  fileprivate func wire() throws(HubError) -> Notify.Audience {
    switch self {
    case .users(let users): return .users(try UserID.checked(users))
    case .channel(let channel): return .channel(try ChannelName.checked(channel))
    case .segment(let members):
      var fields: [Segment.Field] = []
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        fields.append(Segment.Field(name: name, value: try value.wire()))
      }
      return .segment(Segment(fields: fields))
    }
  }
}

extension HubNotification.SegmentValue {
  fileprivate func wire() throws(HubError) -> Segment.Value {
    switch self {
    case .string(let text): return .string(text)
    case .integer(let number): return .number("\(number)")
    case .decimal(let number):
      guard number.isFinite else { throw .badArgument("a segment's number must be finite") }
      return .number("\(number)")
    case .bool(let value): return .bool(value)
    }
  }
}
