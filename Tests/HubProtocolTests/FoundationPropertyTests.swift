import HubProtocol
import SeededRandom
import Testing

/// The same text means the same to the hub and to Foundation.
@Suite("What is read is what Foundation reads")
struct FoundationPropertyTests {
  private static let vectors = (Vectors.requests.map(\.in) + Vectors.outbound.map(\.out)).map {
    [UInt8]($0.utf8)
  }

  @Test("every vector")
  func vectors() {
    for bytes in Self.vectors { expectAgreement(bytes, 0) }
  }

  @Test("a vector that was changed", arguments: seeds)
  func changedVectors(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let short = Self.vectors.filter { $0.count < 2_000 }
    for _ in 0..<8_000 { expectAgreement(random.mutated(random.pick(short)), seed) }
  }

  @Test("any document", arguments: seeds)
  func documents(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<4_000 {
      let members = random.list(upTo: 4) { $0.jsonMember(levels: 4) }
      let bytes = [UInt8]("{\(members.joined(separator: ","))}".utf8)
      expectAgreement(random.oneIn(2) ? bytes : random.mutated(bytes), seed)
    }
  }

  @Test("any request", arguments: seeds)
  func requests(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<4_000 {
      let bytes = RequestEncoder.encode(random.request())
      expectAgreement(random.oneIn(2) ? bytes : random.mutated(bytes), seed)
    }
  }

  @Test("the arguments that a request was made of", arguments: seeds)
  func arguments(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<6_000 {
      let bytes = RequestEncoder.encode(random.request())
      expectArguments(random.oneIn(4) ? bytes : random.mutated(bytes), seed)
    }
    for bytes in Self.vectors { expectArguments(bytes, seed) }
  }

  private func expectAgreement(_ bytes: [UInt8], _ seed: UInt64) {
    guard let disagreement = disagreement(bytes) else { return }
    Issue.record("seed \(seed): \(disagreement): \(text(bytes)) \(bytes)")
  }

  /// What the two make differently of `bytes`, nil when nothing.
  private func disagreement(_ bytes: [UInt8]) -> String? {
    let object = JSONObject(bytes)
    let isAccepted = decode(bytes) != .notAnObject
    guard (object != nil) == isAccepted else { return "the hub disagrees with itself" }
    guard FoundationJudge.isObject(bytes) == isAccepted else {
      let isKnown = FoundationJudge.differs(on: bytes, hubAccepts: isAccepted)
      return isKnown ? nil : "accepted by the hub: \(isAccepted)"
    }
    guard let object else { return nil }
    guard let ours = JSONTree(hub: object) else {
      return text(bytes).contains("\\u0000") ? nil : "a string is no text to the hub"
    }
    let theirs = JSONTree(foundation: bytes)
    // A member whose name holds NUL is no member to the hub.
    if text(bytes).contains("\\u0000") { return nil }
    return ours == theirs ? nil : "\(ours), \(String(describing: theirs))"
  }

  /// Whatever the client library writes of a request stands in what the hub made it of, with the
  /// value that Foundation reads there.
  private func expectArguments(_ bytes: [UInt8], _ seed: UInt64) {
    guard case .request(let request) = decode(bytes),
      let given = JSONTree(foundation: bytes),
      let taken = JSONTree(foundation: RequestEncoder.encode(request)), !given.holds(taken)
    else { return }
    Issue.record("seed \(seed): \(request) of \(text(bytes))")
  }
}

extension JSONTree {
  /// Whether what was taken of an argument is what was given: objects may have lost members, lists
  /// of names repetitions and their order, and an empty value may stand for another one.
  fileprivate func holds(_ taken: JSONTree) -> Bool {
    if self == taken || (isEmpty && taken.isEmpty) { return true }
    switch (self, taken) {
    case (.object(let given), .object(let taken)):
      return taken.allSatisfy { name, value in given[name]?.holds(value) ?? false }
    case (.list(let given), .list(let taken)):
      return Set(given) == Set(taken)
        || (given.count == taken.count && zip(given, taken).allSatisfy { $0.holds($1) })
    case (.object, _), (.list, _), (.null, _), (.bool, _), (.number, _), (.string, _):
      return false
    }
  }
}
