internal import HubClient

/// Prints the updates of several subscriptions, and counts the messages among them.
actor TailPrinter {
  private let output: Output
  private let json: Bool
  private let line: EventLine
  /// Messages still to be printed; nil when there is no end.
  private var remaining: Int?

  init(output: Output, json: Bool, count: Int?, showsChannel: Bool) {
    self.output = output
    self.json = json
    remaining = count
    line = EventLine(showsChannel: showsChannel) { Clock.timeOfDay($0) }
  }

  /// Returns when the count is reached or every subscription is over.
  nonisolated func print(_ subscriptions: [HubSubscription]) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for subscription in subscriptions {
        group.addTask { try await self.print(subscription) }
      }
      while let isEnough = try await group.next() {
        if isEnough { return group.cancelAll() }
      }
    }
  }

  /// Whether the count is reached; false when the subscription is over.
  private func print(_ subscription: HubSubscription) async throws -> Bool {
    var updates = subscription.makeAsyncIterator()
    while let update = try await next(&updates, of: subscription.channel) {
      switch update {
      case .event(let event): try await print(event)
      case .reset:
        let sentence = "messages may be missing here: the hub could not bring all of them"
        await output.note("hubctl: \(subscription.channel): \(sentence)")
      case .missed(let count):
        let sentence = "\(count) events were dropped here: output is read too slowly"
        await output.note("hubctl: \(subscription.channel): \(sentence)")
      }
      if remaining == 0 { return true }
    }
    return false
  }

  private func next(
    _ updates: inout HubSubscription.AsyncIterator, of channel: String
  ) async throws(ChannelError) -> HubUpdate? {
    do {
      return try await updates.next(isolation: self)
    } catch {
      throw ChannelError(channel: channel, error: error)
    }
  }

  private func print(_ event: HubEvent) async throws {
    // Several subscriptions take turns here: count before waiting for the output.
    if case .message = event.body, let remaining {
      guard remaining > 0 else { return }
      self.remaining = remaining - 1
    }
    if json { try await output.line(event.json) } else { try await output.line(line.text(event)) }
  }
}
