import Foundation
import HubProtocol

/// A JSON value with its meaning alone: the order of an object's members, and how strings and
/// numbers are written, make no difference. `null` in an object is absence, as in the protocol.
enum JSONTree: Hashable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case list([JSONTree])
  case object([String: JSONTree])

  /// What Foundation reads in `bytes`; nil when it does not take them.
  init?(foundation bytes: [UInt8]) {
    let value = try? JSONSerialization.jsonObject(
      with: Data(bytes), options: [.fragmentsAllowed])
    guard let value else { return nil }
    self.init(value)
  }

  private init?(_ value: Any) {
    switch value {
    case is NSNull:
      self = .null
    case let text as String:
      self = .text(text)
    case let number as NSNumber:
      self =
        Self.isBool(number) ? .bool(number.boolValue) : .number(Self.rounded(number.doubleValue))
    case let list as [Any]:
      self = .list(list.compactMap { JSONTree($0) })
    case let members as [String: Any]:
      self = .object(members.compactMapValues { JSONTree($0) }.filter { $0.value != .null })
    default:
      return nil
    }
  }

  /// Whether a number stands for `true` or `false`.
  static func isBool(_ number: NSNumber) -> Bool {
    number.objCType.pointee == CChar(bitPattern: UInt8(ascii: "c"))
  }

  /// A number that is no exact integer to 12 digits, the last of which Foundation may miss.
  private static func rounded(_ number: Double) -> Double {
    guard Int(exactly: number).map({ abs($0) > Limits.largestInteger }) ?? true else {
      return number
    }
    return Double(String(format: "%.12g", number)) ?? number
  }

  /// What the hub reads in `object`; nil when a string there is none that it takes for text.
  init?(hub object: JSONObject) {
    var members: [String: JSONTree] = [:]
    for key in object.keys {
      guard let value = object.raw(key) else { continue }
      guard let tree = JSONTree(hub: value) else { return nil }
      members[key] = tree
    }
    self = .object(members)
  }

  /// What the hub reads in one value.
  init?(hub value: RawJSON) {
    guard let object = JSONObject([UInt8](#"{"v":"#.utf8) + value.bytes + [UInt8]("}".utf8))
    else { return nil }
    switch value.bytes.first {
    case UInt8(ascii: "{"):
      guard let inner = object.object("v"), let tree = JSONTree(hub: inner) else { return nil }
      self = tree
    case UInt8(ascii: "["):
      let elements = object.array("v").map { JSONTree(hub: $0) }
      guard !elements.contains(nil) else { return nil }
      self = .list(elements.compactMap { $0 })
    case UInt8(ascii: "\""):
      guard let text = object.string("v") else { return nil }
      self = .text(text)
    case UInt8(ascii: "n"):
      self = .null
    default:
      let number = Double(String(decoding: value.bytes, as: UTF8.self)).map(Self.rounded)
      guard let scalar = object.bool("v").map(Self.bool) ?? number.map(Self.number) else {
        return nil
      }
      self = scalar
    }
  }

  /// A string without U+FEFF, which Foundation loses.
  static func text(_ text: String) -> JSONTree { .string(FoundationJudge.kept(text)) }

  static func integer(_ value: Int) -> JSONTree { .number(Double(value)) }

  /// An object of the members that are there.
  static func members(_ members: KeyValuePairs<String, JSONTree?>) -> JSONTree {
    .object(
      Dictionary(members.compactMap { key, value in value.map { (key, $0) } }) { _, last in last })
  }

  /// Whether the value means what an empty one does.
  var isEmpty: Bool {
    switch self {
    case .string(let text): text.isEmpty
    case .list(let list): list.isEmpty
    case .object(let members): members.isEmpty
    case .null, .bool, .number: false
    }
  }
}
