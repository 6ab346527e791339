internal import HubProtocol

/// What users say of themselves: their settings, and what they look at.
extension HubConnection {
  /// The user's settings (`user.settings`).
  public func settings() async throws(HubError) -> HubSettings {
    try await updateSettings(HubSettingsChange())
  }

  /// Changes the user's settings (`user.settings`).
  /// - Returns: all of them after the change.
  @discardableResult
  public func updateSettings(_ change: HubSettingsChange) async throws(HubError) -> HubSettings {
    let update = try change.wire()
    return try await call(.userSettings(update)) { json in
      json.object?.json("settings").flatMap { HubSettings(json: $0) }
    }
  }

  /// What a person looks at on one connection.
  public enum Focus: Hashable, Sendable {
    /// A channel that the user sees.
    case channel(String)
    /// The list of conversations.
    case list
    /// Something else, or nothing.
    case away
  }

  /// Says what the person looks at, by which the hub decides who gets a ``HubNotice`` (`focus`). It
  /// ends with the connection: after a reconnect (``states()``) it is to be said again.
  public func focus(on focus: Focus) async throws(HubError) {
    _ = try await call(.focus(try focus.wire()))
  }
}

extension HubConnection.Focus {
  fileprivate func wire() throws(HubError) -> HubProtocol.Focus {
    switch self {
    case .channel(let channel): .channel(try ChannelName.checked(channel))
    case .list: .list
    case .away: .away
    }
  }
}

extension HubSettingsChange {
  fileprivate func wire() throws(HubError) -> SettingsUpdate {
    var update = SettingsUpdate()
    update.directPolicy = directPolicy?.wire
    update.showsReceipts = showsReceipts
    update.showsTyping = showsTyping
    if let quietUntilTs { update.quietUntil = try Self.moment(quietUntilTs) }
    if let quietPeriods {
      var periods: [QuietPeriod] = []
      for period in quietPeriods { periods.append(try period.wire()) }
      update.quietPeriods = periods
    }
    update.mutedTypes = mutedTypes
    if let mutedUsers { update.mutedUsers = try UserID.checked(mutedUsers) }
    if let mutedChannels {
      var channels: [ChannelName] = []
      for channel in mutedChannels { channels.append(try ChannelName.checked(channel)) }
      update.mutedChannels = channels
    }
    return update
  }

  private static func moment(_ ts: Int) throws(HubError) -> Update<Timestamp> {
    guard 0...Limits.largestInteger ~= ts else {
      throw .badArgument("quietUntilTs must be 0 to 2^53-1")
    }
    return ts == 0 ? .clear : .set(Timestamp(milliseconds: ts))
  }
}

extension HubSettings.DirectPolicy {
  fileprivate var wire: DirectPolicy {
    switch self {
    case .everyone: .everyone
    case .contacts: .contacts
    case .nobody: .nobody
    }
  }
}

extension HubQuietPeriod {
  fileprivate func wire() throws(HubError) -> QuietPeriod {
    guard 0..<1_440 ~= from, 0..<1_440 ~= to else {
      throw .badArgument("from and to of a quiet period must be 0 to 1439 minutes")
    }
    return QuietPeriod(days: days.map(\.wire), from: from, to: to, zone: zone)
  }
}

extension HubQuietPeriod.Day {
  fileprivate var wire: QuietPeriod.Day {
    switch self {
    case .monday: .monday
    case .tuesday: .tuesday
    case .wednesday: .wednesday
    case .thursday: .thursday
    case .friday: .friday
    case .saturday: .saturday
    case .sunday: .sunday
    }
  }
}
