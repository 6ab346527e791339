import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Notices: every combination")
struct NoticeTableTests {
  /// What two connections show, the row's first: H looks there, T toast, B badge, - nothing, PP
  /// handed to push.
  private static let table = """
              here elsewhere list unset away
    here      HH   HH        HH   HH    HH
    elsewhere HH   TT        TB   TB    T-
    list      HH   BT        BB   BB    B-
    unset     HH   BT        BB   BB    B-
    away      HH   -T        -B   -B    PP
    """

  /// The same during do-not-disturb; QQ: nothing, because of it.
  private static let quietTable = """
              here elsewhere list unset away
    here      HH   HH        HH   HH    HH
    elsewhere HH   BB        BB   BB    B-
    list      HH   BB        BB   BB    B-
    unset     HH   BB        BB   BB    B-
    away      HH   -B        -B   -B    QQ
    """

  private static let names: [FocusRelation: String] = [
    .here: "here", .elsewhere: "elsewhere", .list: "list", .unset: "unset", .away: "away",
  ]

  /// By the names of row and column, with a space between.
  private static func cells(_ table: String) -> [String: String] {
    let lines = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    var cells: [String: String] = [:]
    for line in lines.dropFirst() {
      for (column, cell) in zip(lines[0], line.dropFirst()) { cells["\(line[0]) \(column)"] = cell }
    }
    return cells
  }

  private static func letters(_ outcome: NoticeOutcome) -> String {
    switch outcome {
    case .push: "PP"
    case .none(.hasFocus): "HH"
    case .none(.quiet): "QQ"
    case .none(.large): "LL"
    case .none(let silence): silence.rawValue
    case .surfaces(let surfaces):
      surfaces.map { $0?.rawValue.prefix(1).uppercased() ?? "-" }.joined()
    }
  }

  @Test(
    "two connections, whatever they look at",
    arguments: FocusRelation.allCases, FocusRelation.allCases)
  func two(one: FocusRelation, other: FocusRelation) throws {
    let place = "\(try #require(Self.names[one])) \(try #require(Self.names[other]))"
    for number in 0..<8 {
      var noticeCase = NoticeCase(focus: [one, other])
      noticeCase.isQuiet = number & 1 != 0
      noticeCase.isMentioned = number & 2 != 0
      noticeCase.isLarge = number & 4 != 0
      let table = Self.cells(noticeCase.isQuiet ? Self.quietTable : Self.table)
      let isUntold = noticeCase.isLarge && !noticeCase.isMentioned
      let expected = isUntold ? "LL" : try #require(table[place])
      let found = Self.letters(NoticeDecision.outcome(of: noticeCase))
      #expect(found == expected, "\(place), quiet, mentioned, large: \(number)")
    }
  }

  /// What silences by itself, in the order of the rules.
  private static let flags: [(NoticeSilence, any WritableKeyPath<NoticeCase, Bool> & Sendable)] = [
    (.ownMessage, \.isOwn), (.deleted, \.isDeleted), (.channelMuted, \.isChannelMuted),
    (.senderMuted, \.isSenderMuted), (.typeMuted, \.areMessagesMuted), (.blocked, \.isBlocked),
    (.read, \.isRead), (.large, \.isLarge),
  ]

  @Test("of several reasons the first in the order of the rules counts, wherever anybody looks")
  func order() {
    let looks: [[FocusRelation]] = [[], [.here], [.elsewhere], [.away, .here], [.away]]
    for bits in 1..<(1 << Self.flags.count) {
      var noticeCase = NoticeCase()
      let set = Self.flags.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
      for (_, flag) in set { noticeCase[keyPath: flag] = true }
      for isQuiet in [false, true] {
        noticeCase.isQuiet = isQuiet
        for focus in looks {
          noticeCase.focus = focus
          let outcome = NoticeDecision.outcome(of: noticeCase)
          #expect(outcome == set.first.map { .none($0.0) }, "\(noticeCase)")
        }
      }
    }
  }

  @Test("a mention goes past a muted `message` and a large channel, and past nothing else")
  func mentions() {
    for bits in 1..<(1 << Self.flags.count) {
      var noticeCase = NoticeCase(focus: [.elsewhere])
      noticeCase.isMentioned = true
      let set = Self.flags.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
      for (_, flag) in set { noticeCase[keyPath: flag] = true }
      let silence = set.first { $0.0 != .typeMuted && $0.0 != .large }?.0
      let expected = silence.map { NoticeOutcome.none($0) } ?? .surfaces([.toast])
      #expect(NoticeDecision.outcome(of: noticeCase) == expected, "\(noticeCase)")
    }
  }
}
