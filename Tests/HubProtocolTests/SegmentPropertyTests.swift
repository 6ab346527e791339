import HubProtocol
import SeededRandom
import Testing

/// What a segment finds is what Foundation reads there.
@Suite("Any segment")
struct SegmentPropertyTests {
  @Test("holds where a naive reading of `custom` does", arguments: seeds)
  func naive(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var held = 0
    for _ in 0..<4_000 {
      let custom = random.custom()
      let fields = random.fields()
      let holds = Segment(fields: fields).holds(for: raw(custom))
      guard holds == isThere(fields, in: custom) else {
        Issue.record("seed \(seed): \(fields) in \(custom): \(holds)")
        return
      }
      if holds { held += 1 }
    }
    #expect((200..<2_000).contains(held), "seed \(seed): a test of nothing, \(held) held")
  }

  private func isThere(_ fields: [Segment.Field], in custom: String) -> Bool {
    guard case .object(let members) = JSONTree(foundation: [UInt8](custom.utf8)) else {
      return false
    }
    return fields.allSatisfy { field in
      guard let member = members[field.name] else { return false }
      guard case .list(let elements) = member else { return member == tree(field.value) }
      return elements.contains(tree(field.value))
    }
  }

  private func tree(_ value: Segment.Value) -> JSONTree {
    switch value {
    case .string(let text): .text(text)
    case .number(let digits): JSONTree(foundation: [UInt8](digits.utf8)) ?? .null
    case .bool(let value): .bool(value)
    }
  }
}

/// Few names and values, so that they meet often.
extension SplitMix64 {
  private static let numbers = ["0", "-0", "1", "1.0", "1e0", "10E-1", "-1", "1.5", "15e-1", "2"]

  fileprivate mutating func custom() -> String {
    guard !oneIn(20) else { return pick(["[]", "1", #""a""#, "{}", #"[{"a":1}]"#, "null"]) }
    let members = list(upTo: 8) { random in
      let name = random.pick(["a", "a", "\\u0061", "b", "", "żó"])
      return "\"\(name)\"\(random.pick([":", " : "]))\(random.member())"
    }
    return "{\(members.joined(separator: pick([",", " ,\n"])))}"
  }

  private mutating func member() -> String {
    guard oneIn(2) else { return scalarJSON() }
    return "[\(list(upTo: 4) { $0.scalarJSON() }.joined(separator: pick([",", " , "])))]"
  }

  private mutating func scalarJSON() -> String {
    switch below(8) {
    case 0: pick(["true", "false"])
    case 1: pick(["null", "{}", "[1]", #"{"a":1}"#])
    case 2: pick([#""\u0061""#, #""a""#, #""1""#, #""""#, #""żó""#, #""true""#])
    default: pick(Self.numbers)
    }
  }

  fileprivate mutating func fields() -> [Segment.Field] {
    let names = ["a", "b", "", "żó"]
    let first = oneIn(2) ? 0 : below(names.count)
    return (0...(oneIn(3) ? 1 : 0)).map { index in
      Segment.Field(name: names[(first + index) % names.count], value: value())
    }
  }

  private mutating func value() -> Segment.Value {
    switch below(6) {
    case 0: .bool(oneIn(2))
    case 1: .string(pick(["a", "1", "", "żó", "true"]))
    default: .number(pick(Self.numbers))
    }
  }
}
