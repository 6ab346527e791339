import HubCore
import HubProtocol
import HubServer
import NIOCore
import Testing

/// A channel as tests speak of it.
struct TestChannel: Hashable {
  let ref: ChannelRef
  let name: ChannelName

  init(_ index: UInt32) throws {
    ref = ChannelRef(index: index)
    name = try #require(ChannelName("room:\(index)"))
  }

  func message(_ seq: Int) -> Mark { .message(ref, name, seq: seq) }
  func change(_ rev: Int) -> Mark { .change(ref, name, rev: rev) }
  var event: Mark { .channelEvent(ref, name) }
  var typing: Mark { .latest(.typing(name)) }
  var unread: Mark { .latest(.unread(name)) }
}

extension OutboundLanes.Item {
  /// In short: the text of a frame, `gap room:1 3-7 r2`, `user gap`, `nobody types in room:1`.
  var summary: String {
    switch self {
    case .frame(let frame):
      String(buffer: frame).replacing("~", with: "")
    case .event(.gap(let gap)):
      "gap \(gap.channel) \(gap.from)-\(gap.to) r\(gap.rev)"
    case .event(.userGap):
      "user gap"
    case .event(.typing(let channel, [])):
      "nobody types in \(channel)"
    case .event(let event):
      "unexpected \(event)"
    }
  }
}

extension OutboundLanes {
  /// Takes in a frame with that text, filled up to `bytes`.
  mutating func add(
    _ text: String, _ mark: Mark, bytes: Int = 0, behind position: (seq: Int, rev: Int) = (0, 0)
  ) {
    var frame = ByteBuffer(string: text)
    while frame.readableBytes < bytes { frame.writeString("~") }
    add(frame, mark, behind: ChannelPosition(seq: position.seq, rev: position.rev))
  }

  /// Takes out everything, in short.
  mutating func takeAll() -> [String] {
    var all: [String] = []
    while !isEmpty { all += takePiece(ofAbout: 1_000).map(\.summary) }
    return all
  }
}
