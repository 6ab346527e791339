import HubProtocol
import SeededRandom

/// Random requests about notifications and inboxes.
extension SplitMix64 {
  mutating func aboutInboxes() -> HubProtocol.Operation {
    switch below(8) {
    case 0: .notify(notify())
    case 1: .notifyRetract(NotifyRetract(audience: audience(), key: text(upTo: 16)))
    case 2: .inboxList(inboxList())
    case 3: .inboxCounts(types: maybe { $0.types() })
    case 4: .inboxMark(pick(InboxState.allCases), selection())
    case 5: .inboxDelete(selection())
    case 6: .inboxAct(id: itemID())
    default: .inboxOpened
    }
  }

  private mutating func notify() -> HubProtocol.Notify {
    Notify(
      audience: audience(), notification: notification(), key: maybe { $0.text(upTo: 16) },
      collapse: maybe { $0.text(upTo: 16) })
  }

  private mutating func audience() -> HubProtocol.Notify.Audience {
    switch below(3) {
    case 0: .channel(channel())
    case 1: .users(users(1...5))
    default: .segment(segment())
    }
  }

  /// 1 to 8 members of different names. None holds U+FEFF, which Foundation loses.
  private mutating func segment() -> Segment {
    var known: Set<String> = []
    let fields = (0...below(Limits.segmentFields)).compactMap { _ -> Segment.Field? in
      let name = pick(["", "plan", "\"a\\\n", "żó", "👍", name(upTo: 20), name(upTo: 9)])
      return known.insert(name).inserted ? Segment.Field(name: name, value: scalarValue()) : nil
    }
    return Segment(fields: fields)
  }

  private mutating func scalarValue() -> Segment.Value {
    switch below(4) {
    case 0: .bool(oneIn(2))
    case 1: .number(pick(["0", "-0", "12", "1.50", "1e3", "2E-2", "9007199254740993"]))
    case 2: .string("")
    default: .string(text(upTo: 20))
    }
  }

  private mutating func selection() -> InboxSelection {
    oneIn(2) ? .ids(itemIDs()) : .upTo(seq(), types: maybe { $0.types() })
  }

  /// Names of items, at least one, without repetition.
  mutating func itemIDs() -> [Int] {
    var known: Set<Int> = []
    return (0...below(6)).map { _ in itemID() }.filter { known.insert($0).inserted }
  }

  private mutating func itemID() -> Int { oneIn(10) ? .max : seq(from: 1) }

  private mutating func types() -> [String] { list(upTo: 3) { $0.text(upTo: 16) } }

  private mutating func inboxList() -> InboxList {
    InboxList(
      types: maybe { $0.types() },
      states: maybe { random in random.list(upTo: 4) { $0.pick(InboxState.allCases) } },
      cursor: maybe { $0.text(upTo: 20) }, limit: 1 + below(100))
  }
}
