/// The arguments of `notify`, `notify.retract` and `inbox.*` (protocol, "Inbox"), each with a comma
/// in front.
extension JSONWriter {
  mutating func inboxArguments(_ operation: Operation) {
    if case .notify(let notify) = operation { self.notify(notify) }
    if case .notifyRetract(let retract) = operation {
      audience(retract.audience)
      member(",\"key\":", retract.key)
    }
    if case .inboxList(let list) = operation { inboxList(list) }
    if case .inboxCounts(let types) = operation { member(",\"types\":[", strings: types) }
    if case .inboxMark(let state, let selection) = operation {
      member(",\"state\":", word: state)
      self.selection(selection)
    }
    if case .inboxDelete(let selection) = operation { self.selection(selection) }
    if case .inboxAct(let id) = operation {
      literal(",\"item\":")
      numberedName(id)
    }
  }

  private mutating func notify(_ notify: Notify) {
    audience(notify.audience)
    notificationHead(notify.notification)
    member(",\"key\":", notify.key)
    member(",\"collapse\":", notify.collapse)
    notificationTail(notify.notification)
  }

  private mutating func audience(_ audience: Notify.Audience) {
    switch audience {
    case .users(let users): member(",\"to\":[", users: users)
    case .channel(let channel): member(",\"channel\":", channel)
    case .segment(let segment):
      literal(",\"to\":{\"segment\":{")
      list(segment.fields) { writer, field in
        writer.string(field.name)
        writer.literal(":")
        writer.scalar(field.value)
      }
      literal("}}")
    }
  }

  private mutating func scalar(_ value: Segment.Value) {
    switch value {
    case .string(let text): string(text)
    case .number(let digits): raw(RawJSON(checked: Array(digits.utf8)))
    case .bool(let value): bool(value)
    }
  }

  private mutating func selection(_ selection: InboxSelection) {
    switch selection {
    case .ids(let ids): itemNames(ids)
    case .upTo(let at, let types):
      member(",\"upto\":", at)
      member(",\"types\":[", strings: types)
    }
  }

  private mutating func inboxList(_ list: InboxList) {
    member(",\"types\":[", strings: list.types)
    if let states = list.states {
      literal(",\"states\":")
      array(states) { writer, state in writer.name(state.rawValue) }
    }
    page(cursor: list.cursor, limit: list.limit)
  }
}
