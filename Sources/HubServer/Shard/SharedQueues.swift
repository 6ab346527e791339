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
    /// The index that the frame has among those of this tick.
    let index: Int32
    let frame: ByteBuffer
    /// Bytes of all frames up to here.
    let bytes: Int
    /// The frames up to here in one piece, once asked for.
    var whole: ByteBuffer?
  }

  private var nodes: [Node] = []
  private typealias Step = (parent: Int32, frame: Int32, node: Int32)
  private static let noStep: Step = (-2, -2, -2)
  /// The two steps taken last: fan-out takes the same one again and again, and, where some get
  /// another form of an event, two in turn.
  private var lastStep = noStep
  private var stepBefore = noStep

  package init() {}

  /// The queue with one more frame behind it. `index` tells the frames of this tick apart.
  package mutating func append(_ frame: ByteBuffer, index: Int32, to queue: Queue) -> Queue {
    if lastStep.parent == queue.node, lastStep.frame == index { return Queue(node: lastStep.node) }
    swap(&lastStep, &stepBefore)
    if lastStep.parent == queue.node, lastStep.frame == index { return Queue(node: lastStep.node) }
    let before = queue.isEmpty ? 0 : nodes[Int(queue.node)].bytes
    nodes.append(
      Node(
        parent: queue.node, index: index, frame: frame, bytes: before + frame.readableBytes))
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

  /// The indices of a queue's frames in order.
  package func indices(_ queue: Queue) -> [Int32] {
    var indices: [Int32] = []
    var next = queue.node
    while next >= 0 {
      indices.append(nodes[Int(next)].index)
      next = nodes[Int(next)].parent
    }
    return indices.reversed()
  }

  /// Forgets everything: the tick is over.
  package mutating func removeAll() {
    nodes.removeAll(keepingCapacity: nodes.count < 4_096)
    lastStep = Self.noStep
    stepBefore = Self.noStep
  }
}
