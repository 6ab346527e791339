/// A user object (protocol, "Users").
package struct User: Equatable, Sendable {
  /// Who it is.
  package let id: UserID
  /// Display name; the id stands in when there is none.
  package let name: String?
  /// Whether it is a bot.
  package let isBot: Bool

  package init(id: UserID, name: String? = nil, isBot: Bool = false) {
    self.id = id
    self.name = name
    self.isBot = isBot
  }
}

/// What a token lets its holder be.
package enum Privilege: String, Sendable, CaseIterable {
  case person
  case bot
  case admin
}
