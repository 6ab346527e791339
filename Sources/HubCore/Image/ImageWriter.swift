import HubProtocol

/// Writes values in the compact binary form of snapshots: numbers in base 128, lowest group first;
/// text and bytes behind their length; absent values as 0.
struct ImageWriter {
  private(set) var bytes: [UInt8]

  init(appendingTo bytes: consuming [UInt8] = []) {
    self.bytes = bytes
  }

  /// Empties it, keeping its memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// A number that is not negative.
  mutating func number(_ value: Int) {
    precondition(value >= 0, "images hold no negative numbers")
    var rest = UInt64(value)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A number that may be absent.
  mutating func optional(_ value: Int?) {
    number(value.map { $0 + 1 } ?? 0)
  }

  /// Sixty-four bits, lowest byte first.
  mutating func word(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func flag(_ value: Bool) {
    bytes.append(value ? 1 : 0)
  }

  mutating func text(_ value: String) {
    number(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  mutating func optional(_ value: String?) {
    guard let value else { return number(0) }
    number(value.utf8.count + 1)
    bytes.append(contentsOf: value.utf8)
  }

  mutating func optional(_ value: RawJSON?) {
    guard let value else { return number(0) }
    number(value.bytes.count + 1)
    bytes.append(contentsOf: value.bytes)
  }

  /// A list behind its length.
  mutating func list<Element>(
    _ elements: some Collection<Element>, _ write: (inout ImageWriter, Element) -> Void
  ) {
    number(elements.count)
    for element in elements { write(&self, element) }
  }

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// A user's place in the registry.
  mutating func member(_ user: UserRef) { number(Int(user.index)) }

  /// One of the cases of an enum, by its place among them: cases are only ever added at the end.
  mutating func choice<Value: CaseIterable & Equatable>(_ value: Value) {
    number(Value.allCases.enumerated().first { $0.element == value }?.offset ?? 0)
  }

  /// A list that may be absent.
  mutating func optionalList<Element>(
    _ elements: [Element]?, _ write: (inout ImageWriter, Element) -> Void
  ) {
    flag(elements != nil)
    if let elements { list(elements, write) }
  }

  /// What an update says of a member.
  mutating func update<Value>(
    _ update: Update<Value>, _ write: (inout ImageWriter, Value) -> Void
  ) {
    switch update {
    case .keep: byte(0)
    case .clear: byte(1)
    case .set(let value):
      byte(2)
      write(&self, value)
    }
  }

  mutating func update(_ update: Update<String>) { self.update(update) { $0.text($1) } }

  mutating func update(_ update: Update<RawJSON>) {
    self.update(update) { $0.optional($1) }
  }
}
