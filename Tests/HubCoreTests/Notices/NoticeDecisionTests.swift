import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Notices: who is told of a message, and how")
struct NoticeDecisionTests {
  private func outcome(
    _ focus: [FocusRelation], _ change: (inout NoticeCase) -> Void = { _ in }
  ) -> NoticeOutcome {
    var noticeCase = NoticeCase(focus: focus)
    change(&noticeCase)
    return NoticeDecision.outcome(of: noticeCase)
  }

  @Test("none for one's own message")
  func own() {
    #expect(outcome([.elsewhere]) { $0.isOwn = true } == .none(.ownMessage))
  }

  @Test("none for a message that is deleted already")
  func deleted() {
    #expect(outcome([.elsewhere]) { $0.isDeleted = true } == .none(.deleted))
  }

  @Test("none in a muted channel, nor of a muted sender, mentioned or not")
  func muted() {
    for isMentioned in [false, true] {
      let channel = outcome([.elsewhere]) {
        ($0.isChannelMuted, $0.isMentioned) = (true, isMentioned)
      }
      #expect(channel == .none(.channelMuted))
      let sender = outcome([.elsewhere]) {
        ($0.isSenderMuted, $0.isMentioned) = (true, isMentioned)
      }
      #expect(sender == .none(.senderMuted))
    }
  }

  @Test("who has muted `message` hears of mentions only")
  func mutedMessages() {
    #expect(outcome([.elsewhere]) { $0.areMessagesMuted = true } == .none(.typeMuted))
    let mention = outcome([.elsewhere]) { ($0.areMessagesMuted, $0.isMentioned) = (true, true) }
    #expect(mention == .surfaces([.toast]))
  }

  @Test("for who has muted `mention` a mention is like any other message")
  func mutedMentions() {
    let mention = outcome([.elsewhere]) { ($0.areMentionsMuted, $0.isMentioned) = (true, true) }
    #expect(mention == .surfaces([.toast]))
    let large = outcome([.elsewhere]) {
      ($0.areMentionsMuted, $0.isMentioned, $0.isLarge) = (true, true, true)
    }
    #expect(large == .none(.large))
    #expect(outcome([.elsewhere]) { $0.areMentionsMuted = true } == .surfaces([.toast]))
  }

  @Test("who has muted both hears of neither")
  func mutedBoth() {
    for isMentioned in [false, true] {
      let outcome = outcome([.elsewhere]) {
        ($0.areMentionsMuted, $0.areMessagesMuted, $0.isMentioned) = (true, true, isMentioned)
      }
      #expect(outcome == .none(.typeMuted))
    }
  }

  @Test("none where a block stands between the two")
  func blocked() {
    #expect(outcome([.elsewhere]) { $0.isBlocked = true } == .none(.blocked))
  }

  @Test("none for a message that is read already")
  func read() {
    #expect(outcome([.elsewhere]) { $0.isRead = true } == .none(.read))
    #expect(outcome([]) { $0.isRead = true } == .none(.read))
  }

  @Test("in a large channel only for mentions")
  func large() {
    #expect(outcome([.elsewhere]) { $0.isLarge = true } == .none(.large))
    #expect(outcome([]) { $0.isLarge = true } == .none(.large))
    let mention = outcome([.elsewhere]) { ($0.isLarge, $0.isMentioned) = (true, true) }
    #expect(mention == .surfaces([.toast]))
  }

  @Test(
    "large are `public` and `broadcast`, and whatever has more than 100 members",
    arguments: [
      (ChannelKind.direct, 2, false), (.group, 100, false), (.group, 101, true),
      (.public, 1, true), (.broadcast, 1, true),
    ])
  func largeness(kind: ChannelKind, memberCount: Int, isLarge: Bool) {
    #expect(NoticeCase.isLarge(kind, memberCount: memberCount) == isLarge)
  }

  @Test("none when any of the user's connections has the focus on the channel")
  func focus() {
    #expect(outcome([.here]) == .none(.hasFocus))
    #expect(outcome([.elsewhere, .list, .unset, .away, .here]) == .none(.hasFocus))
    #expect(outcome([.here, .elsewhere]) { $0.isMentioned = true } == .none(.hasFocus))
  }

  @Test("else each by its own focus, in their order")
  func each() {
    let focus: [FocusRelation] = [.away, .elsewhere, .list, .unset, .elsewhere]
    #expect(outcome(focus) == .surfaces([nil, .toast, .badge, .badge, .toast]))
    let quiet = outcome(focus) { $0.isQuiet = true }
    #expect(quiet == .surfaces([nil, .badge, .badge, .badge, .badge]))
  }

  @Test("when nobody looks, the message is for a push service; none during do-not-disturb")
  func push() {
    for focus in [[], [FocusRelation.away], [.away, .away, .away]] {
      #expect(outcome(focus) == .push)
      #expect(outcome(focus) { $0.isQuiet = true } == .none(.quiet))
    }
  }

  @Test(
    "how `focus` relates to a channel",
    arguments: [
      (Focus.channel(channel("room:a")), FocusRelation.here),
      (.channel(channel("room:b")), .elsewhere), (.list, .list), (.away, .away), (nil, .unset),
    ] as [(Focus?, FocusRelation)])
  func relation(focus: Focus?, relation: FocusRelation) {
    #expect(FocusRelation(of: focus, to: channel("room:a")) == relation)
  }

  @Test("the title names the sender, and outside direct channels the channel before")
  func title() {
    let titles = ChannelKind.allCases.map {
      NoticeDecision.title(channelKind: $0, channelName: "Swift", senderName: "Ann")
    }
    #expect(titles == ["Ann", "Swift - Ann", "Swift - Ann", "Swift - Ann"])
  }
}
