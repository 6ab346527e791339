import HubCore
import HubProtocol
import SeededRandom

/// One channel, several people who write and change there, and connections that come, go and take
/// up what they left anywhere.
final class RecoveryWorld {
  private static let names = ["alice", "bob", "carol"]
  private static let room = "room:a"

  /// A connection, and what its client believes.
  private struct Follower {
    var client: Client
    var replica: Replica
    var isSubscribed = false
    /// What the client believed at earlier moments.
    var kept: [Replica] = []
  }

  private let hub: HubDriver
  /// The truth: every message as it is now.
  private var posts: [Post] = []
  private var followers: [Follower] = []
  /// Whom carol has blocked.
  private let hidden: String?
  private var random: SplitMix64
  private(set) var flaws: [String] = []
  /// How often recovery brought what was missed, and how often it could not.
  private(set) var recoveries = 0
  private(set) var losses = 0
  /// How often others went on while history looked, and what could not be done for that.
  private(set) var interruptions = 0
  private(set) var staleCount = 0
  /// Who history is asked for.
  private var asker = 0

  /// - Parameter mayInterrupt: whether others go on while history looks.
  init(seed: UInt64, mayInterrupt: Bool = false) {
    random = SplitMix64(seed: seed)
    // In two worlds of three memory is short.
    hub = HubDriver(windowMemory: [1 << 30, 8_000, 3_000][Int(seed % 3)], seed: seed)
    hidden = seed % 4 == 0 ? "bob" : nil
    for name in Self.names {
      for _ in 0..<2 {
        let client = hub.connect(name)
        followers.append(Follower(client: client, replica: Replica(user: name)))
      }
    }
    followers[0].client.create(Self.room, .public, members: Self.names)
    if let hidden { followers[4].client.block(hidden) }
    hub.clear()
    guard mayInterrupt else { return }
    hub.meanwhile = { [weak self] in self?.interrupt($0) }
  }

  func run(_ count: Int) {
    for _ in 0..<count { happen() }
    for index in followers.indices {
      asker = index
      resume(index, from: followers[index].replica)
      compare(index)
      flaws += followers[index].replica.flaws
    }
    flaws += hub.replayFlaws
  }

  /// Others write and change, and what was looked up may be out of date.
  private func interrupt(_ query: HistoryQuery) {
    // Events of inboxes are looked up in the middle of everything.
    if case .notifications = query { return }
    // Whoever asks for the newest messages is subscribed already, and hears of more.
    if case .missed(_, range: _, changedAfter: _, upTo: 0, limit: _) = query { return }
    interruptions += 1
    for _ in 0..<random.below(4) {
      let index = random.below(followers.count)
      guard index != asker else { continue }
      if random.oneIn(3) { send(index) } else { change(index) }
    }
  }

  private func happen() {
    hub.answersEarly = random.oneIn(2)
    let index = random.below(followers.count)
    asker = index
    switch random.below(16) {
    case 0, 1: leave(index)
    case 2, 3: resume(index, from: followers[index].replica)
    case 4:
      if let kept = followers[index].kept.randomElement(using: &random) {
        resume(index, from: kept)
      }
    case 5: followers[index].kept.append(followers[index].replica)
    case 6, 7, 8, 9: send(index)
    default: change(index)
    }
    for index in followers.indices { listen(index) }
    if random.oneIn(8) { compare(index) }
  }

  /// Unsubscribes, or goes away and comes back without subscribing.
  private func leave(_ index: Int) {
    if random.oneIn(2) {
      followers[index].client.unsubscribe(Self.room)
    } else {
      followers[index].client.close()
      followers[index].client = hub.connect(followers[index].replica.user)
    }
    listen(index)
    followers[index].isSubscribed = false
  }

  /// Subscribes from where a client once stood; where that is lost, from what there is.
  private func resume(_ index: Int, from replica: Replica) {
    listen(index)
    if !followers[index].replica.flaws.isEmpty { flaws += followers[index].replica.flaws }
    followers[index].client.unsubscribe(Self.room)
    followers[index].client.clear()
    followers[index].replica = replica
    followers[index].isSubscribed = true
    let before = interruptions
    followers[index].client.subscribe(Self.room, since: replica.position)
    guard case .subscribed(let reply) = followers[index].client.reply else { return }
    if reply.isRecovered { recoveries += 1 } else { losses += 1 }
    if !reply.isRecovered, !replica.position.epoch.isEmpty {
      if interruptions == before { flaws.append("\(replica.position) was lost") }
      staleCount += 1
    }
    guard !reply.isRecovered else { return listen(index) }
    followers[index].client.clear()
    followers[index].client.subscribe(Self.room, limit: 300)
    listen(index)
  }

  private func listen(_ index: Int) {
    if followers[index].isSubscribed {
      followers[index].replica.take(followers[index].client.received)
    }
    followers[index].client.clear()
  }

  private func send(_ index: Int) {
    let replyTo = random.oneIn(3) && !posts.isEmpty ? 1 + random.below(posts.count) : nil
    let text = "t\(random.below(100))" + String(repeating: "x", count: random.below(40) * 8)
    let answer = followers[index].client.send(Self.room, text, replyTo: replyTo)
    if answer == "refused unavailable" { staleCount += 1 }
    guard answer.hasPrefix("sent") else { return }
    posts.append(
      Post(
        user: followers[index].replica.user, text: text, key: nil, mention: nil, replyTo: replyTo))
    if let replyTo { posts[replyTo - 1].replies += 1 }
  }

  private func change(_ index: Int) {
    guard !posts.isEmpty else { return }
    let place = random.below(posts.count)
    let (client, user) = (followers[index].client, followers[index].replica.user)
    let change = Step.Change.random(of: Self.names, &random)
    let step = Step.change(Self.room, place + 1, change)
    guard step.ask(client) == "ok", !posts[place].isDeleted else { return }
    switch change {
    case .edit(let text, _):
      posts[place].text = text
      posts[place].isEdited = true
    case .delete:
      posts[place].delete()
      if let parent = posts[place].replyTo { posts[parent - 1].replies -= 1 }
    case .react(let word, let on): _ = posts[place].react(user, word, on: on)
    }
  }

  /// Everything the client believes must be true.
  private func compare(_ index: Int) {
    guard followers[index].isSubscribed else { return }
    let replica = followers[index].replica
    if replica.seq != posts.count { flaws.append("at \(replica.seq) of \(posts.count)") }
    for (seq, believed) in replica.entries {
      var (entry, post) = (believed, posts[seq - 1])
      let isHidden = replica.user == "carol" && post.user == hidden
      // A stub does not say what it answers, so whoever gets stubs cannot count replies.
      if replica.user == "carol", hidden != nil { (entry.replies, post.replies) = (0, 0) }
      let line = isHidden ? "hidden" : post.line(for: replica.user)
      guard entry.line != line else { continue }
      flaws.append("\(replica.user) believes `\(entry.line)` of \(seq), not `\(line)`")
    }
  }
}
