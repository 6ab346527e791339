import HashTreeCollections
import HubProtocol

/// All durable state: users, channels, memberships, windows, keys, inboxes. A deterministic fold
/// over records: it reads no clock and draws no random number, and a refused record changes
/// nothing. Copying it is cheap, and what can grow large is written in chunks, so that a copy may
/// be kept while it changes.
package struct Registry: Sendable {
  /// How much memory the windows of all channels take together.
  package struct Configuration: Sendable {
    /// Bytes of messages in memory, over all channels, above which the coldest leave it.
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
  /// What notifications are of.
  var notificationTypes = NotificationTypes()
  /// Bodies that were given to history so far, and so the newest one's number.
  var bodyCount = 0
  /// What is being done to many inboxes, the oldest first.
  var runs: [NotifyRun] = []
  package var inboxUsage = InboxUsage()
  /// What records did to inboxes since somebody last took it; no part of the state.
  var inboxNews = InboxNews()
  /// Records applied so far, refused ones included.
  var recordCount = 0
  /// Time of the newest record.
  var newestTs = Timestamp(milliseconds: 0)
  /// Bytes of messages in memory, over all channels.
  package private(set) var windowWeight = 0
  /// How much of that is wanted.
  let windowMemory: Int

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
    notificationTypes = settings.types
    bodyCount = settings.bodyCount
    runs = settings.runs
    inboxUsage = settings.inboxUsage
  }

  /// Adds a channel under its name.
  mutating func addChannel(_ channel: ChannelState) -> ChannelRef {
    let ref = ChannelRef(index: UInt32(channels.count))
    if !channel.isDeleted { channelRefs[channel.name] = ref }
    channels.append(channel)
    return ref
  }

  /// Notes that a window grew or shrank.
  mutating func windowChanged(by weight: Int) {
    windowWeight += weight
  }
}
