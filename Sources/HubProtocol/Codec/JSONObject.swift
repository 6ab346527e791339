/// One parsed JSON object that refers to the bytes it was parsed from. For readers of the hub's
/// messages; requests have a faster way. Of a key that occurs twice the last counts, and `null` is
/// the same as absence.
package struct JSONObject: Sendable {
  private let bytes: [UInt8]
  private let members: [Member]

  fileprivate struct Member: Sendable {
    let key: JSONSlice
    let value: JSONSlice
  }

  /// Nil unless `bytes` are UTF-8 and one JSON object.
  package init?(_ bytes: [UInt8]) {
    self.init(bytes, range: 0..<bytes.count)
  }

  private init?(_ bytes: [UInt8], range: Range<Int>) {
    var members = Members()
    let isObject = JSONSource.read(bytes) { source in
      let source = source.ending(at: range.upperBound)
      return (try? JSONScanner.scanObject(source, from: range.lowerBound, into: &members)) != nil
    }
    guard isObject else { return nil }
    self.bytes = bytes
    self.members = members.list
  }

  /// The keys in the order written, those with lone surrogates or NUL left out.
  package var keys: [String] {
    members.compactMap { text($0.key) }
  }

  /// Whether each key is one that `keys` lists, once.
  package var hasPlainKeys: Bool {
    let keys = keys.map { Array($0.utf8) }
    return keys.count == members.count && Set(keys).count == keys.count
  }

  /// The string under `key`; nil when it is absent, of another kind, or holds NUL or a lone
  /// surrogate.
  package func string(_ key: String) -> String? {
    value(key).flatMap { text($0) }
  }

  /// The number under `key`; nil when it is absent, not written as an integer, or outside
  /// ±(2^53−1).
  package func integer(_ key: String) -> Int? {
    guard let value = value(key) else { return nil }
    return JSONSource.read(bytes) { JSONNumber.integer(value, in: $0) }
  }

  /// The truth value under `key`; nil when it is absent or of another kind.
  package func bool(_ key: String) -> Bool? {
    guard let value = value(key), value.kind == .bool else { return nil }
    return bytes[value.range.lowerBound] == UInt8(ascii: "t")
  }

  /// The value under `key` as it was written; nil when it is absent.
  package func raw(_ key: String) -> RawJSON? {
    value(key).map { raw($0) }
  }

  /// The object under `key`; nil when it is absent or of another kind.
  package func object(_ key: String) -> JSONObject? {
    guard let value = value(key), value.kind == .object else { return nil }
    return JSONObject(bytes, range: value.range)
  }

  /// The elements of the list under `key` as they were written; empty when it is absent or of
  /// another kind.
  package func array(_ key: String) -> [RawJSON] {
    elements(key).map { raw($0) }
  }

  /// The objects in the list under `key`, other elements left out.
  package func objects(_ key: String) -> [JSONObject] {
    elements(key).compactMap { $0.kind == .object ? JSONObject(bytes, range: $0.range) : nil }
  }

  /// The strings in the list under `key`, other elements left out.
  package func strings(_ key: String) -> [String] {
    elements(key).compactMap { text($0) }
  }

  /// The string, number or truth value under `key`; nil when there is something else.
  func scalar(_ key: String) -> Segment.Value? {
    value(key).flatMap { scalar($0) }
  }

  /// The string, number or truth value under `key`, or those in the list there.
  func scalars(_ key: String) -> [Segment.Value] {
    guard let value = value(key) else { return [] }
    return (value.kind == .array ? elements(key) : [value]).compactMap { scalar($0) }
  }

  private func scalar(_ slice: JSONSlice) -> Segment.Value? {
    switch slice.kind {
    case .string: text(slice).map { .string($0) }
    case .integer, .number: .number(String(decoding: bytes[slice.range], as: UTF8.self))
    case .bool: .bool(bytes[slice.range.lowerBound] == UInt8(ascii: "t"))
    case .null, .object, .array: nil
    }
  }

  private func value(_ key: String) -> JSONSlice? {
    guard let member = members.last(where: { isNamed($0.key, key) }), member.value.kind != .null
    else { return nil }
    return member.value
  }

  private func isNamed(_ slice: JSONSlice, _ key: String) -> Bool {
    // Byte for byte: Swift holds canonically equivalent strings for equal.
    slice.hasEscapes
      ? text(slice)?.utf8.elementsEqual(key.utf8) ?? false
      : bytes[slice.range].elementsEqual(key.utf8)
  }

  private func text(_ slice: JSONSlice) -> String? {
    guard slice.kind == .string else { return nil }
    return JSONSource.read(bytes) { try? JSONString.decode(slice, in: $0) }
  }

  private func raw(_ slice: JSONSlice) -> RawJSON {
    RawJSON(checked: [UInt8](bytes[slice.outerRange]))
  }

  private func elements(_ key: String) -> [JSONSlice] {
    guard let value = value(key), value.kind == .array else { return [] }
    return JSONSource.read(bytes) { source in
      var scanner = JSONScanner(source, from: value.range.lowerBound)
      var elements: [JSONSlice] = []
      // The list was scanned before: `try?` meets no error.
      while let element = (try? scanner.nextElement()) ?? nil { elements.append(element) }
      return elements
    }
  }
}

private struct Members: JSONMemberSink {
  var list: [JSONObject.Member] = []

  mutating func add(key: JSONSlice, value: JSONSlice, in source: JSONSource) {
    list.append(JSONObject.Member(key: key, value: value))
  }
}
