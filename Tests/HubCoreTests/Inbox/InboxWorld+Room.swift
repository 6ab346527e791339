import HubProtocol
import SeededRandom

/// What people do in the room and with feeds, and what the hub makes of it.
extension InboxWorld {
  private static let members = Array(people.dropLast())

  private var ts: Timestamp { Timestamp(milliseconds: hub.wall) }

  /// Somebody who is there and a member.
  private func member() -> Reader? {
    let members = readers.filter { Self.members.contains($0.user) }
    return members.isEmpty ? nil : random.pick(members)
  }

  func write() {
    guard let reader = member() else { return }
    let mentions = random.list(upTo: 2) { $0.pick(Self.people) }.uniqued
    let isForAll = random.oneIn(6)
    let replyTo = posts.posts.isEmpty || random.oneIn(2) ? nil : 1 + random.below(posts.posts.count)
    let text = "m\(posts.posts.count + 1)"
    let line = reader.client.send(
      Self.room, text, mentions: mentions, everybody: isForAll, replyTo: replyTo)
    guard line.hasPrefix("sent") else {
      if replyTo.map({ posts.posts[$0 - 1].isDeleted }) != true { note("send", line, "sent") }
      return
    }
    posts.posts.append(
      PostModel.Post(
        author: reader.user, text: text, replyTo: replyTo, mentions: mentions, isForAll: isForAll))
    let seq = posts.posts.count
    if let parent = replyTo.map({ posts.posts[$0 - 1].author }), parent != reader.user {
      tell("reply", seq, parent)
    }
    tellMentioned(seq, mentions)
    if isForAll { tellMentioned(seq, Self.members) }
  }

  private func tellMentioned(_ seq: Int, _ users: [String]) {
    for user in users where Self.members.contains(user) && user != posts.posts[seq - 1].author {
      tell("mention", seq, user)
    }
  }

  private func tell(_ type: String, _ seq: Int, _ name: String) {
    let post = posts.posts[seq - 1]
    _ = model.deliver(
      offer(type, by: post.author, seq, post.text, key: "message/\(seq)"), to: name)
  }

  private func offer(
    _ type: String, by actor: String, _ seq: Int, _ text: String, key: String,
    data: RawJSON? = nil
  ) -> InboxModel.Offer {
    InboxModel.Offer(
      about: Self.room, room: Self.room, key: key,
      notification: Notification(
        type: type, actor: user(actor),
        target: InboxTarget(kind: "message", id: "\(Self.room)/\(seq)"),
        title: "\(Self.room) - \(actor)", text: text, data: data), ts: ts)
  }

  func edit() {
    let own = posts.posts.indices.filter { place in
      !posts.posts[place].isDeleted && readers.contains { $0.user == posts.posts[place].author }
    }
    guard !own.isEmpty else { return }
    let place = random.pick(own)
    let before = posts.posts[place]
    let mentions = random.list(upTo: 2) { $0.pick(Self.people) }.uniqued
    let isForAll = random.oneIn(4)
    let text = before.text + "."
    let line = reader(of: before.author)?.client.edit(
      Self.room, place + 1, text, mentions: mentions, everybody: isForAll)
    note("edit", line ?? "-", "ok")
    posts.posts[place].text = text
    posts.posts[place].mentions = mentions
    posts.posts[place].isForAll = isForAll
    guard before.mentions != mentions || before.isForAll != isForAll else { return }
    if !isForAll {
      let told = before.isForAll ? Self.members : before.mentions
      for name in told where !mentions.contains(name) {
        _ = model.retract("message/\(place + 1)", type: "mention", from: name)
      }
    }
    tellMentioned(place + 1, mentions)
    if isForAll, !before.isForAll { tellMentioned(place + 1, Self.members) }
  }

  func erase() {
    let own = posts.posts.indices.filter { place in
      !posts.posts[place].isDeleted && readers.contains { $0.user == posts.posts[place].author }
    }
    guard !own.isEmpty else { return }
    let place = random.pick(own)
    let post = posts.posts[place]
    note("delete", reader(of: post.author)?.client.delete(Self.room, place + 1) ?? "-", "ok")
    posts.posts[place].isDeleted = true
    for name in Self.people { _ = model.retract("message/\(place + 1)", from: name) }
    let likes = Set(post.reactions.keys.map { "like/\(place + 1)/\($0)" })
    model.removeAll(from: post.author) { item in
      item.parts.contains { $0.key.map(likes.contains) ?? false }
    }
  }

  func react() {
    guard let reader = member(), !posts.posts.isEmpty else { return }
    let place = random.below(posts.posts.count)
    let post = posts.posts[place]
    guard !post.isDeleted else { return }
    let (word, isOn) = (random.pick(["👍", "x"]), !random.oneIn(3))
    let name = reader.user
    note("react", reader.client.react(Self.room, place + 1, word, on: isOn), "ok")
    let before = post.reactions[name] ?? []
    let after = isOn ? before.union([word]) : before.subtracting([word])
    posts.posts[place].reactions[name] = after.isEmpty ? nil : after
    let key = "like/\(place + 1)/\(name)"
    guard name != post.author, before.isEmpty != after.isEmpty else { return }
    if after.isEmpty {
      _ = model.retract(key, from: post.author)
    } else {
      let data = json("{\"reaction\":\"\(word)\"}")
      let offer = offer("like", by: name, place + 1, post.text, key: key, data: data)
      _ = model.deliver(offer, to: post.author)
    }
  }

  /// Somebody follows, or no longer; or a feed ends and begins anew.
  func follow() {
    guard let reader = anyone() else { return }
    let owner = random.pick(posts.feeds.keys.sorted())
    let name = reader.user
    let feed = "feed:\(owner)"
    let age = posts.ages[owner] ?? 0
    if name == owner {
      guard random.oneIn(3) else { return }
      note("end", String(reader.client.delete(feed).prefix(5)), "feed:")
      model.removeAll(from: owner) { $0.parts.last?.about == "\(feed)/\(age)" }
      note("begin", String(reader.client.create(feed, .broadcast).prefix(5)), "feed:")
      posts.feeds[owner] = []
      posts.ages[owner] = age + 1
      return
    }
    let key = "follow/\(feed)/\(age)/\(name)"
    if posts.feeds[owner]?.contains(name) == true {
      reader.client.leave(feed)
      posts.feeds[owner]?.remove(name)
      _ = model.retract(key, from: owner)
    } else {
      reader.client.join(feed)
      posts.feeds[owner]?.insert(name)
      let notification = Notification(
        type: "follow", actor: user(name), target: InboxTarget(kind: "user", id: name),
        title: name, text: "\(name) follows you")
      let offer = InboxModel.Offer(
        about: "\(feed)/\(age)", room: feed, key: key, notification: notification, ts: ts)
      _ = model.deliver(offer, to: owner)
    }
  }
}

extension [String] {
  /// Each once.
  fileprivate var uniqued: [String] {
    enumerated().filter { firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }
}
