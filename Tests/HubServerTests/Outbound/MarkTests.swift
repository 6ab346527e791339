import HubCore
import HubProtocol
import HubServer
import Testing

@Suite("architecture, Outbound lanes: which lane an event belongs to")
struct MarkTests {
  private static let ref = ChannelRef(index: 7)
  private let name: ChannelName
  private let ana: UserID

  init() throws {
    name = try #require(ChannelName("room:1"))
    ana = try #require(UserID("ana"))
  }

  private func message(rev: Int = 0) -> Message {
    Message(
      channel: name, seq: 4, user: ana, ts: Timestamp(milliseconds: 1), content: MessageContent(),
      rev: rev)
  }

  private var summary: ChannelSummary {
    ChannelSummary(
      channel: name, kind: .group, profile: ChannelProfile(), memberCount: 1, presentCount: 1,
      epoch: "e", seq: 4, rev: 2, updatedTs: Timestamp(milliseconds: 1), lastMessage: nil,
      standing: nil)
  }

  @Test("messages and what changes them are numbered in their channel")
  func numbered() {
    let reaction = ReactionChange(
      channel: name, seq: 4, user: ana, reaction: "+", isOn: true, count: 1, rev: 9)
    let numbered: [(Event, Mark)] = [
      (.message(message(), toSender: false), .message(Self.ref, name, seq: 4)),
      (.message(message(), toSender: true), .message(Self.ref, name, seq: 4)),
      (.hiddenMessage(name, seq: 4), .message(Self.ref, name, seq: 4)),
      (.messageChanged(MessageChange(message(rev: 8))), .change(Self.ref, name, rev: 8)),
      (.reaction(reaction), .change(Self.ref, name, rev: 9)),
    ]
    for (event, mark) in numbered { #expect(Mark(of: event, publishedIn: Self.ref) == mark) }
  }

  @Test("of values only the newest counts, however they are sent")
  func latest() {
    let activity = Activity(
      channel: name, seq: 1, user: ana, ts: Timestamp(milliseconds: 1), preview: "")
    let counts = UnreadCounts(channel: name, unread: 1, mentions: 0, total: 1, at: 1)
    let values: [(Event, LatestKey)] = [
      (.typing(name, users: [ana]), .typing(name)), (.typingCount(name, 101), .typing(name)),
      (.present(name, count: 3), .present(name)),
      (.receipt(name, user: ana, read: 1, delivered: 2), .receipt(name, ana)),
      (
        .presence(UserPresence(user: ana, status: .online, lastSeenTs: nil)), .presence(ana)
      ),
      (.activity(activity), .activity(name)), (.unread(counts), .unread(name)),
      (.noticeRetract(name, seq: 7), .notice(name, seq: 7)),
    ]
    for (event, key) in values {
      #expect(Mark(of: event) == .latest(key))
      #expect(Mark(of: event, publishedIn: Self.ref) == .latest(key))
    }
  }

  @Test("what concerns only the user is the user stream's")
  func userStream() {
    let events: [Event] = [
      .channelCreated(summary), .channelUpdated(summary), .channelDeleted(name),
      .user(User(id: ana)), .ownSettings(UserSettings(), blocked: []),
      .ownMute(name, isMuted: true),
      .inbox(.removed(ids: [1], nil), InboxStand(counts: InboxCounts(), at: 1)),
    ]
    for event in events { #expect(Mark(of: event) == .userStream) }
  }

  @Test("who comes and goes is the channel's for subscribers, the user stream's for others")
  func members() {
    let event = Event.member(name, user: ana, .joined, .member)
    #expect(Mark(of: event, publishedIn: Self.ref) == .channelEvent(Self.ref, name))
    #expect(Mark(of: event) == .userStream)
  }

  @Test("a signal is not kept, and `read_by` tells only what changed: dropped without a word")
  func ephemeral() {
    let signal = Event.signal(Signal(channel: name, name: "wave"), from: ana)
    #expect(Mark(of: signal, publishedIn: Self.ref) == .ephemeral)
    #expect(Mark(of: .readBy(name, [])) == .ephemeral)
  }

  @Test("the end of a subscription and an error are always told")
  func alwaysTold() {
    #expect(Mark(of: .unsubscribed(name, .left)) == .ended(name))
    #expect(Mark(of: .error(op: nil, Refusal(.internal, "x"))) == .reply)
  }
}
