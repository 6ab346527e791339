import HubProtocol
import Testing

/// One `custom`, and what a segment of one member finds in it.
struct SegmentCase: Sendable, CustomTestStringConvertible {
  var custom: String
  /// The value of `"a"` in the segment, as JSON.
  var value: String
  var holds: Bool

  init(_ custom: String, _ value: String, _ holds: Bool) {
    self.custom = custom
    self.value = value
    self.holds = holds
  }

  var testDescription: String { "\(value) in \(custom)" }
}

@Suite("Segments")
struct SegmentTests {
  @Test("a member has the value, or is a list that holds it", arguments: cases + flaws)
  func values(_ each: SegmentCase) throws {
    #expect(try segment(#"{"a":\#(each.value)}"#).holds(for: raw(each.custom)) == each.holds)
  }

  @Test("two numbers are the same when their values are", arguments: pairs)
  func numbers(_ left: String, _ right: String, _ isSame: Bool) throws {
    #expect(try segment(#"{"a":\#(left)}"#).holds(for: raw(#"{"a":\#(right)}"#)) == isSame)
    #expect(try segment(#"{"a":\#(right)}"#).holds(for: raw(#"{"a":[\#(left)]}"#)) == isSame)
  }

  @Test("`custom` must be an object", arguments: [#""gold""#, "1", "true", "null", "[]", "{}"])
  func otherCustom(_ custom: String) throws {
    #expect(try !segment(#"{"a":"gold"}"#).holds(for: raw(custom)))
    #expect(try !segment(#"{"":1}"#).holds(for: raw(custom)))
  }

  @Test("a list of such an object is none")
  func listOfObjects() throws {
    #expect(try !segment(#"{"a":1}"#).holds(for: raw(#"[{"a":1}]"#)))
  }

  @Test("who has no `custom` is in no segment")
  func noCustom() throws {
    #expect(try !segment(#"{"a":1}"#).holds(for: nil))
  }

  @Test("every member must hold")
  func several() throws {
    let both = try segment(#"{"plan":"gold","tags":"beta"}"#)
    #expect(both.holds(for: raw(#"{"tags":["alpha","beta"],"plan":"gold","more":1}"#)))
    #expect(!both.holds(for: raw(#"{"plan":"gold","tags":["alpha"]}"#)))
    #expect(!both.holds(for: raw(#"{"plan":"gold"}"#)))
    #expect(!both.holds(for: raw(#"{"tags":"beta"}"#)))
    #expect(!both.holds(for: raw(#"{"plan":"beta","tags":"gold"}"#)))
  }

  @Test("of two members of equal name in `custom` the last counts")
  func repeatedMembers() throws {
    let gold = try segment(#"{"a":"gold"}"#)
    #expect(gold.holds(for: raw(#"{"a":"tin","a":"gold"}"#)))
    #expect(!gold.holds(for: raw(#"{"a":"gold","a":"tin"}"#)))
    #expect(!gold.holds(for: raw(#"{"a":"gold","\u0061":"tin"}"#)))
    #expect(!gold.holds(for: raw(#"{"a":"gold","a":null}"#)))
  }

  @Test("names are compared byte for byte, however they are escaped")
  func names() throws {
    #expect(try segment(#"{"\u0061":1}"#).holds(for: raw(#"{"a":1}"#)))
    #expect(try segment(#"{"a":1}"#).holds(for: raw(#"{"\u0061":1}"#)))
    #expect(try segment(#"{"":1}"#).holds(for: raw(#"{"":1}"#)))
    #expect(try !segment(#"{"a":1}"#).holds(for: raw(#"{"A":1}"#)))
    #expect(try !segment("{\"\u{E9}\":1}").holds(for: raw("{\"e\u{301}\":1}")))
    #expect(try segment("{\"\u{E9}\":1,\"e\u{301}\":2}").fields.count == 2)
  }

  @Test("a segment with very many members is refused without comparing them all")
  func manyMembers() {
    let members = (0..<25_000).map { "\"\($0)\":1" }.joined(separator: ",")
    let inbound = decode(#"{"op":"notify.retract","to":{"segment":{\#(members)}},"key":"k"}"#)
    guard case .refused(_, _, let refusal) = inbound else {
      Issue.record("accepted")
      return
    }
    #expect(refusal.code == .badRequest)
  }

  /// The segment as the hub reads it in a request.
  private func segment(_ json: String) throws -> Segment {
    let inbound = decode(#"{"op":"notify.retract","to":{"segment":\#(json)},"key":"k"}"#)
    guard case .request(let request) = inbound,
      case .notifyRetract(let retract) = request.operation,
      case .segment(let segment) = retract.audience
    else { throw NoSegment(json: json) }
    return segment
  }

  /// A segment that the hub does not take.
  private struct NoSegment: Error {
    var json: String
  }

  private static let cases = [
    SegmentCase(#"{"a":"gold"}"#, #""gold""#, true),
    SegmentCase(#"{"a":"gold"}"#, #""\u0067old""#, true),
    SegmentCase(#"{"a":"\u0067old"}"#, #""gold""#, true),
    SegmentCase(#"{"a":"gold"}"#, #""Gold""#, false),
    SegmentCase(#"{"a":"gold"}"#, #""gol""#, false),
    SegmentCase(#"{"a":"gold "}"#, #""gold""#, false),
    SegmentCase(#"{"a":""}"#, #""""#, true),
    SegmentCase(#"{"a":[]}"#, #""""#, false),
    SegmentCase("{\"a\":\"\u{E9}\"}", "\"\u{E9}\"", true),
    SegmentCase("{\"a\":\"e\u{301}\"}", "\"\u{E9}\"", false),
    SegmentCase("{\"a\":\"\u{E9}\"}", #""\u00e9""#, true),
    SegmentCase(#"{"a":true}"#, "true", true),
    SegmentCase(#"{"a":false}"#, "true", false),
    SegmentCase(#"{"a":"true"}"#, "true", false),
    SegmentCase(#"{"a":1}"#, "true", false),
    SegmentCase(#"{"a":false}"#, "0", false),
    SegmentCase(#"{"a":"1"}"#, "1", false),
    SegmentCase(#"{"a":1}"#, #""1""#, false),
    SegmentCase(#"{"b":"gold"}"#, #""gold""#, false),
    SegmentCase(#"{"b":{"a":"gold"}}"#, #""gold""#, false),
    SegmentCase(#"{"a":{"a":"gold"}}"#, #""gold""#, false),
    SegmentCase(#"{"a":null}"#, #""gold""#, false),
    SegmentCase(#"{"a":["tin","gold"]}"#, #""gold""#, true),
    SegmentCase(#"{ "a" : [ 1 , true , "gold" ] }"#, #""gold""#, true),
    SegmentCase(#"{"a":[1,true,"gold"]}"#, "true", true),
    SegmentCase(#"{"a":[1,true,"gold"]}"#, "1.0", true),
    SegmentCase(#"{"a":[["gold"]]}"#, #""gold""#, false),
    SegmentCase(#"{"a":[{"a":"gold"}]}"#, #""gold""#, false),
    SegmentCase(#"{"a":[null,[],{},"gold"]}"#, #""gold""#, true),
  ]

  /// Strings that are no text are in no segment, and do not keep the others out.
  private static let flaws = [
    SegmentCase(#"{"a":"go\u0000ld"}"#, #""gold""#, false),
    SegmentCase(#"{"a":["\ud800","gold"]}"#, #""gold""#, true),
    SegmentCase(#"{"\ud800":"gold","a":"gold"}"#, #""gold""#, true),
  ]

  private static let pairs: [(String, String, Bool)] = [
    ("1", "1", true), ("1", "1.0", true), ("1", "1e0", true), ("1.0", "10E-1", true),
    ("100", "1E+2", true), ("1.5", "15e-1", true), ("0.1", "1e-1", true), ("0", "-0", true),
    ("0", "-0.0", true), ("0", "0e5", true), ("-1", "-1.00", true), ("1", "-1", false),
    ("1", "2", false), ("1", "1.0000001", false), ("1", "10", false), ("0", "1e-300", false),
    ("9007199254740992", "9007199254740993", false),
    ("9007199254740993", "9007199254740993", true),
    ("-9007199254740993", "-9007199254740992", false),
    ("9223372036854775807", "9223372036854775806", false),
    ("9223372036854775807", "9223372036854775808", false),
    ("9223372036854775808", "9223372036854775809", false),
    ("9223372036854775809", "9223372036854775809", true),
    ("-9223372036854775809", "9223372036854775809", false),
    ("100000000000000000000000000", "1e26", true), ("1e400", "1e400", true),
    ("1e400", "1", false), ("1e400", "-1e400", false), ("1e-400", "1", false),
  ]
}
