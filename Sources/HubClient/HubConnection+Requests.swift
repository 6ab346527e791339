internal import HubProtocol
internal import NIOCore

extension HubConnection {
  /// Asks for any operation by its name on the wire.
  ///
  /// It is not sent again when the connection ends before the answer: ``HubError/connectionLost``.
  /// - Parameter arguments: a JSON object, its members flat as the protocol has them.
  /// - Returns: what stands in `ok`.
  public func request(
    _ operation: String, arguments: HubJSON = .emptyObject
  ) async throws(HubError) -> HubJSON {
    guard let members = RequestText.members(of: arguments) else {
      throw .badArgument("arguments must be a JSON object without the members id and op")
    }
    let id = makeID()
    let bytes = RequestText.encode(id: id, operation: operation, members: members)
    return try await call(id, bytes, isRepeatable: false)
  }

  func call(
    _ operation: Operation, isRepeatable: Bool = true
  ) async throws(HubError) -> HubJSON {
    let id = makeID()
    let bytes = RequestEncoder.encode(Request(id: id, operation: operation))
    return try await call(id, bytes, isRepeatable: isRepeatable)
  }

  private func call(
    _ id: RequestID, _ bytes: [UInt8], isRepeatable: Bool
  ) async throws(HubError) -> HubJSON {
    try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        calls[id] = continuation
        step { $0.request(id, bytes: bytes, isRepeatable: isRepeatable, .now()) }
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      Task { await cancel(id) }
    }.get()
  }

  private func cancel(_ id: RequestID) {
    step { $0.cancel(id) }
  }

  func call<Value>(
    _ operation: Operation, isRepeatable: Bool = true, as read: (HubJSON) -> Value?
  ) async throws(HubError) -> Value {
    let json = try await call(operation, isRepeatable: isRepeatable)
    guard let value = read(json) else { throw .badReply(to: operation.name) }
    return value
  }

  func callForChannel(
    _ operation: Operation, isRepeatable: Bool = true
  ) async throws(HubError) -> HubChannel {
    try await call(operation, isRepeatable: isRepeatable) { json in
      json.object?.json("channel").flatMap { HubChannel(json: $0) }
    }
  }

  /// The hub's clock in milliseconds since the Unix epoch, by way of the whole connection (`ping`).
  @discardableResult
  public func ping() async throws(HubError) -> Int {
    try await call(.ping) { $0.object?.integer("server_ts") }
  }
}

// MARK: - The app's words in the protocol's types

/// In updates nil keeps what is there and an empty value clears it (protocol, "Envelope").
extension Update where Value == String {
  init(_ text: String?) {
    self =
      switch text {
      case nil: .keep
      case "": .clear
      case let text?: .set(text)
      }
  }
}

extension Update where Value == RawJSON {
  init(_ json: HubJSON?) {
    guard let json else {
      self = .keep
      return
    }
    let isEmpty = json.text == #""""# || json.object?.keys.isEmpty == true || json.isEmptyList
    self = isEmpty ? .clear : .set(json.raw)
  }
}

extension HubJSON {
  fileprivate var isEmptyList: Bool {
    bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]")
      && bytes.dropFirst().dropLast().allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }
}
