package import NIOHTTP1

extension HTTPHeaders {
  /// The elements of a comma-separated list field, over all its lines, in order and without the
  /// white space around them; empty elements are left out (RFC 9110 §5.6.1).
  package func elements(of name: String) -> [Substring] {
    self[name].flatMap { line in
      line.split(separator: ",").compactMap { element in
        let trimmed = element.trimmingBlanks
        return trimmed.isEmpty ? nil : trimmed
      }
    }
  }

  /// Whether a list field has an element equal to `token`, which is ASCII, in any case.
  package func contains(token: String, in name: String) -> Bool {
    self.elements(of: name).contains { $0.isEqualIgnoringCase(to: token) }
  }
}

extension Substring {
  /// Without the spaces and tabs at both ends (RFC 9110 §5.6.3).
  var trimmingBlanks: Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var rest = self.drop(while: isBlank)
    while let last = rest.last, isBlank(last) {
      rest.removeLast()
    }
    return rest
  }

  /// Compares ASCII without regard to case; other bytes must be the same.
  func isEqualIgnoringCase(to other: String) -> Bool {
    self.utf8.count == other.utf8.count
      && zip(self.utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  fileprivate var asciiLowercased: UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
  }
}
