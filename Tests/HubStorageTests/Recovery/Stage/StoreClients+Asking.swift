import HubCore
import HubProtocol
import HubStage

/// Clients who look whether everything they were told is still so.
extension StoreClients {
  /// A hub that is asked, and whatever is asked of it is forgotten.
  private struct Probe {
    var hub: Hub
    let history: SimulatedHistory
    var logged = 0
    var effects: [Effect] = []

    /// The reply to a request; nil when it was refused.
    mutating func ask(_ arrivals: [Arrival], at moment: Moment) -> Reply? {
      for arrival in arrivals { hub.receive(arrival, at: moment) }
      var reply: Reply?
      repeat {
        hub.receiveReleased(at: moment)
        logged += hub.takeRecords().count
        hub.advance(durable: logged, at: moment)
        hub.takeEffects(into: &effects)
        for effect in effects {
          if case .answer(_, .reply(_, let answer), _) = effect { reply = answer }
          if case .answer(_, .refusal, _) = effect { reply = nil }
          guard case .ask(let query, let read) = effect else { continue }
          hub.resume(read, with: history.answer(query), at: moment)
        }
        let isGoing = !effects.isEmpty || hub.hasReleased
        effects.removeAll()
        if !isGoing { break }
      } while true
      return reply
    }
  }

  /// What is no longer as somebody was told, on a hub that was just recovered.
  func flaws(of run: StoreHub) -> [String] {
    var probe = Probe(hub: run.hub, history: run.history)
    // Nobody is known to it, and what is asked here is not asked again.
    let before = (present, asked)
    defer { (present, asked) = before }
    present = []
    var flaws = flaws + messageFlaws(in: run.history.contents)
    for (use, seq) in uses.sorted(by: { $0.value < $1.value }) {
      let request =
        #"{"op":"message.send","channel":"\#(use.channel.text)","text":"?","key":"\#(use.key)"}"#
      let reply = probe.ask(arrivals(use.user.text, request), at: moment)
      guard case .sent(let found, _, let isDuplicate) = reply else { continue }
      guard found != seq || !isDuplicate else { continue }
      flaws.append("key \(use.key) was \(seq) of \(use.channel.text), and is \(found)")
    }
    for (user, channels) in read { flaws += pointerFlaws(of: user, channels, &probe) }
    for (user, items) in inbox {
      let request =
        #"{"op":"inbox.list","limit":100,"states":["unseen","seen","read","archived"]}"#
      let reply = probe.ask(arrivals(user.text, request), at: moment)
      guard case .inbox(let found, _, _) = reply else { continue }
      let ids = Set(found.map(\.id))
      for (id, expiry) in items where expiry.map({ $0 > moment.wall }) ?? true {
        if !ids.contains(id) { flaws.append("item \(id) of \(user.text) is gone") }
      }
    }
    return flaws
  }

  private func pointerFlaws(
    of user: UserID, _ channels: [ChannelName: Int], _ probe: inout Probe
  ) -> [String] {
    var flaws: [String] = []
    for (channel, seq) in channels {
      let request = #"{"op":"channel.get","channel":"\#(channel.text)"}"#
      let reply = probe.ask(arrivals(user.text, request), at: moment)
      guard case .channel(let summary) = reply else { continue }
      if let epoch = epochs[channel], epoch != summary.epoch {
        flaws.append("\(channel.text) has another epoch")
      }
      // It never goes behind the newest message.
      if let read = summary.standing?.read, read < min(seq, summary.seq) {
        flaws.append("\(user.text) had read \(seq) of \(channel.text), now \(read)")
      }
    }
    return flaws
  }

  private func messageFlaws(in contents: SimulatedHistory.Contents) -> [String] {
    var flaws: [String] = []
    var places: [ChannelName: (channel: ChannelRef, floor: Int)] = [:]
    for (channel, rows) in contents.rows.sorted(by: { $0.key.index < $1.key.index }) {
      let floor = contents.floors[channel] ?? 0
      guard let name = rows.values.first?.channel, floor < .max else { continue }
      places[name] = (channel, floor)
      // One message for each number, and no number without one.
      if rows.keys.sorted() != Array((floor + 1)..<(floor + 1 + rows.count)) {
        flaws.append("\(name.text) has holes: \(rows.keys.sorted())")
      }
    }
    for (name, known) in messages {
      guard let place = places[name] else {
        if !left.contains(name), !known.isEmpty, contents.floors.values.allSatisfy({ $0 == 0 }) {
          flaws.append("\(name.text) is gone")
        }
        continue
      }
      let found = contents.messages(of: place.channel).map { ($0.message.seq, $0) }
      let bySeq = Dictionary(found) { first, _ in first }
      for (seq, message) in known where seq > place.floor {
        if bySeq[seq].map({ !Self.matches($0, message) }) ?? true {
          flaws.append("message \(seq) of \(name.text) is not as it was told")
        }
      }
    }
    return flaws
  }

  private static func matches(_ stored: StoredMessage, _ known: Known) -> Bool {
    let message = stored.message
    let counts = Dictionary(
      known.reactions.map { ($0.drop { $0 != " " }.dropFirst(), 1) }, uniquingKeysWith: +)
    return message.user == known.user && message.content.text == known.text
      && counts.allSatisfy { word, count in
        message.reactions.contains { $0.isOf(String(word)) && $0.count >= count }
      }
  }
}
