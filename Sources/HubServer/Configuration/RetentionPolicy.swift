package import HubProtocol

/// How long messages are kept, by kind of channel and overall. Without rules they are kept for
/// ever.
package struct RetentionPolicy: Equatable, Sendable {
  /// What is kept of one channel. Both hold where both are given.
  package struct Rule: Equatable, Sendable {
    /// The newest messages, so many; at least 1.
    package var newest: Int?
    /// What is younger than this; at least a second.
    package var age: Duration?

    package init(newest: Int? = nil, age: Duration? = nil) {
      self.newest = newest
      self.age = age
    }
  }

  private var overall = Rule()
  private var byKind: [ChannelKind: Rule] = [:]

  package init() {}

  /// Whether everything is kept for ever.
  package var isEmpty: Bool { self == RetentionPolicy() }

  /// Rules as people write them: `90d`, `10000`, `public=30d,public=5000,365d`; nil for anything
  /// else. What a kind has no rule for, the rules without a kind tell.
  package init?(_ text: String) {
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard let limit = parts.last, (1...2).contains(parts.count) else { return nil }
      var kind: ChannelKind?
      if parts.count == 2 {
        kind = ChannelKind(rawValue: parts[0])
        guard kind != nil else { return nil }
      }
      guard set(limit, for: kind) else { return nil }
    }
  }

  private mutating func set(_ limit: String, for kind: ChannelKind?) -> Bool {
    var rule = kind.map { byKind[$0] ?? Rule() } ?? overall
    if let age = Duration(written: limit), age >= .seconds(1), rule.age == nil {
      rule.age = age
    } else if let newest = Int(limit), newest >= 1, rule.newest == nil {
      rule.newest = newest
    } else {
      return false
    }
    if let kind { byKind[kind] = rule } else { overall = rule }
    return true
  }

  /// What holds for channels of a kind.
  package func rule(for kind: ChannelKind) -> Rule {
    let own = byKind[kind]
    return Rule(newest: own?.newest ?? overall.newest, age: own?.age ?? overall.age)
  }
}
