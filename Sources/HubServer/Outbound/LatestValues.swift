import DequeModule
package import HubProtocol
package import NIOCore

/// The latest-value lane of a connection that does not keep up: one slot for each key, overwritten
/// by what is newer, left in the order in which they were written last.
package struct LatestValues {
  private struct Slot {
    /// Nil for a typing set that was dropped: the reader is then told that nobody types.
    var frame: ByteBuffer?
    /// Which of the places in `order` is the slot's.
    var stamp: Int
  }

  private var slots: [LatestKey: Slot] = [:]
  /// The keys in the order in which they were written; places of overwritten values stay behind
  /// until they are passed, or are as many as the values.
  private var order: Deque<(key: LatestKey, stamp: Int)> = []
  private var stamp = 0
  /// Bytes of all frames.
  package private(set) var bytes = 0

  package init() {}

  /// Whether nothing waits.
  package var isEmpty: Bool { slots.isEmpty }

  /// Writes a value over the one that waits under the same key.
  package mutating func write(_ frame: ByteBuffer, _ key: LatestKey) {
    write(Optional(frame), key)
  }

  /// Bytes of the value that waits under a key.
  package func bytes(of key: LatestKey) -> Int { slots[key]?.frame?.readableBytes ?? 0 }

  /// Drops all values; answers whether the reader has to load something again for it. A typing set
  /// is dropped by being told as empty: who types is soon said again, but that somebody no longer
  /// does is not.
  package mutating func dropAll() -> Bool {
    var isMissed = false
    for key in slots.keys where !drop(key) { isMissed = true }
    return isMissed
  }

  /// Drops a value that waits or was to wait; false when the reader has to load it again for that.
  package mutating func drop(_ key: LatestKey) -> Bool {
    switch key {
    case .typing:
      write(nil, key)
      return true
    case .notice:
      _ = remove(key)
      return true
    case .present, .receipt, .presence, .activity, .unread:
      _ = remove(key)
      return false
    }
  }

  /// Forgets what waits of a channel that the connection no longer gets anything of. Answers the
  /// count of what is unread there, which changes the user's total and so must still be told.
  package mutating func end(_ channel: ChannelName) -> ByteBuffer? {
    let unread = slots[.unread(channel)]?.frame
    for key in slots.keys where key.channel == channel { _ = remove(key) }
    return unread
  }

  /// Takes out the value that was written longest ago: its frame, or nil for an empty typing set.
  package mutating func takeFirst() -> (key: LatestKey, frame: ByteBuffer?)? {
    while let (key, stamp) = order.popFirst() {
      guard let slot = slots[key], slot.stamp == stamp else { continue }
      _ = remove(key)
      return (key, slot.frame)
    }
    return nil
  }

  /// Bytes of the frame that `takeFirst` would give.
  package mutating func firstBytes() -> Int? {
    while let (key, stamp) = order.first {
      if let slot = slots[key], slot.stamp == stamp { return slot.frame?.readableBytes ?? 0 }
      order.removeFirst()
    }
    return nil
  }

  private mutating func write(_ frame: ByteBuffer?, _ key: LatestKey) {
    stamp += 1
    bytes += (frame?.readableBytes ?? 0) - bytes(of: key)
    slots[key] = Slot(frame: frame, stamp: stamp)
    order.append((key, stamp))
    guard order.count > 2 * slots.count + 16 else { return }
    order.removeAll { slots[$0.key]?.stamp != $0.stamp }
  }

  private mutating func remove(_ key: LatestKey) -> Slot? {
    let slot = slots.removeValue(forKey: key)
    bytes -= slot?.frame?.readableBytes ?? 0
    return slot
  }
}
