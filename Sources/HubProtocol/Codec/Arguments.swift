/// The members of one object that the protocol gives a meaning, each in its slot. Of a name that
/// occurs twice the last counts, and `null` is the same as absence (protocol, "Envelope").
struct Arguments: JSONMemberSink {
  /// What the slices stand in.
  let source: JSONSource
  // SAFETY: valid inside `read`, which lends the arguments and gives them to nobody.
  /// One slot for each name; initialised where `present` has the name's bit.
  private let slots: UnsafeMutableBufferPointer<JSONSlice>
  private var present: UInt64 = 0
  /// Names that occurred more than once.
  private var repeated: UInt64 = 0
  private var seen: UInt64 = 0

  // SAFETY: the slots outlive the arguments (`read`).
  private init(_ source: JSONSource, slots: UnsafeMutableBufferPointer<JSONSlice>) {
    precondition(slots.count >= ArgumentName.count, "each name has a slot")
    self.source = source
    self.slots = slots
  }

  /// What `body` makes of the one object in `source`, from `start` on; nil when there is something
  /// else.
  static func read<Value, Failure: Error>(
    _ source: JSONSource, from start: Int = 0,
    _ body: (borrowing Arguments) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    // SAFETY: the slots live as long as the closure, and `body` cannot keep the arguments it
    // borrows; slices are trivial, so nothing is left to deinitialise.
    try withUnsafeTemporaryAllocation(of: JSONSlice.self, capacity: ArgumentName.count) {
      (slots) throws(Failure) -> Value? in
      var arguments = Arguments(source, slots: slots)
      do throws(NotJSON) {
        try JSONScanner.scanObject(source, from: start, into: &arguments)
      } catch {
        return nil
      }
      return try body(arguments)
    }
  }

  mutating func add(key: JSONSlice, value: JSONSlice, in source: JSONSource) {
    guard let name = ArgumentName(key, in: source) else { return }
    let bit: UInt64 = 1 << UInt64(name.rawValue)
    repeated |= seen & bit
    seen |= bit
    guard value.kind != .null else {
      present &= ~bit
      return
    }
    present |= bit
    // SAFETY: raw values count from 0, and there are as many slots as names (`init`).
    slots.initializeElement(at: Int(name.rawValue), to: value)
  }

  /// The value of an argument, nil when it is absent.
  subscript(_ name: ArgumentName) -> JSONSlice? {
    guard present & (1 << UInt64(name.rawValue)) != 0 else { return nil }
    // SAFETY: the bit says that the slot was initialised.
    return slots[Int(name.rawValue)]
  }

  /// Whether the name occurred more than once, so that other readers may see another value.
  func isRepeated(_ name: ArgumentName) -> Bool {
    repeated & (1 << UInt64(name.rawValue)) != 0
  }
}
