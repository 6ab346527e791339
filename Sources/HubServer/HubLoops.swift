import NIOCore
import NIOPosix

/// The hub's threads: one event loop each.
struct HubLoops: Sendable {
  /// From this many loops on, one is the sequencer's alone.
  static let countForOwnSequencer = 4

  /// Loops that serve connections.
  let group: MultiThreadedEventLoopGroup
  private let ownGroup: MultiThreadedEventLoopGroup?
  /// The sequencer's loop.
  let sequencer: any EventLoop

  init(count: Int) {
    let hasOwn = count >= Self.countForOwnSequencer
    group = MultiThreadedEventLoopGroup(numberOfThreads: hasOwn ? count - 1 : count)
    ownGroup = hasOwn ? MultiThreadedEventLoopGroup(numberOfThreads: 1) : nil
    sequencer = (ownGroup ?? group).next()
  }

  /// Loops that serve connections, each once.
  var connections: [any EventLoop] { Array(group.makeIterator()) }

  /// Ends all threads, and all connections that are left.
  func shutDown() async throws {
    try await group.shutdownGracefully()
    try await ownGroup?.shutdownGracefully()
  }
}
