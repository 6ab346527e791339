/// One text message of the hub, as its clients read it (protocol, "Envelope").
package enum ServerMessage: Sendable {
  /// The answer to the request with this id: what stood in `ok`, or why it was refused.
  case reply(id: RequestID, Result<JSONObject, Refusal>)
  /// What the hub told without being asked; the object is the whole message.
  case event(name: String, JSONObject)

  /// Nil when `bytes` are neither a reply nor an event of any version of the protocol.
  package static func decode(_ bytes: [UInt8]) -> ServerMessage? {
    guard let object = JSONObject(bytes) else { return nil }
    if let name = object.string("ev") { return .event(name: name, object) }
    guard let id = object.integer("id").flatMap({ RequestID($0) }) else { return nil }
    if let ok = object.object("ok") { return .reply(id: id, .success(ok)) }
    guard let refusal = object.object("error").flatMap({ Refusal($0) }) else { return nil }
    return .reply(id: id, .failure(refusal))
  }
}

extension Refusal {
  /// The refusal in an error object, that of a reply or of an `error` event; nil without a `code`.
  /// A code that this version does not know reads as `internal` and is kept in `codeText`.
  package init?(_ object: JSONObject) {
    guard let text = object.string("code") else { return nil }
    self.init(
      ErrorCode(rawValue: text) ?? .internal, object.string("message") ?? "",
      retryAfterMilliseconds: object.integer("retry_after_ms"), codeText: text)
  }
}
