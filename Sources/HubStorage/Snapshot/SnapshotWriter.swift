import Crypto
import HubCore

/// Writes one snapshot into a file: header, blocks each with its checksum, and a digest of it all.
struct SnapshotWriter {
  /// Marks the last block, which holds the SHA-256 of everything before it.
  static let footer: UInt8 = 0xff
  /// Bytes in front of each block: its kind, its length, its checksum.
  static let blockHeaderBytes = 12
  /// Bytes after which what was written is brought to the disk, so that the sync at the end does
  /// not have all of it to wait for.
  private static let syncBytes = 8 * 1024 * 1024

  private let file: any OpenFile
  private var digest = SHA256()
  private var unsynced = 0
  /// Bytes of the file so far.
  private(set) var byteCount = 0

  init(_ file: any OpenFile, header: SnapshotHeader) throws(FileError) {
    self.file = file
    try write(header.bytes)
  }

  /// Adds a block of the image.
  mutating func add(_ section: ImageSection, _ payload: [UInt8]) throws(FileError) {
    try write(Self.block(section.rawValue, payload))
  }

  /// Ends the file and waits until it is on the disk; answers its length.
  mutating func finish() throws(FileError) -> Int {
    try write(Self.block(Self.footer, Array(digest.finalize())))
    try file.sync()
    return byteCount
  }

  private mutating func write(_ bytes: [UInt8]) throws(FileError) {
    digest.update(data: bytes)
    try file.write(bytes, at: byteCount)
    byteCount += bytes.count
    unsynced += bytes.count
    guard unsynced >= Self.syncBytes else { return }
    try file.sync()
    unsynced = 0
  }

  private static func block(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var block: [UInt8] = []
    block.reserveCapacity(blockHeaderBytes + payload.count)
    block += [kind, 0, 0, 0]
    block.append(littleEndian: UInt32(payload.count))
    var crc = CRC32C()
    crc.add(block)
    crc.add(payload)
    block.append(littleEndian: crc.value)
    return block + payload
  }
}
