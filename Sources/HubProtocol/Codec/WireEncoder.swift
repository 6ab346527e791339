/// Writes what the hub says to its clients, one message at a time, into a buffer that it uses again
/// (protocol, "Envelope" and "Events").
package struct WireEncoder {
  /// The most memory in bytes that is kept from one message to the next.
  private static let keptBytes = 64 * 1024

  private var writer: JSONWriter

  /// An encoder with room for `capacity` bytes.
  package init(capacity: Int) {
    writer = JSONWriter(capacity: capacity)
  }

  /// What was written since `begin`: the reserved zeros and one JSON object.
  package var bytes: [UInt8] {
    _read { yield writer.bytes }
    _modify { yield &writer.bytes }
  }

  /// Starts a message: empties `bytes` and puts as many zero bytes in front, for a frame header.
  package mutating func begin(reserving count: Int) {
    writer.removeAll(keepingAtMost: Self.keptBytes)
    writer.zeros(count)
  }

  /// Writes `{"ev":…}`.
  package mutating func encode(_ event: Event) {
    writer.event(event)
  }

  /// Writes `{"id":…,"ok":{…}}`.
  package mutating func encode(_ reply: Reply, id: RequestID) {
    writer.literal("{\"id\":")
    writer.integer(id.number)
    writer.literal(",\"ok\":")
    writer.reply(reply)
    writer.literal("}")
  }

  /// Writes `{"id":…,"error":{…}}`.
  package mutating func encode(_ refusal: Refusal, id: RequestID) {
    writer.literal("{\"id\":")
    writer.integer(id.number)
    writer.literal(",\"error\":")
    writer.refusal(refusal)
    writer.literal("}")
  }
}
