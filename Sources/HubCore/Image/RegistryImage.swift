import HashTreeCollections
import HubProtocol

/// What a block of an image holds.
package enum ImageSection: UInt8, Sendable, CaseIterable {
  /// Counts and settings: one block, the first.
  case settings = 1
  /// Users in order of appearance.
  case users = 2
  /// Channels in order of creation.
  case channels = 3
  /// Pages of idempotency keys.
  case keys = 4
}

/// The registry as it was at one moment, to be written while the registry itself goes on. Equal
/// registries give equal bytes, in every process.
package struct RegistryImage: Sendable {
  /// Bytes after which a block is ended; one element may be larger.
  static let blockBytes = 256 * 1024

  private let registry: Registry

  init(_ registry: Registry) {
    self.registry = registry
  }

  /// Which notifications are in some inbox.
  package func liveNotifications() -> LiveNotifications { registry.liveNotifications() }

  /// Hands the image over block by block, in order.
  package func write(_ take: (ImageSection, [UInt8]) throws -> Void) rethrows {
    var image = ImageWriter()
    registry.writeSettings(to: &image)
    try take(.settings, image.bytes)
    try write(.users, count: registry.users.count, take) {
      registry.users[UInt32($1)].write(to: &$0)
    }
    try write(.channels, count: registry.channels.count, take) {
      registry.channels[UInt32($1)].write(to: &$0)
    }
    try write(.keys, count: registry.keys.pages.count, take) { image, index in
      registry.keys.writePage(index, to: &image)
    }
  }

  private func write(
    _ section: ImageSection, count: Int, _ take: (ImageSection, [UInt8]) throws -> Void,
    _ element: (inout ImageWriter, Int) -> Void
  ) rethrows {
    var image = ImageWriter()
    for index in 0..<count {
      element(&image, index)
      guard image.bytes.count >= Self.blockBytes || index == count - 1 else { continue }
      try take(section, image.bytes)
      image.removeAll()
    }
  }
}

/// Makes a registry of an image's blocks.
package struct RegistryLoader {
  private var registry: Registry?
  private let windowMemory: Int
  private var expected = (users: 0, channels: 0)
  private var userIDs: [UserID] = []
  private var newestSection = ImageSection.settings
  private var pageCount = 0

  /// `windowMemory` as in `Registry.Configuration`; it is not part of the image.
  package init(windowMemory: Int) {
    self.windowMemory = windowMemory
  }

  /// Takes the next block.
  package mutating func take(_ section: ImageSection, _ bytes: [UInt8]) throws(ImageError) {
    var image = ImageReader(bytes)
    guard var registry = registry.take() else {
      guard section == .settings else { throw image.error("the settings") }
      let keys = try readSettings(from: &image)
      self.registry = Registry(keys: keys.table, windowMemory: windowMemory, settings: keys.rest)
      guard image.isAtEnd else { throw image.error("the end of the block") }
      return
    }
    guard section.rawValue >= newestSection.rawValue else {
      throw image.error("the sections in order")
    }
    newestSection = section
    while !image.isAtEnd {
      switch section {
      case .settings: throw image.error("the settings only once")
      case .users:
        let user = try UserState(from: &image, userCount: expected.users)
        guard user.inbox.types.allSatisfy(registry.notificationTypes.has) else {
          throw image.error("items of known types")
        }
        userIDs.append(user.id)
        guard registry.restore(user) else { throw image.error("no user twice") }
      case .channels:
        let channel = try ChannelState(from: &image, userIDs: userIDs)
        guard registry.restore(channel) else { throw image.error("no channel twice") }
      case .keys:
        try registry.keys.readPage(after: pageCount, from: &image)
        pageCount += 1
      }
    }
    self.registry = registry
  }

  /// The registry, once all blocks were taken.
  package consuming func finish() throws(ImageError) -> Registry {
    guard var registry else { throw ImageError(offset: 0, expected: "the settings") }
    let pages = registry.keys.pages.count
    guard registry.users.count == expected.users, registry.channels.count == expected.channels,
      pageCount == pages
    else {
      let rule =
        "\(expected.users) users, \(expected.channels) channels and \(pages) pages of keys"
      throw ImageError(offset: 0, expected: rule)
    }
    registry.restoreBlockers()
    return registry
  }

  private mutating func readSettings(
    from image: inout ImageReader
  ) throws(ImageError) -> (table: KeyTable, rest: Registry.StoredSettings) {
    let users = try image.number()
    let channels = try image.number()
    let rest = try Registry.StoredSettings(
      from: &image, userCount: users, channelCount: channels)
    guard !rest.stream.isEmpty else { throw image.error("the name of the numbering") }
    expected = (users, channels)
    return (try KeyTable(fromSettings: &image), rest)
  }
}
