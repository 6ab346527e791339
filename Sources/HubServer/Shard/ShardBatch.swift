package import HubCore
package import HubProtocol
package import NIOCore

/// What the sequencer has for one loop after a batch: frames, each encoded once, and what to do
/// with them in order.
package struct ShardBatch: Sendable {
  /// One thing for a loop to do. Frames are named by their index.
  package enum Command: Sendable {
    case deliver(frame: Int32, to: ConnectionID)
    /// To all subscribers of this loop, but for those who get a variant.
    case publish(frame: Int32, to: ChannelRef, Variants)
    /// A request of that many bytes is done.
    case answered(ConnectionID, bytes: Int)
    case greeted(ConnectionID, UserRef)
    /// `at` is what the subscriber was told of where the channel stands; nil when told nothing.
    case subscribe(ConnectionID, ChannelRef, at: ChannelPosition?)
    case unsubscribe(ConnectionID, ChannelRef)
    case close(ConnectionID, HubProtocol.CloseCode)
  }

  /// Whose connections get another frame than the one published: one of those right behind it, or
  /// none.
  package enum Variants: Sendable {
    case none
    /// One user's do.
    case one(UserRef, frame: Int32?)
    /// Those of several users do. `offsets` says by how much each one's frame stands behind the one
    /// published; 0 where there is none.
    case several(count: Int32, offsets: [UserRef: Int32])
  }

  package private(set) var frames: [ByteBuffer] = []
  /// What each frame is, for connections that do not keep up.
  package private(set) var marks: [Mark] = []
  package var commands: [Command] = []

  package init() {}

  /// Takes in a frame and names it.
  package mutating func add(_ frame: ByteBuffer, _ mark: Mark) -> Int32 {
    frames.append(frame)
    marks.append(mark)
    return Int32(frames.count - 1)
  }
}
