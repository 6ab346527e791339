import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A connection's socket, written to without the detour over the pipeline's outbound side, which
/// costs more than the system call itself (`scripts/bench rooms` shows by how much).
///
/// Valid only while the channel is active and nothing of it waits in the pipeline: the caller looks
/// at both before each call, on the channel's loop, which is where the channel is closed too.
struct DirectSocket {
  private let descriptor: CInt

  /// Nil for a channel without a socket, as in tests.
  init?(of channel: any Channel) {
    // SAFETY: the handle is used as the type's comment says.
    let handle = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) { $0 }
    guard let handle = handle ?? nil else { return nil }
    descriptor = handle
  }

  /// Hands bytes to the system; answers how many it took. Fewer than all, or none, when the
  /// socket's buffer is full or the connection has ended: the rest is then the pipeline's, which
  /// waits or finds out.
  func send(_ bytes: ByteBuffer) -> Int {
    // SAFETY: the system reads the buffer's readable bytes during the call.
    let taken = bytes.withUnsafeReadableBytes {
      system_send(descriptor, $0.baseAddress, $0.count)
    }
    return max(0, taken)
  }

  /// Bytes that were handed to the system and that the peer's system has not confirmed yet; 0 where
  /// it cannot be known.
  var unconfirmed: Int {
    var count: CInt = 0
    #if canImport(Darwin)
      var size = socklen_t(MemoryLayout<CInt>.size)
      let result = getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size)
    #else
      let result = ioctl(descriptor, UInt(TIOCOUTQ), &count)
    #endif
    return result == 0 ? Int(count) : 0
  }
}

// SAFETY: the caller's buffer holds `count` bytes.
private func system_send(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
    send(file, bytes, count, CInt(MSG_DONTWAIT))
  #else
    send(file, bytes, count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
  #endif
}
