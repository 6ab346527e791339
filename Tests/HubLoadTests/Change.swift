import Testing

/// A change to a value, and the words that it is known by.
struct Change<Value>: Sendable, CustomTestStringConvertible {
  let words: String
  let apply: @Sendable (inout Value) -> Void

  init(_ words: String, _ apply: @escaping @Sendable (inout Value) -> Void) {
    self.words = words
    self.apply = apply
  }

  var testDescription: String { words }
}
