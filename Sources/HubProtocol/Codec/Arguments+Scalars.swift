/// Arguments that are one string, number or truth value.
extension Arguments {
  /// A string of at most `limit` bytes, without NUL and lone surrogates; nil when absent.
  func string(_ name: ArgumentName, atMost limit: Int) throws(Refusal) -> String? {
    guard let slice = self[name] else { return nil }
    return try string(slice, of: name, atMost: limit)
  }

  /// The same, but an empty one is as good as absent.
  func nonEmptyString(_ name: ArgumentName, atMost limit: Int) throws(Refusal) -> String? {
    guard let string = try string(name, atMost: limit), !string.isEmpty else { return nil }
    return string
  }

  /// A string of 1…`limit` bytes; nil when absent.
  func word(_ name: ArgumentName, atMost limit: Int) throws(Refusal) -> String? {
    guard let slice = self[name] else { return nil }
    return try word(slice, of: name, atMost: limit)
  }

  /// A string of 1…`limit` bytes that must be there.
  func requiredWord(_ name: ArgumentName, atMost limit: Int) throws(Refusal) -> String {
    guard let word = try word(name, atMost: limit) else { throw .missing(name) }
    return word
  }

  /// The string in `slice`, 1…`limit` bytes.
  func word(
    _ slice: JSONSlice, of name: ArgumentName, atMost limit: Int
  ) throws(Refusal) -> String {
    let word = try string(slice, of: name, atMost: limit)
    guard !word.isEmpty else {
      throw .badArgument(name, "a string of 1 to \(limit) bytes")
    }
    return word
  }

  /// The string in `slice`, at most `limit` bytes.
  func string(
    _ slice: JSONSlice, of name: ArgumentName, atMost limit: Int
  ) throws(Refusal) -> String {
    let string = try string(slice, of: name)
    guard string.utf8.count <= limit else { throw .tooLarge(name, bytes: limit) }
    return string
  }

  private func string(_ slice: JSONSlice, of name: ArgumentName) throws(Refusal) -> String {
    guard slice.kind == .string else { throw .badArgument(name, "a string") }
    do throws(JSONString.Flaw) {
      return try JSONString.decode(slice, in: source)
    } catch {
      switch error {
      case .loneSurrogate: throw .badArgument(name, "without lone surrogates")
      case .nul: throw .badArgument(name, "without NUL")
      }
    }
  }

  /// A text for people: 1…`Limits.textCharacters` characters and at most `Limits.textBytes`; nil
  /// when absent.
  func text() throws(Refusal) -> String? {
    guard let text = try string(.text, atMost: Limits.textBytes) else { return nil }
    guard !text.isEmpty else {
      throw .badArgument(.text, "a string of 1 to \(Limits.textCharacters) characters")
    }
    try checkCharacters(of: text)
    return text
  }

  /// The same, but an empty one is as good as absent.
  func nonEmptyText() throws(Refusal) -> String? {
    guard let text = try nonEmptyString(.text, atMost: Limits.textBytes) else { return nil }
    try checkCharacters(of: text)
    return text
  }

  private func checkCharacters(of text: String) throws(Refusal) {
    let limit = Limits.textCharacters
    // A character has at least one byte, so only longer texts need counting.
    guard text.utf8.count <= limit || text.count <= limit else {
      throw Refusal(.tooLarge, "`text` must not exceed \(limit) characters")
    }
  }

  /// An integer in `range`; nil when absent.
  func integer(
    _ name: ArgumentName, in range: ClosedRange<Int>
  ) throws(Refusal) -> Int? {
    guard let slice = self[name] else { return nil }
    guard let integer = JSONNumber.integer(slice, in: source), range.contains(integer) else {
      let upper = range.upperBound == Limits.largestInteger ? "2^53-1" : "\(range.upperBound)"
      throw .badArgument(name, "an integer from \(range.lowerBound) to \(upper)")
    }
    return integer
  }

  /// A number that must be there, at least `lowest`.
  func requiredInteger(_ name: ArgumentName, from lowest: Int) throws(Refusal) -> Int {
    guard let integer = try integer(name, in: lowest...Limits.largestInteger) else {
      throw .missing(name)
    }
    return integer
  }

  /// A moment from the epoch on; nil when absent.
  func timestamp(_ name: ArgumentName) throws(Refusal) -> Timestamp? {
    try integer(name, in: 0...Limits.largestInteger).map { Timestamp(milliseconds: $0) }
  }

  /// A moment that must be there.
  func requiredTimestamp(_ name: ArgumentName) throws(Refusal) -> Timestamp {
    Timestamp(milliseconds: try requiredInteger(name, from: 0))
  }

  /// `true` or `false`; nil when absent.
  func bool(_ name: ArgumentName) throws(Refusal) -> Bool? {
    guard let slice = self[name] else { return nil }
    guard slice.kind == .bool else { throw .badArgument(name, "true or false") }
    return source.byte(at: slice.range.lowerBound) == UInt8(ascii: "t")
  }

  /// One of the words that `Word` lists; nil when absent.
  func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ name: ArgumentName, _ type: Word.Type = Word.self
  ) throws(Refusal) -> Word? {
    guard let slice = self[name] else { return nil }
    return try choice(slice, of: name)
  }

  /// One of the words that `Word` lists, which must be there.
  func requiredChoice<Word: RawRepresentable<String> & CaseIterable>(
    _ name: ArgumentName, _ type: Word.Type = Word.self
  ) throws(Refusal) -> Word {
    guard let word = try choice(name, type) else { throw .missing(name) }
    return word
  }

  /// The word in `slice`.
  func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ slice: JSONSlice, of name: ArgumentName
  ) throws(Refusal) -> Word {
    guard let word = Word(rawValue: try string(slice, of: name)) else {
      let words = Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw .badArgument(name, "one of \(words)")
    }
    return word
  }
}
