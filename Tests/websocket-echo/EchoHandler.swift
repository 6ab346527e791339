import HubWebSocket
import NIOCore

/// Sends every message back as it came, and reads no further while the peer does not read.
final class EchoHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage
  typealias OutboundOut = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let message = self.unwrapInboundIn(data)
    let opcode: Opcode =
      switch message.kind {
      case .text: .text
      case .binary: .binary
      }
    let frame = Frame.encode(
      opcode, payload: message.payload, mask: nil, allocator: context.channel.allocator)
    context.write(self.wrapOutboundOut(frame), promise: nil)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.flush()
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    let isWritable = context.channel.isWritable
    do {
      try context.channel.syncOptions?.setOption(.autoRead, value: isWritable)
    } catch {
      context.close(promise: nil)
    }
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
