import HubProtocol
import SeededRandom

/// What people do with their own inboxes, and what they do not want in them.
extension InboxWorld {
  func mark() {
    guard let reader = anyone() else { return }
    let (state, selection) = (random.pick(InboxState.allCases), self.selection(of: reader.user))
    ask("mark", .inboxMark(state, selection), reader) { model in
      model.mark(state, selection, by: reader.user)
        ? "marked \(Line.of(model.stand(of: reader.user)))" : refusal(of: selection)
    }
  }

  func discard() {
    guard let reader = anyone() else { return }
    let selection = self.selection(of: reader.user)
    ask("delete", .inboxDelete(selection), reader) { model in
      model.delete(selection, by: reader.user).map {
        "deleted \($0) \(Line.of(model.stand(of: reader.user)))"
      } ?? refusal(of: selection)
    }
  }

  private func refusal(of selection: InboxSelection) -> String {
    if case .ids = selection { "refused not_found" } else { "refused bad_request" }
  }

  private func selection(of user: String) -> InboxSelection {
    let box = model.boxes[user] ?? InboxModel.Box()
    if random.oneIn(3) {
      let at = random.oneIn(20) ? box.at + 1 : random.below(box.at + 1)
      return .upTo(at, types: random.oneIn(3) ? ["like", "sale", "strange"] : nil)
    }
    var ids = box.items.map(\.id).shuffled(using: &random).prefix(1 + random.below(3))
    if ids.isEmpty || random.oneIn(20) { ids.append(box.at + 1) }
    return .ids(Array(ids))
  }

  func act() {
    guard let reader = anyone(), let item = model.boxes[reader.user]?.items.last else { return }
    let id = random.oneIn(2) ? item.id : max(1, item.id + 1 - random.below(9))
    ask("act", .inboxAct(id: id), reader) { described($0.act(id, by: reader.user)) }
  }

  private func described(_ item: InboxModel.Item?) -> String {
    guard let item else { return "refused not_found" }
    return "acted"
      + (item.parts.last?.notification.target.map { " \($0.kind) \($0.id)" } ?? "")
  }

  func open() {
    guard let reader = anyone() else { return }
    ask("open", .inboxOpened, reader) { model in
      model.boxes[reader.user]?.isOpened = true
      return "ok"
    }
  }

  /// Somebody mutes, or blocks, or no longer.
  func wish() {
    guard let reader = anyone() else { return }
    let (client, name) = (reader.client, reader.user)
    let other = random.pick(Self.people + Self.publishers)
    if random.oneIn(2), other != name {
      let isOn = random.oneIn(2)
      let line = isOn ? client.block(other) : client.unblock(other)
      if isOn {
        model.wishes[name]?.blocked.insert(other)
      } else {
        model.wishes[name]?.blocked.remove(other)
      }
      return note("\(name) blocks", line, "ok")
    }
    let types = random.oneIn(3) ? [random.pick(["like", "mention", "reply", "sale"])] : []
    let users = random.oneIn(3) ? [other] : []
    let rooms = random.oneIn(4) ? [random.pick([Self.room, Self.square])] : []
    client.settings {
      $0.mutedTypes = types
      $0.mutedUsers = users.map(user)
      $0.mutedChannels = rooms.map(channel)
    }
    model.wishes[name]?.types = Set(types)
    model.wishes[name]?.users = Set(users)
    model.wishes[name]?.rooms = Set(rooms)
  }
}
