import HubCore
import HubProtocol
import SeededRandom

/// Random records of inboxes.
extension RandomRecords {
  mutating func inboxAction(_ kind: Int) -> Record.InboxAction {
    switch kind {
    case 33: return .mark(random.pick(InboxState.allCases), selection())
    case 34: return .delete(selection())
    case 35: return .act(seq())
    case 36: return .open
    case 37: return .trim
    default: return .dropBodies(random.list(upTo: 5) { $0.below(1 << 48) })
    }
  }

  mutating func notify() -> Notify {
    Notify(
      audience: audience(), notification: notification(), key: maybeText(),
      collapse: maybeText())
  }

  mutating func notification() -> Notification {
    let target = InboxTarget(kind: text(), id: text(), url: maybeText(), thumb: maybeText())
    return Notification(
      type: text(), actor: random.oneIn(2) ? userID() : nil,
      target: random.oneIn(2) ? target : nil, title: maybeText(), text: text(),
      data: random.oneIn(2) ? rawJSON() : nil, expiresTs: random.oneIn(2) ? ts() : nil)
  }

  mutating func audience() -> Notify.Audience {
    switch random.below(3) {
    case 0: return .users(userIDs())
    case 1: return .channel(name())
    default: return .segment(segment())
    }
  }

  mutating func segment() -> Segment {
    Segment(
      fields: (0...random.below(4)).map { _ in
        Segment.Field(name: text(), value: segmentValue())
      })
  }

  private mutating func segmentValue() -> Segment.Value {
    switch random.below(3) {
    case 0: return .string(text())
    case 1: return .number(random.pick(["0", "-1.50", "1e9", "12345678901234567890"]))
    default: return .bool(random.oneIn(2))
    }
  }

  private mutating func selection() -> InboxSelection {
    guard random.oneIn(2) else { return .ids(random.list(upTo: 5) { $0.below(1 << 40) }) }
    return .upTo(seq(), types: random.oneIn(2) ? [text(), text()] : nil)
  }
}
