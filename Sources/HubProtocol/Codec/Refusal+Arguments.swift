/// The sentences for arguments that are not what they must be.
extension Refusal {
  /// `limit` must be an integer from 1 to 100.
  static func badArgument(_ name: ArgumentName, _ rule: String) -> Refusal {
    Refusal(.badRequest, "`\(name.text)` must be \(rule)")
  }

  /// A required argument is not there.
  static func missing(_ name: ArgumentName) -> Refusal {
    Refusal(.badRequest, "`\(name.text)` is required")
  }

  /// An argument has more than `limit` bytes.
  static func tooLarge(_ name: ArgumentName, bytes limit: Int) -> Refusal {
    Refusal(.tooLarge, "`\(name.text)` must not exceed \(limit) bytes")
  }
}
