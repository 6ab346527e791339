import Crypto
package import HubCore

/// Reads a snapshot file and checks every byte of it. Whatever the file holds, the answer is a
/// value or a flaw.
package struct SnapshotReader {
  /// One block, and where it begins.
  package struct Block {
    package let section: ImageSection
    package let payload: [UInt8]
    package let offset: Int
  }

  /// Bytes in front of each block's payload.
  package static let blockHeaderBytes = SnapshotWriter.blockHeaderBytes
  /// Bytes of the digest at the end, as a block.
  package static let footerBytes = blockHeaderBytes + 32

  package let header: SnapshotHeader
  private let file: any OpenFile
  private var digest = SHA256()
  private var offset = SnapshotHeader.byteCount
  private var isDone = false

  /// Opens a snapshot and reads its header.
  package init(
    _ path: String, on files: any FileSystem = DiskFileSystem()
  ) throws(SnapshotFlaw) {
    do {
      file = try files.open(path, .reading)
      let bytes = try file.read(SnapshotHeader.byteCount, at: 0)
      header = try SnapshotHeader(bytes)
      digest.update(data: bytes)
    } catch let error as FileError {
      throw .unreadable(error)
    } catch let flaw as SnapshotFlaw {
      throw flaw
    } catch {
      throw .damaged(offset: 0, "\(error)")
    }
  }

  /// The next block; nil when the end was reached and everything was as it should be.
  package mutating func next() throws(SnapshotFlaw) -> Block? {
    guard !isDone else { return nil }
    let start = offset
    let head = try read(SnapshotWriter.blockHeaderBytes, "a block")
    let length: UInt32 = head.integer(at: 4)
    let payload = try read(Int(length), "\(length) bytes of a block")
    var crc = CRC32C()
    crc.add(head.prefix(8))
    crc.add(payload)
    guard crc.value == head.integer(at: 8) else {
      throw .damaged(offset: start, "the checksum of a block is wrong")
    }
    guard head[0] == SnapshotWriter.footer else {
      guard let section = ImageSection(rawValue: head[0]) else {
        throw .damaged(offset: start, "a block of unknown kind \(head[0])")
      }
      digest.update(data: head)
      digest.update(data: payload)
      return Block(section: section, payload: payload, offset: start)
    }
    guard payload == Array(digest.finalize()) else {
      throw .damaged(offset: start, "the digest of the file is wrong")
    }
    guard try readRest().isEmpty else {
      throw .damaged(offset: offset, "there is more behind the end")
    }
    isDone = true
    return nil
  }

  /// The registry of a snapshot, every byte checked.
  package static func registry(
    at path: String, on files: any FileSystem = DiskFileSystem(), windowMemory: Int
  ) throws(SnapshotFlaw) -> (header: SnapshotHeader, registry: Registry) {
    var reader = try SnapshotReader(path, on: files)
    var loader = RegistryLoader(windowMemory: windowMemory)
    while let block = try reader.next() {
      do {
        try loader.take(block.section, block.payload)
      } catch {
        throw .damaged(offset: block.offset, "in a block: \(error)")
      }
    }
    do {
      return (reader.header, try loader.finish())
    } catch {
      throw .damaged(offset: reader.offset, "\(error)")
    }
  }

  private mutating func read(_ count: Int, _ what: String) throws(SnapshotFlaw) -> [UInt8] {
    do {
      let bytes = try file.read(count, at: offset)
      guard bytes.count == count else {
        throw SnapshotFlaw.damaged(offset: offset, "the file ends where \(what) should be")
      }
      offset += count
      return bytes
    } catch let flaw as SnapshotFlaw {
      throw flaw
    } catch let error as FileError {
      throw .unreadable(error)
    } catch {
      throw .damaged(offset: offset, "\(error)")
    }
  }

  private func readRest() throws(SnapshotFlaw) -> [UInt8] {
    do throws(FileError) {
      return try file.read(1, at: offset)
    } catch {
      throw .unreadable(error)
    }
  }
}
