import HubProtocol

/// The types of notification that the hub has ever had, each under a small number, so that an
/// item's type takes two bytes.
struct NotificationTypes: Sendable {
  /// What the hub makes by itself: the first of the types, in any hub.
  enum Made: UInt16, CaseIterable {
    case mention, reply, like, follow
  }

  private(set) var names: [String] = []
  /// By their UTF-8: Swift holds canonically equivalent strings for equal.
  private var numbers: [[UInt8]: UInt16] = [:]

  /// Those that the hub makes.
  init() {
    for made in Made.allCases { _ = add("\(made)") }
  }

  /// Those that were stored, in the order of their numbers; nil when they do not begin with those
  /// that the hub makes, one is there twice, or there are too many.
  init?(names: [String]) {
    self.init()
    guard names.starts(with: self.names) else { return nil }
    for name in names { _ = add(name) }
    guard self.names.count == names.count else { return nil }
  }

  func has(_ number: UInt16) -> Bool { number < names.count }

  func name(of number: UInt16) -> String { names[Int(number)] }

  func number(of name: String) -> UInt16? { numbers[Array(name.utf8)] }

  /// The number of a type, which may be new; nil when there are `Limits.notificationTypes` others.
  mutating func add(_ name: String) -> UInt16? {
    let key = Array(name.utf8)
    if let number = numbers[key] { return number }
    guard names.count < Limits.notificationTypes else { return nil }
    let number = UInt16(names.count)
    names.append(name)
    numbers[key] = number
    return number
  }
}
