/// What an update says of one member: absent keeps, an empty value clears (protocol, "Envelope").
extension Arguments {
  /// At least one of the arguments of an update must be there.
  func requireChange(_ names: ArgumentName...) throws(Refusal) {
    guard names.contains(where: { self[$0] != nil }) else {
      throw Refusal(.badRequest, "there is nothing to change")
    }
  }

  /// `value` is what was read of the argument `name`, nil when that is absent or empty.
  func update<Value>(_ name: ArgumentName, _ value: Value?) -> Update<Value> {
    guard self[name] != nil else { return .keep }
    return value.map { .set($0) } ?? .clear
  }

  /// A string of at most `limit` bytes.
  func stringUpdate(_ name: ArgumentName, atMost limit: Int) throws(Refusal) -> Update<String> {
    update(name, try nonEmptyString(name, atMost: limit))
  }

  /// An `http` or `https` URL.
  func urlUpdate(_ name: ArgumentName) throws(Refusal) -> Update<String> {
    update(name, try url(name))
  }

  /// Any JSON value in `data`; an empty string, list or object clears.
  func dataUpdate() throws(Refusal) -> Update<RawJSON> {
    update(.data, isEmpty(.data) ? nil : try raw(.data))
  }

  /// Any JSON value in `custom`; an empty string, list or object clears.
  func customUpdate() throws(Refusal) -> Update<RawJSON> {
    update(.custom, isEmpty(.custom) ? nil : try custom())
  }

  /// Whether the argument is there and is `""`, `[]` or `{}`.
  private func isEmpty(_ name: ArgumentName) -> Bool {
    guard let slice = self[name] else { return false }
    switch slice.kind {
    case .string:
      return slice.range.isEmpty
    case .array, .object:
      var scanner = JSONScanner(source, from: slice.range.lowerBound + 1)
      scanner.skipSpace()
      return scanner.index == slice.range.upperBound - 1
    case .integer, .number, .bool, .null:
      return false
    }
  }
}
