import HashTreeCollections
import HubProtocol

/// All durable state: users, channels, memberships, windows, keys, inboxes. A deterministic fold
/// over records: it reads no clock and draws no random number, and a refused record changes
/// nothing. Copying it is cheap, and what can grow large is written in chunks, so that a copy may
/// be kept while it changes.
package struct Registry: Sendable {
  /// How much memory the windows of all channels take together.
  package struct Configuration: Sendable {
    /// Bytes of messages in memory at most, over all channels.
    package var windowMemory: Int
    /// Two random words that hash idempotency keys; they belong to the stored state.
    package var hashSeed: (UInt64, UInt64)

    package init(windowMemory: Int, hashSeed: (UInt64, UInt64)) {
      self.windowMemory = windowMemory
      self.hashSeed = hashSeed
    }
  }

  var users = Table<UserState>()
  var channels = Table<ChannelState>()
  var userRefs: TreeDictionary<UserID, UserRef> = [:]
  var channelRefs: TreeDictionary<ChannelName, ChannelRef> = [:]
  /// Who has which username.
  var usernames: TreeDictionary<String, UserRef> = [:]
  /// Words that users are found by.
  var names = NameIndex()
  var keys: KeyTable
  /// Names the numbering of records that positions in user streams belong to.
  var stream = ""
  /// Records applied so far, refused ones included.
  var recordCount = 0
  /// Time of the newest record.
  var newestTs = Timestamp(milliseconds: 0)
  private(set) var windowWeight = 0
  /// The channel that the search for windows that may go looks at next.
  var windowHand: UInt32 = 0
  private let windowMemory: Int

  package init(configuration: Configuration) {
    let (low, high) = configuration.hashSeed
    keys = KeyTable(hashKey: SipHash.Key(low: low, high: high))
    windowMemory = configuration.windowMemory
  }

  /// An empty registry with the settings of one that was stored.
  init(keys: KeyTable, windowMemory: Int, settings: StoredSettings) {
    self.keys = keys
    self.windowMemory = windowMemory
    stream = settings.stream
    recordCount = settings.recordCount
    newestTs = settings.newestTs
  }

  /// Adds a channel under its name.
  mutating func addChannel(_ channel: ChannelState) -> ChannelRef {
    let ref = ChannelRef(index: UInt32(channels.count))
    if !channel.isDeleted { channelRefs[channel.name] = ref }
    channels.append(channel)
    return ref
  }

  /// Notes that a window grew or shrank, and lets the coldest windows go while all together are
  /// over their limit. The window of `newest` goes only when nothing else is left.
  mutating func windowChanged(by weight: Int, in newest: ChannelRef? = nil) {
    windowWeight += weight
    guard windowWeight > windowMemory else { return }
    // Twice round at most: the first pass takes the warmth, the second the messages.
    for _ in 0..<(2 * channels.count) where windowWeight > windowMemory {
      if windowHand != newest?.index { cool(windowHand) }
      windowHand = (windowHand + 1) % UInt32(channels.count)
    }
    if windowWeight > windowMemory, let newest { clearWindow(newest.index) }
  }

  private mutating func cool(_ channel: UInt32) {
    guard channels[channel].isWarm else { return clearWindow(channel) }
    channels[channel].isWarm = false
  }

  private mutating func clearWindow(_ channel: UInt32) {
    windowWeight -= channels[channel].window.weight
    channels[channel].window.removeAll()
  }
}
