import NIOCore
import NIOHTTP1

/// NIO's HTTP decoder with an exit: once ``stop()`` was called no byte is parsed as HTTP any more,
/// and the bytes left over go on unparsed when the handler around it is removed.
///
/// NIO's own stops where *its* reading of `Upgrade` and `Connection` sees an upgrade. Where that
/// differs from ours, the handlers behind would be given HTTP where they expect bytes, which stops
/// the program; so we decide.
final class UpgradableHTTPDecoder<In, Out>: ByteToMessageDecoder {
  typealias InboundOut = In

  private let http: HTTPDecoder<In, Out>
  private var isStopped = false

  /// The limits of one head: a field of 8 KiB, 16 KiB in all, 100 fields.
  static var limits: NIOHTTPDecoderLimitConfiguration {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 8 * 1024
    limits.maxHeaderListSize = 16 * 1024
    limits.maxHeaderFieldCount = 100
    return limits
  }

  /// The most bytes that may wait unparsed, in the handler around this decoder.
  static var maxWaitingBytes: Int { 4 * 1024 * 1024 }

  init() {
    self.http = HTTPDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: Self.limits)
  }

  func stop() {
    self.isStopped = true
  }

  func decoderAdded(context: ChannelHandlerContext) {
    self.http.decoderAdded(context: context)
  }

  func decoderRemoved(context: ChannelHandlerContext) {
    self.http.decoderRemoved(context: context)
  }

  func decode(
    context: ChannelHandlerContext, buffer: inout ByteBuffer
  ) throws -> DecodingState {
    self.isStopped ? .needMoreData : try self.http.decode(context: context, buffer: &buffer)
  }

  func decodeLast(
    context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
  ) throws -> DecodingState {
    guard self.isStopped else {
      return try self.http.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }
    if buffer.readableBytes > 0, !seenEOF {
      context.fireChannelRead(NIOAny(buffer))
    }
    buffer.moveReaderIndex(to: buffer.writerIndex)
    return .needMoreData
  }
}

extension UpgradableHTTPDecoder where In == HTTPClientResponsePart, Out == HTTPClientRequestPart {
  /// Says which request the next response answers. NIO would watch what is written to learn that,
  /// and stop the program at the first frame written before the decoder has left.
  func expectResponse(to head: HTTPRequestHead) {
    self.http.write(data: .head(head))
  }
}
