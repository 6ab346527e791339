import HubClient
import Testing

@Suite("JSON values")
struct HubJSONTests {
  @Test(
    "one value is kept as written, white space around it dropped",
    arguments: [
      "null", "true", "-0", "1e+400", #""a\u0041""#, "[]", "{ }", #"{"a" : [1,  2]}"#,
    ])
  func valid(text: String) {
    #expect(HubJSON(" \n\t" + text + "\r ")?.text == text)
  }

  @Test(
    "anything else is none",
    arguments: [
      "", " ", "{", "nul", "1 2", #"1,"v":2"#, #"1},{"v":2"#, "'a'", "[1,]", #"{"a":1,}"#, "01",
      String(repeating: "[", count: 10_000),
    ])
  func invalid(text: String) {
    #expect(HubJSON(text) == nil)
  }

  @Test("a string is escaped so that it reads as itself")
  func string() {
    #expect(HubJSON(string: "a\"b\\c\n\u{1}é👋").text == #""a\"b\\c\n\u0001é👋""#)
  }

  @Test("members are put in front of an object's own")
  func prefix() {
    let member = [UInt8](#""ev":"message""#.utf8)
    #expect(HubJSON(#"{"a":1}"#)?.prefixed(by: member).text == #"{"ev":"message","a":1}"#)
    #expect(HubJSON("{ }")?.prefixed(by: member).text == #"{"ev":"message"}"#)
    #expect(HubJSON("[1]")?.prefixed(by: member).text == "[1]")
  }
}
