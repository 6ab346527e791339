import HubProtocol
import SeededRandom

/// What bots publish and take back.
extension InboxWorld {
  func notify() {
    let index = random.below(bots.count)
    let publisher = Self.publishers[index]
    let notification = notification()
    let key = random.oneIn(2) ? "k\(random.below(12))" : nil
    let word = random.oneIn(2) ? "w\(random.below(2))" : nil
    let (audience, users, unknown) = audience()
    let line = bots[index].notify(audience, notification, key: key, collapse: word)
    var offer = InboxModel.Offer(
      publisher: publisher, key: key.map { "\(publisher)/\($0)" }, word: word,
      notification: notification, ts: Timestamp(milliseconds: hub.wall))
    if case .channel = audience { offer.room = Self.square }
    let made = users.count { model.deliver(offer, to: $0) }
    note("\(publisher) notifies", line, "notified \(made)" + unknown)
  }

  func retract() {
    let index = random.below(bots.count)
    let publisher = Self.publishers[index]
    let key = "k\(random.below(12))"
    let (audience, users, unknown) = audience()
    let line = bots[index].retract(audience, key: key)
    let count = users.count { model.retract("\(publisher)/\(key)", from: $0) }
    note("\(publisher) retracts", line, "retracted \(count)" + unknown)
  }

  /// So much that the oldest go.
  func flood() {
    let target = random.pick(Self.people)
    for _ in 0..<random.below(200) {
      let notification = notification()
      let line = bots[0].notify(.users([user(target)]), notification)
      let offer = InboxModel.Offer(
        publisher: Self.publishers[0], notification: notification,
        ts: Timestamp(milliseconds: hub.wall))
      note("flood", line, model.deliver(offer, to: target) ? "notified 1" : "notified 0")
    }
  }

  private func notification() -> Notification {
    let type = random.pick(["like", "sale", "sale", "mention", "comment"])
    let actor = random.maybe { $0.pick(Self.people + ["stranger"]) }
    return Notification(
      type: type, actor: actor.map(user),
      target: random.maybe { InboxTarget(kind: "k", id: "i\($0.below(9))") },
      title: random.maybe { "t\($0.below(9))" }, text: "n\(random.below(1_000))",
      data: random.maybe { json("{\"d\":\($0.below(9))}") },
      expiresTs: random.oneIn(4)
        ? Timestamp(milliseconds: hub.wall + 1 + random.below(20_000)) : nil)
  }

  /// For whom, who that is, and what is answered of those whom nobody knows.
  private func audience() -> (Notify.Audience, users: [String], unknown: String) {
    // The bots are no members of the room.
    if random.oneIn(6) {
      return (.channel(channel(Self.square)), Self.people, "")
    }
    var users = Self.people.shuffled(using: &random)
    users.removeLast(random.below(users.count))
    guard random.oneIn(5) else { return (.users(users.map(user)), users, "") }
    return (.users((users + ["nobody"]).map(user)), users, " unknown nobody")
  }
}
