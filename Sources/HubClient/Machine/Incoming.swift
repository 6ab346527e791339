package import HubProtocol

/// One text message of the hub, with the bytes it came in.
enum Incoming {
  /// What stood in `ok`, or why the request was refused.
  case reply(RequestID, Result<HubJSON, HubError>)
  case event(HubEvent)

  /// Nil when `bytes` are neither a reply nor an event of any version of the protocol.
  init?(_ bytes: [UInt8]) {
    guard let object = JSONObject(bytes) else { return nil }
    if let name = object.string("ev") {
      self = .event(HubEvent(name: name, object, json: HubJSON(checked: bytes)))
      return
    }
    guard let id = object.integer("id").flatMap({ RequestID($0) }) else { return nil }
    if let ok = object.json("ok") {
      self = .reply(id, .success(ok))
    } else if let refusal = object.object("error").flatMap({ Refusal($0) }) {
      self = .reply(id, .failure(HubError(refusal)))
    } else {
      return nil
    }
  }
}

/// Requests that no typed call makes: `hello`, and whatever the app asks for by name.
package enum RequestText {
  /// One text message.
  /// - Parameter members: JSON members, each with a comma in front.
  package static func encode(id: RequestID, operation: String, members: [UInt8]) -> [UInt8] {
    [UInt8]("{\"id\":\(id.number),\"op\":".utf8) + JSONLiteral.string(operation) + members
      + [UInt8(ascii: "}")]
  }

  /// The members of an object, with a comma in front; nil when `object` is no object, or has
  /// members that belong to the request itself.
  static func members(of object: HubJSON) -> [UInt8]? {
    guard let keys = object.object?.keys, !keys.contains("id"), !keys.contains("op") else {
      return nil
    }
    return keys.isEmpty ? [] : [UInt8(ascii: ",")] + object.bytes.dropFirst().dropLast()
  }

  /// The arguments of `hello`.
  static func hello(token: String, _ configuration: HubConfiguration) -> [UInt8] {
    let comma = [UInt8(ascii: ",")]
    let client =
      [UInt8](#","client":{"#.utf8) + JSONLiteral.member("name", configuration.clientName)
      + comma + JSONLiteral.member("version", configuration.clientVersion) + [UInt8(ascii: "}")]
    return comma + JSONLiteral.member("token", token) + client
  }
}
