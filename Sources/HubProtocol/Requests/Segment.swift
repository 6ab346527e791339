/// Users by what the app keeps of them in `custom` (protocol, "Inbox": `notify`).
package struct Segment: Equatable, Sendable {
  /// What a member must be, or hold.
  package enum Value: Equatable, Sendable {
    case string(String)
    /// As it is written.
    case number(String)
    case bool(Bool)
  }

  /// A member of `custom`, and what it must be.
  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: Value

    package init(name: String, value: Value) {
      self.name = name
      self.value = value
    }

    /// Bytes of the name, or of its value if that has more.
    var byteCount: Int {
      switch value {
      case .string(let text), .number(let text): max(name.utf8.count, text.utf8.count)
      case .bool: name.utf8.count
      }
    }
  }

  /// 1 to `Limits.segmentFields`, all of which must hold.
  package let fields: [Field]

  package init(fields: [Field]) {
    self.fields = fields
  }

  /// Whether `custom` is an object in which every field has its value, or is a list that holds it.
  package func holds(for custom: RawJSON?) -> Bool {
    guard let custom, let object = JSONObject(custom.bytes) else { return false }
    return fields.allSatisfy { field in
      object.scalars(field.name).contains { $0.matches(field.value) }
    }
  }
}

extension Segment.Value {
  /// Whether two values are the same; numbers are when their values are.
  fileprivate func matches(_ other: Segment.Value) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)):
      if let left = Int(left), let right = Int(right) { return left == right }
      // An integer is written in one way alone, be it too large for `Int` (-0 is not).
      guard (left + right).contains(where: { ".eE".contains($0) }) else { return left == right }
      return Double(left) == Double(right)
    case (.string(let left), .string(let right)):
      // Byte for byte: Swift holds canonically equivalent strings for equal.
      return left.utf8.elementsEqual(right.utf8)
    case (.bool(let left), .bool(let right)): return left == right
    case (.string, _), (.number, _), (.bool, _): return false
    }
  }
}
