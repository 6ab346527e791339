import HubProtocol

/// What is wrong with an image.
package struct ImageError: Error, Equatable, CustomStringConvertible {
  /// Where in the block it was found, in bytes.
  package let offset: Int
  /// What was to be there.
  package let expected: String

  package init(offset: Int, expected: String) {
    self.offset = offset
    self.expected = expected
  }

  package var description: String { "\(expected) expected at byte \(offset)" }
}

/// Reads what `ImageWriter` wrote. Whatever the bytes, it answers with values or an error, never
/// with a trap, and takes no more memory than the bytes could stand for.
struct ImageReader {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    index = bytes.startIndex
  }

  /// Whether everything was read.
  var isAtEnd: Bool { index == bytes.endIndex }

  /// The error that something else was to be here.
  func error(_ expected: String) -> ImageError {
    ImageError(offset: index, expected: expected)
  }

  mutating func byte() throws(ImageError) -> UInt8 {
    guard index < bytes.endIndex else { throw error("another byte") }
    defer { index += 1 }
    return bytes[index]
  }

  /// A number that is not negative and at most 2^53, in its shortest form.
  mutating func number() throws(ImageError) -> Int {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      let group = try byte()
      value |= UInt64(group & 0x7f) << shift
      guard group & 0x80 != 0 else {
        let isShortest = group != 0 || shift == 0
        guard isShortest, value <= UInt64(Limits.largestInteger) + 1 else { break }
        return Int(value)
      }
    }
    throw error("a number up to 2^53")
  }

  /// A number below `bound`.
  mutating func number(below bound: Int, _ name: String) throws(ImageError) -> Int {
    let value = try number()
    guard value < bound else { throw error("\(name) below \(bound)") }
    return value
  }

  mutating func optionalNumber() throws(ImageError) -> Int? {
    let value = try number()
    return value == 0 ? nil : value - 1
  }

  mutating func word() throws(ImageError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { value |= UInt64(try byte()) << shift }
    return value
  }

  mutating func flag() throws(ImageError) -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    default: throw error("0 or 1")
    }
  }

  mutating func text() throws(ImageError) -> String {
    try text(count: try number())
  }

  mutating func optionalText() throws(ImageError) -> String? {
    let count = try number()
    return count == 0 ? nil : try text(count: count - 1)
  }

  mutating func optionalJSON() throws(ImageError) -> RawJSON? {
    let count = try number()
    return count == 0 ? nil : RawJSON(checked: Array(try take(count - 1)))
  }

  mutating func userID() throws(ImageError) -> UserID {
    guard let id = UserID(try text()) else { throw error("a user id") }
    return id
  }

  mutating func channelName() throws(ImageError) -> ChannelName {
    guard let name = ChannelName(try text()) else { throw error("a channel name") }
    return name
  }

  mutating func timestamp() throws(ImageError) -> Timestamp {
    Timestamp(milliseconds: try number())
  }

  mutating func optionalTimestamp() throws(ImageError) -> Timestamp? {
    try optionalNumber().map { Timestamp(milliseconds: $0) }
  }

  mutating func optionalUserID() throws(ImageError) -> UserID? {
    guard let text = try optionalText() else { return nil }
    guard let id = UserID(text) else { throw error("a user id") }
    return id
  }

  mutating func list<Element>(
    _ read: (inout ImageReader) throws(ImageError) -> Element
  ) throws(ImageError) -> [Element] {
    let count = try number(below: bytes.endIndex - index + 1, "a count of elements")
    var elements: [Element] = []
    for _ in 0..<count { elements.append(try read(&self)) }
    return elements
  }

  mutating func optionalList<Element>(
    _ read: (inout ImageReader) throws(ImageError) -> Element
  ) throws(ImageError) -> [Element]? {
    try flag() ? try list(read) : nil
  }

  /// One of the cases of an enum.
  mutating func choice<Value: CaseIterable>(_ name: String) throws(ImageError) -> Value {
    let place = try number(below: Value.allCases.count, name)
    return Value.allCases[Value.allCases.index(Value.allCases.startIndex, offsetBy: place)]
  }

  /// A channel's place in a registry whose size is not known here.
  mutating func channelRef() throws(ImageError) -> ChannelRef {
    ChannelRef(index: UInt32(try number(below: 1 << 32, "a channel")))
  }

  mutating func update<Value>(
    _ read: (inout ImageReader) throws(ImageError) -> Value
  ) throws(ImageError) -> Update<Value> {
    switch try byte() {
    case 0: return .keep
    case 1: return .clear
    case 2: return .set(try read(&self))
    default: throw error("an update")
    }
  }

  mutating func textUpdate() throws(ImageError) -> Update<String> {
    try update { image throws(ImageError) in try image.text() }
  }

  mutating func jsonUpdate() throws(ImageError) -> Update<RawJSON> {
    try update { image throws(ImageError) in
      guard let json = try image.optionalJSON() else { throw image.error("a JSON value") }
      return json
    }
  }

  private mutating func take(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    guard count <= bytes.endIndex - index else { throw error("\(count) bytes") }
    defer { index += count }
    return bytes[index..<index + count]
  }

  private mutating func text(count: Int) throws(ImageError) -> String {
    guard let text = String(validating: try take(count), as: UTF8.self) else {
      throw error("UTF-8 text")
    }
    return text
  }
}
