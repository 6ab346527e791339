/// Finds what a fixed list of names stands for, in a time that does not grow with the list.
struct NameTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    let name: ShortName
    let value: Value
  }

  /// Places are 0…`lastPlace`, one less than a power of two: several for each name, so that most
  /// names are found, and most unknown ones missed, at the first look.
  private static var lastPlace: UInt64 { 511 }

  private let entries: [Entry]
  /// At each place the index of an entry plus one, or 0 where none is.
  private let indices: [UInt8]

  /// `values` are fewer than 128, with different names of at most `ShortName.maximumBytes`.
  init(_ values: [Value], name: (Value) -> String) {
    entries = values.compactMap { value in
      ShortName(name(value)).map { Entry(name: $0, value: value) }
    }
    precondition(entries.count == values.count, "a name is longer than a short name")
    precondition(entries.count < 128, "the table would be too full")
    var indices = [UInt8](repeating: 0, count: Int(Self.lastPlace) + 1)
    for (index, entry) in entries.enumerated() {
      var place = entry.name.hash & Self.lastPlace
      while indices[Int(place)] != 0 { place = (place + 1) & Self.lastPlace }
      indices[Int(place)] = UInt8(index + 1)
    }
    self.indices = indices
  }

  /// What the string in `slice` of `source` names, its escapes resolved; nil when it is no name.
  subscript(_ slice: JSONSlice, in source: JSONSource) -> Value? {
    slice.hasEscapes
      ? escaped(slice, in: source) : ShortName(source, slice.range).flatMap { self[$0] }
  }

  private func escaped(_ slice: JSONSlice, in source: JSONSource) -> Value? {
    let text = try? JSONString.decode(slice, in: source)
    return text.flatMap { ShortName($0) }.flatMap { self[$0] }
  }

  private subscript(_ name: ShortName) -> Value? {
    var place = name.hash & Self.lastPlace
    while true {
      let index = Int(indices[Int(place)]) - 1
      if index < 0 { return nil }
      if entries[index].name == name { return entries[index].value }
      place = (place + 1) & Self.lastPlace
    }
  }
}
