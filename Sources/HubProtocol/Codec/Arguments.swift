/// The members of one object that the protocol gives a meaning, each in its slot. Of a name that
/// occurs twice the last counts, and `null` is the same as absence (protocol, "Envelope").
struct Arguments: JSONMemberSink {
  /// What the slices stand in.
  let source: JSONSource
  // SAFETY: valid inside `read`, which lends the arguments and gives them to nobody.
  /// One slot for each name; initialised where `given` has the name.
  private let slots: UnsafeMutableBufferPointer<JSONSlice>
  private var given = ArgumentSet()
  /// Names that occurred more than once.
  private var repeated = ArgumentSet()

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
    // borrows; slices are trivial, so nothing is left to deinitialise. As long as there are at most
    // 85 names the slots stay below 1,024 bytes, and so on the stack.
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
    if given.contains(name) { repeated.insert(name) }
    given.insert(name)
    // SAFETY: raw values count from 0, and there are as many slots as names (`init`).
    slots.initializeElement(at: Int(name.rawValue), to: value)
  }

  /// The value of an argument, nil when it is absent or `null`.
  subscript(_ name: ArgumentName) -> JSONSlice? {
    guard given.contains(name) else { return nil }
    // SAFETY: whatever is in `given` was initialised.
    let slice = slots[Int(name.rawValue)]
    return slice.kind == .null ? nil : slice
  }

  /// Whether the name occurred more than once, so that other readers may see another value.
  func isRepeated(_ name: ArgumentName) -> Bool {
    repeated.contains(name)
  }
}
