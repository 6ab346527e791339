package import NIOCore

/// Turns a peer's bytes, cut anywhere, into messages and control frames (RFC 6455 §5).
///
/// A message that lies whole and unfragmented in the buffer is unmasked where it lies and handed
/// out as a slice. Everything else is copied once, as it arrives, so memory follows the bytes
/// received and never the length announced; nothing is kept between messages.
package struct MessageDecoder: ~Copyable {
  private enum State {
    /// Between two frames or inside a header. → `payload`, `ended`
    case header
    /// Inside the payload of a frame. → `header`, `ended`
    case payload(FrameHead, received: Int)
    /// After a close frame or a violation. Final: what follows is dropped.
    case ended
  }

  private var state = State.header
  private var headers: FrameHeaderDecoder
  private var message: PartialMessage?
  private var control: ByteBuffer?
  private let maxMessageBytes: Int

  /// - Parameters:
  ///   - expectsMask: whether the peer is a client, whose frames must be masked (§5.1).
  ///   - maxMessageBytes: the most bytes of payload a message may have over all its fragments.
  package init(expectsMask: Bool, maxMessageBytes: Int) {
    self.headers = FrameHeaderDecoder(expectsMask: expectsMask)
    self.maxMessageBytes = maxMessageBytes
  }

  /// The next unit, or `nil` when more bytes are needed; the bytes it is made of are consumed.
  ///
  /// The buffer's own bytes are overwritten where they were masked, even if somebody else holds
  /// a copy of the buffer: give it only bytes nobody else is going to read.
  package mutating func next(_ buffer: inout ByteBuffer) -> ReceivedUnit? {
    do throws(Violation) {
      let unit = try self.advance(&buffer)
      if case .close = unit {
        self.end()
      }
      return unit
    } catch {
      self.end()
      return .violation(error)
    }
  }

  private mutating func end() {
    self.state = .ended
    self.message = nil
    self.control = nil
  }

  private mutating func advance(_ buffer: inout ByteBuffer) throws(Violation) -> ReceivedUnit? {
    while true {
      switch self.state {
      case .ended:
        buffer.moveReaderIndex(to: buffer.writerIndex)
        return nil
      case .header:
        let inMessage = self.message != nil
        guard let head = try self.headers.next(&buffer, inMessage: inMessage) else {
          return nil
        }
        try self.admit(head)
        self.state = .payload(head, received: 0)
      case .payload(let head, let received):
        guard buffer.readableBytes > 0 || received == head.length else { return nil }
        if let unit = try self.payload(of: head, received: received, &buffer) {
          return unit
        }
      }
    }
  }

  /// Refuses a message as soon as a header announces too much of it (§7.4.1, 1009).
  private borrowing func admit(_ head: FrameHead) throws(Violation) {
    guard !head.opcode.isControl else { return }
    let room = self.maxMessageBytes - (self.message?.bytes.readableBytes ?? 0)
    guard head.length <= room else { throw .messageTooBig }
  }

  private mutating func payload(
    of head: FrameHead, received: Int, _ buffer: inout ByteBuffer
  ) throws(Violation) -> ReceivedUnit? {
    let isAlone = head.opcode.isControl || (head.isFinal && self.message == nil)
    if isAlone, received == 0, buffer.readableBytes >= head.length {
      self.state = .header
      return try self.wholeFrame(head, &buffer)
    }
    let count = min(buffer.readableBytes, head.length - received)
    if head.opcode.isControl {
      Self.move(count, from: &buffer, to: &self.control, head, offset: received)
    } else {
      try self.extendMessage(count, head, received: received, &buffer)
    }
    guard received + count == head.length else {
      self.state = .payload(head, received: received + count)
      return nil
    }
    self.state = .header
    return try self.finish(head)
  }
}

// MARK: - Frames that are there as a whole

