package import NIOCore

/// The queues of all connections during one tick, as a tree: a queue is the node of its last frame,
/// and connections that were given the same frames stand on the same node. So equal queues are
/// known to be equal without comparing them, and each is put together once, however many
/// connections it goes to.
package struct SharedQueues {
  /// The queue that nothing was put into.
  package static let empty = Queue(node: -1)

  /// One queue.
  package struct Queue: Equatable {
    fileprivate let node: Int32

    /// Whether nothing was put in.
    package var isEmpty: Bool { node < 0 }
  }

  private struct Node {
    let parent: Int32
    let frame: ByteBuffer
    /// Bytes of all frames up to here.
    let bytes: Int
    /// The frames up to here in one piece, once asked for.
    var whole: ByteBuffer?
  }

  private var nodes: [Node] = []
  /// The step taken last: fan-out takes the same one again and again.
  private var lastStep: (parent: Int32, frame: Int32, node: Int32) = (-2, -2, -2)

  package init() {}

  /// The queue with one more frame behind it. `index` tells the frames of this tick apart.
  package mutating func append(_ frame: ByteBuffer, index: Int32, to queue: Queue) -> Queue {
    if lastStep.parent == queue.node, lastStep.frame == index { return Queue(node: lastStep.node) }
    let before = queue.isEmpty ? 0 : nodes[Int(queue.node)].bytes
    nodes.append(
      Node(parent: queue.node, frame: frame, bytes: before + frame.readableBytes))
    let node = Int32(nodes.count - 1)
    lastStep = (queue.node, index, node)
    return Queue(node: node)
  }

  /// All frames of a queue in one buffer.
  package mutating func whole(_ queue: Queue) -> ByteBuffer {
    let node = nodes[Int(queue.node)]
    guard node.parent >= 0 else { return node.frame }
    if let whole = node.whole { return whole }
    var frames: [ByteBuffer] = []
    var next = queue.node
    while next >= 0 {
      frames.append(nodes[Int(next)].frame)
      next = nodes[Int(next)].parent
    }
    var whole = ByteBufferAllocator().buffer(capacity: node.bytes)
    for frame in frames.reversed() { whole.writeImmutableBuffer(frame) }
    nodes[Int(queue.node)].whole = whole
    return whole
  }

  /// Forgets everything: the tick is over.
  package mutating func removeAll() {
    nodes.removeAll(keepingCapacity: nodes.count < 4_096)
    lastStep = (-2, -2, -2)
  }
}
