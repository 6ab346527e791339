import Foundation
import HubProtocol
import Testing

/// The golden vectors in `protocol/vectors`, which clients written elsewhere are tested against
/// too.
enum Vectors {
  /// One text message of a client, and what the hub makes of it.
  struct Inbound: Decodable, Sendable, CustomTestStringConvertible {
    /// Why it is no request.
    struct Refused: Decodable, Equatable {
      var id: Int?
      var op: String?
      var code: String
    }

    var name: String
    var `in`: String
    /// The same request as the client library writes it.
    var request: String?
    var refused: Refused?
    /// The close code.
    var closes: Int?

    var testDescription: String { name }
  }

  /// One message of the hub, built in the tests under this name.
  struct Outbound: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var out: String

    var testDescription: String { name }
  }

  static let requests: [Inbound] = read("requests")
  static let replies: [Outbound] = read("replies")
  static let events: [Outbound] = read("events")
  static let outbound = replies + events

  /// Empty when the file cannot be read; `VectorFileTests` looks for that.
  private static func read<Vector: Decodable>(_ name: String) -> [Vector] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("protocol/vectors/\(name).json")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return (try? JSONDecoder().decode([Vector].self, from: data)) ?? []
  }
}

/// What the decoder makes of `text`.
func decode(_ text: String) -> Inbound {
  decode([UInt8](text.utf8))
}

/// What the decoder makes of `bytes`.
func decode(_ bytes: [UInt8]) -> Inbound {
  bytes.withUnsafeBytes { RequestDecoder.decode($0) }
}

/// The bytes as text.
func text(_ bytes: [UInt8]) -> String {
  String(decoding: bytes, as: UTF8.self)
}

/// A JSON value that the test knows to be one.
func raw(_ text: String) -> RawJSON {
  RawJSON(checked: [UInt8](text.utf8))
}
