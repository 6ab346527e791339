import HubCore
import HubProtocol
import HubStage
import SeededRandom
import Testing

@Suite("Architecture, Storage: a registry and its image")
struct SnapshotRoundTripTests {
  private static let seeds: [UInt64] =
    [1, 2, 3] + (0..<5).map { _ in UInt64.random(in: 0 ... .max) }

  /// A hub with everything in it that a registry can hold.
  private func fullHub(windowMemory: Int = 1 << 30) -> DrivenHub {
    let hub = DrivenHub(windowMemory: windowMemory)
    for index in 0..<150 { hub.connect("user-\(index)") }
    let members = (1..<140).map { #""user-\#($0)""# }
    for start in [0, 100] {
      let list = members.dropFirst(start).prefix(100).joined(separator: ",")
      let op =
        start == 0
        ? #""channel.create","kind":"group","name":"Großer Raum","details":"d","custom":{"a": 1}"#
        : #""member.add""#
      let name = start == 0 ? "members" : "users"
      hub.ask("user-0", #"{"op":\#(op),"channel":"big","\#(name)":[\#(list)]}"#)
    }
    hub.ask("user-0", #"{"op":"channel.create","channel":"open","kind":"public"}"#)
    hub.ask("user-1", #"{"op":"channel.create","channel":"feed:user-1","kind":"broadcast"}"#)
    hub.ask("user-2", #"{"op":"dm.open","user":"user-3"}"#)
    hub.ask("user-9", #"{"op":"channel.leave","channel":"big"}"#)
    for index in 0..<1_200 {
      let sender = index % 7
      let mention = index % 5 == 0 ? #","mentions":["user-\#(index % 140)"]"# : ""
      let key = index % 3 == 0 ? #","key":"k\#(index)""# : ""
      hub.ask(
        "user-\(sender)",
        #"{"op":"message.send","channel":"big","text":"m\#(index)"\#(mention)\#(key)}"#)
    }
    hub.ask("user-8", #"{"op":"read","channel":"big","seq":1170}"#)
    hub.ask("user-10", #"{"op":"delivered","channel":"big","seq":1180}"#)
    hub.ask("user-5", #"{"op":"message.send","channel":"big","data":[1],"reply_to":1190}"#)
    for index in 0..<260 {
      hub.ask(
        "bot-7",
        #"{"op":"notify","to":["user-4"],"type":"t\#(index % 3)","text":"x","key":"q\#(index)"}"#)
    }
    return hub
  }

  @Test("everything a registry can hold comes back, to the byte")
  func everything() throws {
    let hub = fullHub()
    let loaded = DrivenHub(try hub.image.loaded())
    #expect(loaded.digest == hub.digest)
    let channels = ["big", "open", "feed:user-1"]
    let isSame = observed(of: loaded, channels) == observed(of: hub, channels)
    #expect(isSame, "what can be asked is answered differently")
  }

  @Test("unread messages, and how many have read each, are counted again")
  func counts() throws {
    let hub = DrivenHub(try fullHub().image.loaded())
    let members = (0..<140).filter { $0 != 9 }
    let read = members.map { member in
      let answer = hub.ask("user-\(member)", #"{"op":"channel.get","channel":"big"}"#)
      return answer.firstMatch(of: #/"read":(\d+)/#).flatMap { Int($0.1) } ?? -1
    }
    hub.ask("user-0", #"{"op":"subscribe","channel":"big"}"#)
    let events = hub.ask("user-30", #"{"op":"read","channel":"big","seq":1195}"#)
    let counts = events.matches(of: #/"(\d+)":(\d+)[,}]/#).compactMap { match in
      Int(match.1).flatMap { seq in Int(match.2).map { (seq: seq, members: $0) } }
    }
    #expect(counts.map(\.seq).sorted() == Array(1152...1195))
    for count in counts {
      #expect(count.members == 1 + read.count { $0 >= count.seq }, "\(count)")
    }
  }

  @Test("windows that were let go stay gone, and the next to go is the same")
  func evicted() throws {
    let limit = 60_000
    let hub = fullHub(windowMemory: limit)
    let loaded = DrivenHub(try hub.image.loaded(windowMemory: limit), windowMemory: limit)
    #expect(loaded.digest == hub.digest)
    for owner in ["user-0", "user-1"] { loaded.connect(owner) }
    loaded.wall = hub.wall
    for channel in ["open", "big", "feed:user-1", "open"] {
      for owner in ["user-0", "user-1"] {
        for index in 0..<40 {
          let request = #"{"op":"message.send","channel":"\#(channel)","text":"\#(index)"}"#
          hub.ask(owner, request)
          loaded.ask(owner, request)
        }
      }
    }
    #expect(loaded.digest == hub.digest)
  }

  @Test("whatever happened, the image loads to the same, and goes on the same", arguments: seeds)
  func random(seed: UInt64) throws {
    var life = Life(seed: seed)
    let hub = DrivenHub()
    life.happen(1_500, on: hub)
    let loaded = DrivenHub(try hub.image.loaded())
    let again = DrivenHub(try hub.image.loaded())
    #expect(loaded.digest == hub.digest, "seed \(seed)")
    // Those who are there follow their channels: nobody is there on a hub that was just loaded.
    for name in life.names { _ = (loaded.connect(name), again.connect(name)) }
    loaded.wall = hub.wall
    again.wall = hub.wall
    for _ in 0..<600 {
      let (name, request) = life.next(mayCreate: false)
      let answer = loaded.ask(name, request)
      #expect(answer == again.ask(name, request), "seed \(seed): \(name) \(request)")
      hub.ask(name, request)
    }
    #expect(loaded.digest == hub.digest, "seed \(seed)")
    let isSame = observed(of: loaded, life.channelNames) == observed(of: hub, life.channelNames)
    #expect(isSame, "seed \(seed): what can be asked is answered differently")
  }

  /// Each process has a hash order of its own: what is the same in all of them is not made of it.
  @Test("equal registries give equal bytes in every process")
  func golden() {
    var life = Life(seed: 2_024)
    let hub = DrivenHub()
    life.happen(2_000, on: hub)
    let digest = hub.digest.prefix(8).map { String($0, radix: 16) }.joined(separator: " ")
    #expect(
      digest == "6a b8 6f 2f e7 b8 bf f1", "the hub decides otherwise now, or writes another format"
    )
  }

  @Test("what is loaded under a smaller limit keeps the newest windows within it")
  func smallerLimit() throws {
    let hub = fullHub()
    let loaded = DrivenHub(try hub.image.loaded(windowMemory: 20_000), windowMemory: 20_000)
    let answer = loaded.ask("user-0", #"{"op":"subscribe","channel":"big","limit":300}"#)
    #expect(answer.contains(#""seq":1201,"rev":0,"recovered":false,"messages":[]"#))
  }

  @Test("new epochs change nothing else")
  func renewed() throws {
    let hub = fullHub()
    let loaded = DrivenHub(try hub.image.loaded(), seed: 99)
    loaded.renewEpochs()
    func plain(_ text: String) -> String {
      text.replacing(#/"epoch":"[^"]*"/#, with: "")
    }
    let (before, after) = (observed(of: hub, ["big"]), observed(of: loaded, ["big"]))
    let isRenewed = before != after
    let isSame = plain(before) == plain(after)
    #expect(isRenewed && isSame)
  }

  /// What everybody can be told by asking.
  private func observed(of hub: DrivenHub, _ channels: [String]) -> String {
    let names = (0..<60).map { "user-\($0)" } + ["bot-7", "admin-13"]
    for name in names { hub.connect(name) }
    hub.wall = 1_800_000_000_000
    var lines: [String] = []
    for name in names {
      lines.append(hub.ask(name, #"{"op":"inbox.list","limit":100}"#))
      lines.append(hub.ask(name, #"{"op":"channel.list","sort":"name","limit":100}"#))
      lines.append(hub.ask(name, #"{"op":"channel.list","scope":"all"}"#))
      for channel in channels {
        lines.append(hub.ask(name, #"{"op":"channel.get","channel":"\#(channel)"}"#))
      }
    }
    for channel in channels {
      for name in ["user-0", "user-1", "user-2"] {
        lines.append(hub.ask(name, #"{"op":"subscribe","channel":"\#(channel)","limit":300}"#))
        lines.append(
          hub.ask(name, #"{"op":"message.history","channel":"\#(channel)","after":0}"#))
        lines.append(
          hub.ask(name, #"{"op":"message.history","channel":"\#(channel)","around":900}"#))
      }
    }
    // Who is there, and subscribed, is not part of the registry.
    return lines.joined(separator: "\n").split(separator: "\n")
      .filter { $0.hasPrefix("answer ") }.joined(separator: "\n")
      .replacing(#/"present_count":\d+/#, with: "")
  }
}
