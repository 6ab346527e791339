import HashTreeCollections
import HubProtocol

/// Where a user stream stands: a place in the numbering of records.
struct StreamPosition {
  let stream: String
  let record: Int

  init(stream: String, record: Int) {
    self.stream = stream
    self.record = record
  }

  /// Nil for what no hub gave out.
  init?(_ text: String) {
    guard let dot = text.lastIndex(of: "~"), let record = Int(text[text.index(after: dot)...])
    else { return nil }
    self.init(stream: String(text[..<dot]), record: record)
  }

  var text: String { "\(stream)~\(record)" }
}

/// User streams (protocol, "Session": `user_stream`).
extension Registry {
  /// The user's channels in summary: those that changed since a position, or, where that cannot be
  /// told, the most active ones.
  func userStream(
    of user: UserRef, since text: String?, at now: Timestamp, presentCount: (ChannelRef) -> Int
  ) -> UserStream {
    let at = StreamPosition(stream: stream, record: recordCount).text
    if let since = text.flatMap({ StreamPosition($0) }), isKnown(since, to: user) {
      let changed = changedChannels(of: user, since: since.record, at: now)
      let shown = summaries(of: changed, for: user, at: now, presentCount: presentCount)
      if shown.count == changed.count {
        return UserStream(
          at: at, isRecovered: true, channels: shown, left: left(by: user, since: since.record),
          hasMore: false)
      }
    }
    let all = mostActiveFirst(users[user.index].channels, for: user)
    let shown = summaries(of: all, for: user, at: now, presentCount: presentCount)
    return UserStream(
      at: at, isRecovered: false, channels: shown, left: nil, hasMore: shown.count < all.count)
  }

  private func isKnown(_ position: StreamPosition, to user: UserRef) -> Bool {
    position.stream == stream && position.record <= recordCount
      && position.record >= users[user.index].streamFloor
  }

  private func changedChannels(
    of user: UserRef, since record: Int, at now: Timestamp
  ) -> [ChannelRef] {
    let changed = users[user.index].channels.filter { channel in
      let state = channels[channel.index]
      guard state.changedAt <= record, let membership = state.members[user] else { return true }
      // No record says when a muting came to its end.
      let isMutingOver = membership.mutedUntil.map { $0 <= now } ?? false
      return membership.changedAt > record || isMutingOver
    }
    return mostActiveFirst(changed, for: user)
  }

  private func left(by user: UserRef, since record: Int) -> [ChannelName] {
    let joined = Set(users[user.index].channels.map { channels[$0.index].name })
    var seen: Set<ChannelName> = []
    return users[user.index].departures.filter { $0.record > record }.map(\.channel).filter {
      !joined.contains($0) && seen.insert($0).inserted
    }
  }

  private func mostActiveFirst(_ refs: [ChannelRef], for user: UserRef) -> [ChannelRef] {
    refs.sorted {
      let (one, other) = (channels[$0.index], channels[$1.index])
      return one.updatedTs == other.updatedTs
        ? one.name < other.name : one.updatedTs > other.updatedTs
    }
  }

  /// As many of the channels' beginning as `hello` brings.
  private func summaries(
    of refs: [ChannelRef], for user: UserRef, at now: Timestamp,
    presentCount: (ChannelRef) -> Int
  ) -> [ChannelSummary] {
    var budget = PageBudget()
    var summaries: [ChannelSummary] = []
    for ref in refs.prefix(Limits.helloChannels) {
      let summary = summary(of: ref, for: user, at: now, presentCount: presentCount(ref))
      guard budget.takes(summary.weight) else { break }
      summaries.append(summary)
    }
    return summaries
  }
}

extension ChannelSummary {
  /// The most bytes that the summary takes as JSON, about.
  var weight: Int {
    var weight = 500 + channel.text.utf8.count + (lastMessage?.message.weight ?? 0)
    for text in [profile.name, profile.details, profile.avatar] {
      weight += text.map(JSONText.escapedCount) ?? 0
    }
    return weight + (profile.custom?.bytes.count ?? 0)
  }
}
