/// Where files are kept: the seam under the journal and the snapshots. What is made, renamed or
/// removed is there for good once its directory is synced, what is written once its file is.
/// Calls block: not for event loops.
package protocol FileSystem: Sendable {
  /// Opens a file.
  func open(_ path: String, _ mode: FileMode) throws(FileError) -> any OpenFile

  /// The names of all files of a directory, sorted.
  func names(in directory: String) throws(FileError) -> [String]

  /// Whether there is something of that name.
  func exists(_ path: String) -> Bool

  /// Gives a file another name, in place of what has that name, at one stroke.
  func rename(_ path: String, to other: String) throws(FileError)

  /// Deletes a file, if it is there.
  func remove(_ path: String) throws(FileError)

  /// Makes a directory, if it is not there. The one above it must be.
  func makeDirectory(_ path: String) throws(FileError)

  /// Waits until made, renamed and deleted names of a directory are on the disk.
  func syncDirectory(_ path: String) throws(FileError)
}

/// What a file is opened for.
package enum FileMode: Equatable, Sendable {
  /// A file that is there, to be read.
  case reading
  /// A file that is there, to be read and written.
  case writing
  /// An empty file, whatever was there, to be read and written.
  case creating
}

/// One open file, closed when this goes away.
package protocol OpenFile: AnyObject, Sendable {
  var path: String { get }

  /// Bytes of the file.
  func size() throws(FileError) -> Int

  /// Reads up to `count` bytes from an offset on; fewer at the end of the file only.
  func read(_ count: Int, at offset: Int) throws(FileError) -> [UInt8]

  /// Writes all bytes at an offset. When it fails, any part of them may have been written.
  func write(_ bytes: [UInt8], at offset: Int) throws(FileError)

  /// Makes the file at least that long, its new part zeros that have their room on the disk.
  func preallocate(_ size: Int) throws(FileError)

  /// Waits until everything written is on the disk. When it fails, nobody knows what is.
  func sync() throws(FileError)
}
