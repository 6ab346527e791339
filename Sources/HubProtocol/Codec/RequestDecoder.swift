/// Turns one text message of a client into a request (protocol, "Envelope").
package enum RequestDecoder {
  /// What `bytes`, one whole message, turns out to be. Nothing in them can trap: whatever is not a
  /// request that the hub knows, in the shape that the protocol gives it, comes back as a refusal
  /// or as `notAnObject`.
  ///
  /// - Parameter bytes: UTF-8. It is checked again here, and kept by nobody after the call.
  // SAFETY: the caller keeps `bytes` valid during the call; nothing that refers to them leaves it.
  package static func decode(_ bytes: UnsafeRawBufferPointer) -> Inbound {
    // Assigned inside: handed through `read` it would be copied at each step, and it is large.
    var inbound = Inbound.notAnObject
    _ = Arguments.read(JSONSource(bytes)) { inbound = $0.inbound() }
    return inbound
  }
}

extension Arguments {
  /// The request that the arguments make, or why they make none.
  fileprivate func inbound() -> Inbound {
    var id: RequestID?
    if let slice = self[.id] {
      id = JSONNumber.integer(slice, in: source).flatMap { RequestID($0) }
      guard id != nil else {
        return .refused(
          id: nil, op: operationText, .badArgument(.id, "an integer from 1 to 2^53-1"))
      }
    }
    guard let slice = self[.op] else { return .refused(id: id, op: nil, .missing(.op)) }
    guard slice.kind == .string else {
      return .refused(id: id, op: nil, .badArgument(.op, "a string"))
    }
    guard let name = OperationName(slice, in: source) else {
      return .refused(
        id: id, op: operationText, Refusal(.unknownOperation, "the hub has no such operation"))
    }
    do throws(Refusal) {
      return .request(Request(id: id, operation: try operation(name)))
    } catch {
      return .refused(id: id, op: name.text, error)
    }
  }

  /// The operation's name as the client wrote it; nil when it is no text, or longer than
  /// `Limits.labelBytes`.
  private var operationText: String? {
    (try? string(.op, atMost: Limits.labelBytes)) ?? nil
  }

  /// Inlined, like those that it calls: an operation is large, and each return would copy it.
  @inline(__always)
  private func operation(_ name: OperationName) throws(Refusal) -> Operation {
    switch name {
    case .session(let name): try operation(name)
    case .channel(let name): try operation(name)
    case .member(let name): try operation(name)
    case .message(let name): try operation(name)
    case .live(let name): try operation(name)
    case .user(let name): try operation(name)
    case .inbox(let name): try operation(name)
    }
  }
}
