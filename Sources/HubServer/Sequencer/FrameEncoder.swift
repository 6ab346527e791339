import HubProtocol
import HubWebSocket
import NIOCore

/// Writes whole frames: JSON with its header in front, each in a buffer of just its size.
struct FrameEncoder {
  private var encoder = WireEncoder(capacity: 4_096)
  private let allocator = ByteBufferAllocator()

  /// A frame with an event.
  mutating func frame(_ event: Event) -> ByteBuffer {
    frame { $0.encode(event) }
  }

  /// A frame with the answer to the request of that id.
  mutating func frame(_ reply: Reply, id: RequestID) -> ByteBuffer {
    frame { $0.encode(reply, id: id) }
  }

  /// A frame with the refusal of the request of that id.
  mutating func frame(_ refusal: Refusal, id: RequestID) -> ByteBuffer {
    frame { $0.encode(refusal, id: id) }
  }

  private mutating func frame(_ encode: (inout WireEncoder) -> Void) -> ByteBuffer {
    encoder.begin(reserving: FrameHeader.reservedBytes)
    encode(&encoder)
    let start = FrameHeader.fill(&encoder.bytes)
    var buffer = allocator.buffer(capacity: encoder.bytes.count - start)
    buffer.writeBytes(encoder.bytes[start...])
    return buffer
  }
}