extension MessageDecoder {
  private func wholeFrame(
    _ head: FrameHead, _ buffer: inout ByteBuffer
  ) throws(Violation) -> ReceivedUnit? {
    let start = buffer.readerIndex
    let isASCII = Self.unmask(buffer, at: start, count: head.length, head.mask)
    guard let payload = buffer.readSlice(length: head.length) else {
      return nil
    }
    if head.opcode == .text, !isASCII {
      var validator = UTF8Validator()
      // SAFETY: the pointer is only read and does not leave the closure.
      let isValid = payload.withUnsafeReadableBytes { validator.accept($0) }
      guard isValid, validator.isComplete else { throw .invalidUTF8 }
    }
    return try Self.unit(head.opcode, payload)
  }

  private static func unit(
    _ opcode: Opcode, _ payload: ByteBuffer
  ) throws(Violation) -> ReceivedUnit? {
    switch opcode {
    case .text: .message(WebSocketMessage(kind: .text, payload: payload))
    case .binary: .message(WebSocketMessage(kind: .binary, payload: payload))
    case .ping: .ping(payload)
    case .pong: .pong(payload)
    case .close: .close(try CloseFrame(payload: payload))
    case .continuation: nil
    }
  }

  /// Unmasks bytes of `buffer` where they lie. Whether they are known to be all ASCII.
  private static func unmask(
    _ buffer: ByteBuffer, at index: Int, count: Int, _ mask: MaskKey?, offset: Int = 0
  ) -> Bool {
    guard let mask, count > 0 else { return count == 0 }
    // SAFETY: `index` and `count` lie within the readable bytes (the caller compared them with
    // `readableBytes`). Writing without a uniqueness check is sound because the region is written
    // exactly once, before any slice of it is handed out, on the loop that owns the connection;
    // `next(_:)` demands that nobody else reads the buffer it is given.
    return buffer.withVeryUnsafeBytes { storage in
      let region = UnsafeMutableRawBufferPointer(mutating: storage)[index..<index + count]
      return mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: region), offset: offset)
    }
  }
}

// MARK: - Frames and messages that come in pieces

extension MessageDecoder {
  /// A data message of which at least one frame has begun and not all bytes are there.
  struct PartialMessage {
    let kind: WebSocketMessage.Kind
    var bytes = ByteBuffer()
    var validator = UTF8Validator()
  }

  /// Copies `count` bytes behind those of `target` and unmasks them. Whether they are all ASCII.
  @discardableResult
  private static func move(
    _ count: Int, from buffer: inout ByteBuffer, to target: inout ByteBuffer?, _ head: FrameHead,
    offset: Int
  ) -> Bool {
    let isASCII = Self.unmask(
      buffer, at: buffer.readerIndex, count: count, head.mask, offset: offset)
    var collected = target.take() ?? ByteBuffer()
    if var piece = buffer.readSlice(length: count) {
      collected.writeBuffer(&piece)
    }
    target = collected
    return isASCII
  }

  private mutating func extendMessage(
    _ count: Int, _ head: FrameHead, received: Int, _ buffer: inout ByteBuffer
  ) throws(Violation) {
    let kind: WebSocketMessage.Kind = head.opcode == .binary ? .binary : .text
    var message = self.message.take() ?? PartialMessage(kind: kind)
    var bytes: ByteBuffer? = message.bytes
    message.bytes = ByteBuffer()
    let start = bytes?.writerIndex ?? 0
    let isASCII = Self.move(count, from: &buffer, to: &bytes, head, offset: received)
    message.bytes = bytes.take() ?? ByteBuffer()
    if message.kind == .text, !(isASCII && message.validator.isComplete) {
      // SAFETY: the pointer is only read and does not leave the closure; `start` was the end of
      // the readable bytes, which begin at 0, before the new ones were written.
      let isValid = message.bytes.withUnsafeReadableBytes { bytes in
        message.validator.accept(UnsafeRawBufferPointer(rebasing: bytes[start...]))
      }
      guard isValid else { throw .invalidUTF8 }
    }
    self.message = message
  }

  private mutating func finish(_ head: FrameHead) throws(Violation) -> ReceivedUnit? {
    if head.opcode.isControl {
      return try Self.unit(head.opcode, self.control.take() ?? ByteBuffer())
    }
    guard head.isFinal, let message = self.message.take() else { return nil }
    guard message.validator.isComplete else { throw .invalidUTF8 }
    return .message(WebSocketMessage(kind: message.kind, payload: message.bytes))
  }
}
