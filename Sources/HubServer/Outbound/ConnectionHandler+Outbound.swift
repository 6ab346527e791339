import HubProtocol
import HubWebSocket
import NIOCore

/// What goes out on a connection. While the socket takes everything, each tick's frames are one
/// write straight to it. From the first write that it does not take whole, frames wait in lanes,
/// and are written on in pieces as the peer takes them, until the lanes are empty.
extension ConnectionHandler {
  /// About how much of the lanes is given to the pipeline at once, and so about what may wait there
  /// besides the lanes. 64 KiB, for which a channel still counts as writable.
  static let pieceBytes = 64 * 1024

  /// Whether something waits that the socket has not taken: what comes then goes into the lanes.
  var isSlow: Bool { backlog != nil }

  /// Whether answers may be made: the peer has taken all but a little of those before.
  var takesAnswers: Bool {
    guard let context, backlog?.lanes.isEmpty != false else { return false }
    return context.channel.isWritable
  }

  /// Writes a tick's frames while the connection is not slow; answers how many of the bytes are on
  /// their way. The others have to be held.
  func write(_ frames: ByteBuffer) -> Int {
    let count = frames.readableBytes
    guard let context, webSocket.isOpen else { return count }
    if let socket, context.channel.isActive, !webSocket.hasUnwrittenControls {
      return socket.send(frames)
    }
    guard context.channel.isWritable, count <= Self.pieceBytes else { return 0 }
    give(frames, to: context)
    return count
  }

  /// Puts a frame into the lanes; `drain` lets it go on. `position` is where its channel stood
  /// before it.
  func hold(_ frame: ByteBuffer, _ mark: Mark, behind position: ChannelPosition) {
    guard id != nil, webSocket.isOpen else { return }
    beginBacklog().lanes.add(frame, mark, behind: position)
  }

  /// Writes bytes that may not be dropped: what the system does not take at once waits in the
  /// pipeline.
  func put(_ bytes: ByteBuffer) {
    guard let context, webSocket.isOpen else { return }
    var rest = bytes
    let isFree = backlog.map { $0.unwritten == 0 } ?? true
    if let socket, context.channel.isActive, isFree, !webSocket.hasUnwrittenControls {
      rest.moveReaderIndex(forwardBy: socket.send(bytes))
    }
    if rest.readableBytes > 0 { give(rest, to: context) } else { backlog?.hasWritten = true }
  }

  /// Writes the lanes on, piece by piece, for as long as the peer takes them.
  func drain() {
    guard let backlog, !backlog.isDraining, let context else { return }
    let hasWaiting = !backlog.lanes.isEmpty
    backlog.isDraining = true
    while backlog.unwritten == 0, context.channel.isWritable, let piece = takePiece(of: backlog) {
      put(piece)
    }
    backlog.isDraining = false
    guard backlog.lanes.isEmpty else { return }
    if backlog.unwritten == 0 { self.backlog = nil }
    if hasWaiting { goOn() }
  }

  /// Gives everything that waits to the pipeline: the connection is about to be closed behind it.
  func writeAll() {
    guard let backlog, let context, webSocket.isOpen else { return }
    while let piece = takePiece(of: backlog) {
      context.write(wrapOutboundOut(piece), promise: nil)
    }
  }

  /// Whether the peer has taken nothing for so long that the connection is given up.
  func isStuck(at now: Int) -> Bool {
    guard let backlog else { return false }
    defer { backlog.hasWritten = false }
    return backlog.progress.tick(
      now: now, waiting: bytesOnTheWay, hasWritten: backlog.hasWritten)
  }

  /// Bytes that the pipeline or the system still has, which shrink when the peer takes some. The
  /// pipeline alone would not do: the system asks for more only when a third of its own buffer,
  /// which may be megabytes, has been taken.
  private var bytesOnTheWay: Int {
    guard let context, context.channel.isActive else { return 0 }
    let waiting = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
    return (waiting ?? 0) + (socket?.unconfirmed ?? 0)
  }

  private func give(_ bytes: ByteBuffer, to context: ChannelHandlerContext) {
    let backlog = beginBacklog()
    backlog.unwritten += 1
    let written = context.eventLoop.makePromise(of: Void.self)
    // SAFETY: handlers are called on the channel's loop only, which is the promise's.
    written.futureResult.assumeIsolated().whenComplete { result in
      backlog.unwritten -= 1
      guard case .success = result else { return }
      backlog.hasWritten = true
      self.drain()
    }
    context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
  }

  private func beginBacklog() -> Backlog {
    if let backlog { return backlog }
    let begun = Backlog()
    backlog = begun
    return begun
  }

  private func takePiece(of backlog: Backlog) -> ByteBuffer? {
    let frames = backlog.lanes.takePiece(ofAbout: Self.pieceBytes).map { item in
      switch item {
      case .frame(let frame): frame
      case .event(let event): shard.frame(event)
      }
    }
    guard frames.count > 1 else { return frames.first }
    var piece = ByteBufferAllocator().buffer(
      capacity: frames.reduce(0) { $0 + $1.readableBytes })
    for frame in frames { piece.writeImmutableBuffer(frame) }
    return piece
  }
}
