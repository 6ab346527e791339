import Foundation
import HubClient
import Testing
import hubctl

@Suite("hubctl: notifications as people see and write them")
struct InboxCommandTests {
  static let like = #"{"id":"17","type":"like","actor":"bob","text":"a\u001b","ts":5,"count":2"#
  static let tail = #""counts":{"unseen":1,"unread":3,"by_type":{"like":3}},"at":9}"#

  @Test(
    "an event is one line",
    arguments: [
      (
        #"{"ev":"inbox.added","item":\#(like),"state":"unseen"},\#(tail)"#,
        #"T5 17 like from bob: a\u{1b} [1 unseen, 3 unread]"#
      ),
      (
        #"{"ev":"inbox.updated","item":\#(like),"state":"read"},\#(tail)"#,
        #"T 17 like from bob: a\u{1b} (read, 2 in one) [1 unseen, 3 unread]"#
      ),
      (
        #"{"ev":"inbox.updated","item":{"id":"1","type":"t","title":"A","text":"b"},\#(tail)"#,
        "T 1 t: A: b (?) [1 unseen, 3 unread]"
      ),
      (
        #"{"ev":"inbox.updated","ids":["17","18"],"state":"seen",\#(tail)"#,
        "T 17, 18 (seen) [1 unseen, 3 unread]"
      ),
      (#"{"ev":"inbox.removed","ids":["17"],\#(tail)"#, "T 17 (gone) [1 unseen, 3 unread]"),
      (#"{"ev":"inbox.cleared",\#(tail)"#, "T all (gone) [1 unseen, 3 unread]"),
    ])
  func lines(json: String, shown: String) throws {
    let line = EventLine(showsChannel: false) { $0.map { "T\($0)" } ?? "T" }
    #expect(line.text(try event(json)) == shown)
  }

  @Test("a table shows what can be named and how it stands")
  func table() throws {
    let added = try event(
      #"{"ev":"inbox.added","item":\#(Self.like),"state":"seen"},\#(Self.tail)"#)
    guard case .inboxAdded(let item, _) = added.body else {
      Issue.record("not added: \(added.body)")
      return
    }
    let lines = InboxTable { $0.map { "T\($0)" } ?? "T" }.lines([item])
    #expect(
      lines == [
        "ID  TIME  STATE  TYPE  FROM  COUNT  TEXT", #"17  T5    seen   like  bob   2      a\u{1b}"#,
      ])
  }

  @Test(
    "a field of a segment is a number or a truth value where it reads as one",
    arguments: [
      ("plan=gold", "plan", HubNotification.SegmentValue.string("gold")),
      ("level=3", "level", .integer(3)), ("rate=-0.5", "rate", .decimal(-0.5)),
      ("beta=true", "beta", .bool(true)), ("beta=false", "beta", .bool(false)),
      (#"zip="0123""#, "zip", .string("0123")), ("zip=0123", "zip", .string("0123")),
      ("a=b=c", "a", .string("b=c")), ("a=True", "a", .string("True")),
      ("a=\"", "a", .string("\"")), ("a=nan", "a", .string("nan")), ("a= 1", "a", .string(" 1")),
    ])
  func segments(text: String, name: String, value: HubNotification.SegmentValue) throws {
    let field = try #require(SegmentField(argument: text))
    #expect(field.name == name && field.value == value)
  }

  @Test("without a field or a value there is none", arguments: ["", "=", "a", "a=", "=b"])
  func noSegments(text: String) {
    #expect(SegmentField(argument: text) == nil)
  }

  @Test(
    "an expiry is so long from now, or a date of one's own zone",
    arguments: [
      ("90s", Moment.after(90_000)), ("30m", .after(1_800_000)), ("2h", .after(7_200_000)),
      ("7d", .after(604_800_000)), ("2026-12-24", .at(1_798_070_400_000)),
      ("2026-12-24T18:30", .at(1_798_137_000_000)), ("2026-12-24T18:30:05", .at(1_798_137_005_000)),
    ])
  func moments(text: String, moment: Moment) throws {
    let zone = try #require(TimeZone(secondsFromGMT: 0))
    #expect(Moment(text, zone: zone) == moment)
  }

  @Test("a date begins at midnight of the zone")
  func zones() throws {
    let zone = try #require(TimeZone(secondsFromGMT: 3_600))
    #expect(Moment("2026-12-24", zone: zone)?.ts(now: 0) == 1_798_066_800_000)
    #expect(Moment("2h", zone: zone)?.ts(now: 5) == 7_200_005)
  }

  @Test(
    "nothing else is an expiry",
    arguments: [
      "", "h", "2", "-2h", "+2h", "2.5h", "2w", "2 h", "99999999999999999999d", "2000000d",
      "2026-13-01", "2026-02-30", "26-1-1", "2026-12-24T25:00", "2026-12-24 18:30", "tomorrow",
    ])
  func noMoments(text: String) throws {
    let zone = try #require(TimeZone(secondsFromGMT: 0))
    #expect(Moment(text, zone: zone) == nil)
  }
}
