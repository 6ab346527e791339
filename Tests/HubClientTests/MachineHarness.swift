import HubClient
import HubProtocol
import NIOCore
import SeededRandom
import Testing

/// A client machine with a clock and chance of its own, and what it asked its shell to do.
struct MachineHarness: ~Copyable {
  var machine: ClientMachine
  var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
  var random = SplitMix64(seed: 42)

  static let session =
    #"{"user":{"id":"ana"},"session":"s1","heartbeat_ms":25000,"user_stream":{"channels":[]}}"#

  init(_ configuration: HubConfiguration = HubConfiguration()) {
    machine = ClientMachine(
      configuration: configuration, hello: [UInt8](#","token":"dev:ana""#.utf8))
  }

  /// One that is connected; its hello had id 1.
  static func connected(
    _ configuration: HubConfiguration = HubConfiguration()
  ) -> MachineHarness {
    var harness = MachineHarness(configuration)
    _ = harness.machine.connect()
    harness.open()
    return harness
  }

  /// Opens the WebSocket and answers hello; gives what was sent behind it.
  @discardableResult
  mutating func open() -> [Sent] {
    let hello = Sent.all(in: machine.opened(now))
    return Sent.all(in: hear(#"{"id":\#(hello.first?.id ?? 0),"ok":\#(Self.session)}"#))
  }

  mutating func hear(_ text: String) -> [ClientMachine.Action] {
    machine.received([UInt8](text.utf8), now)
  }

  mutating func lose(_ end: LinkEnd = .abrupt("broken")) -> [ClientMachine.Action] {
    machine.ended(end, now, random: &random)
  }

  mutating func wait(_ time: TimeAmount, hasHeard: Bool = true) -> [ClientMachine.Action] {
    now = now + time
    return machine.timePassed(now, hasHeard: hasHeard)
  }

  mutating func send(_ op: String, repeatable: Bool = true) -> (RequestID, [ClientMachine.Action]) {
    let id = machine.makeID()
    let bytes = RequestText.encode(id: id, operation: op, members: [])
    return (id, machine.request(id, bytes: bytes, isRepeatable: repeatable, now))
  }

  mutating func subscribe(
    to channel: ChannelName, since: HubPosition? = nil, newest: Int = 0
  ) -> [ClientMachine.Action] {
    machine.subscribe(to: channel, since: since, newest: newest, now)
  }
}

/// A request that the machine sent.
struct Sent: Equatable {
  let id: Int
  let op: String
  let json: String

  static func all(in actions: [ClientMachine.Action]) -> [Sent] {
    actions.compactMap { action in
      guard case .send(let bytes) = action, let object = JSONObject(bytes) else { return nil }
      return Sent(
        id: object.integer("id") ?? 0, op: object.string("op") ?? "",
        json: String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// What the reader of one subscription was told, in short.
func told(_ actions: [ClientMachine.Action]) -> [String] {
  actions.compactMap { action in
    switch action {
    case .yield(_, .event(let event)):
      if case .message(let message) = event.body { "\(message.seq)" } else { event.name }
    case .yield(_, .reset(let position)): "reset \(position?.seq ?? -1)"
    case .yield(_, .missed(let count)): "missed \(count)"
    case .end(_, let error): "end \(error?.code ?? "well")"
    case .begin: "begin"
    case .open, .send, .sendClose, .abort, .finish, .tell, .change: nil
    }
  }
}

func messageEvent(_ channel: ChannelName, _ seq: Int) -> String {
  #"{"ev":"message","channel":"\#(channel)","seq":\#(seq),"user":"ben","ts":1,"text":"m\#(seq)"}"#
}

func subscribeReply(
  _ id: Int, epoch: String = "e", seq: Int, recovered: Bool, messages: [Int] = [],
  channel: ChannelName
) -> String {
  let list = messages.map {
    #"{"channel":"\#(channel)","seq":\#($0),"user":"ben","ts":1,"text":"m\#($0)"}"#
  }.joined(separator: ",")
  return #"{"id":\#(id),"ok":{"epoch":"\#(epoch)","seq":\#(seq),"rev":0,"recovered":\#(recovered),"#
    + #""messages":[\#(list)]}}"#
}

/// The event that a text is.
func event(_ text: String) throws -> HubEvent {
  let json = try #require(HubJSON(text))
  return try #require(HubEvent(json: json))
}
