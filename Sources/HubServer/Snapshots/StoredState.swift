import HubCore
import HubProtocol
import HubStorage
import Logging

/// What a hub finds in its data directory when it starts, and leaves there when it stops.
struct StoredState {
  /// The registry of the newest good snapshot; nil on a fresh directory.
  let registry: Registry?
  /// The newest record in it.
  let lsn: LSN
  /// Whether epochs must be renewed, because what was answered last may be lost.
  let isUnclean: Bool
  let store: SnapshotStore
  let storeID: StoreID
  // Held for its lock.
  private let directory: DataDirectory

  /// Opens the directory and loads what is there; says in the log what was found.
  init(_ configuration: ServerConfiguration, logger: Logger) throws(StartError) {
    do {
      directory = try DataDirectory(path: configuration.dataDirectory)
    } catch {
      throw .dataDirectory(error)
    }
    store = SnapshotStore(directory)
    let loaded: SnapshotStore.Loaded
    do {
      loaded = try store.load(
        windowMemory: configuration.windowMemory.bytes,
        acceptsDataLoss: configuration.acceptsDataLoss)
    } catch {
      throw .snapshots(error)
    }
    for flaw in loaded.setAside {
      logger.warning("snapshot set aside", metadata: ["flaw": "\(flaw)"])
    }
    registry = loaded.state?.registry
    lsn = loaded.state?.header.lsn ?? LSN(0)
    isUnclean = loaded.state != nil && (!loaded.wasStoppedCleanly || !loaded.setAside.isEmpty)
    storeID = loaded.state?.header.store ?? Self.randomID()
    guard let file = loaded.file else { return }
    logger.notice(
      "snapshot loaded",
      metadata: [
        "file": "\(file)", "lsn": "\(lsn.number)",
        "epochs": isUnclean ? "new: the hub before this one did not stop in order" : "kept",
      ])
  }

  /// Notes that a hub runs here.
  func markRunning() throws(StartError) {
    do {
      try store.markRunning()
    } catch {
      throw .snapshots(.file(error))
    }
  }

  private static func randomID() -> StoreID {
    var random = SystemRandomNumberGenerator()
    return StoreID(high: random.next(), low: random.next())
  }
}
