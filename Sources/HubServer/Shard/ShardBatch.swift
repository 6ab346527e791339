package import HubCore
package import HubProtocol
package import NIOCore

/// What the sequencer has for one loop after a batch: frames, each encoded once, and what to do
/// with them in order.
package struct ShardBatch: Sendable {
  /// One thing for a loop to do. Frames are named by their index.
  package enum Command: Sendable {
    case deliver(frame: Int32, to: ConnectionID)
    /// To all subscribers of this loop; the connections of one user may get another frame.
    case publish(frame: Int32, to: ChannelRef, other: (user: UserRef, frame: Int32)?)
    /// A request of that many bytes is done.
    case answered(ConnectionID, bytes: Int)
    case greeted(ConnectionID, UserRef)
    case subscribe(ConnectionID, ChannelRef)
    case unsubscribe(ConnectionID, ChannelRef)
    case close(ConnectionID, HubProtocol.CloseCode)
  }

  package private(set) var frames: [ByteBuffer] = []
  package var commands: [Command] = []

  package init() {}

  /// Takes in a frame and names it.
  package mutating func add(_ frame: ByteBuffer) -> Int32 {
    frames.append(frame)
    return Int32(frames.count - 1)
  }
}
