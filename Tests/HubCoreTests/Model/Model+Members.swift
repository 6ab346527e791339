import HubProtocol

/// Memberships, pointers and reads of the model.
extension Model {
  mutating func join(_ before: Room, by connection: Int) {
    var room = before
    let user = connections[connection].user
    guard room.kind != .direct else { return tell(connection, "refused forbidden") }
    guard room.place(of: user) == nil else {
      return tell(connection, summary(of: room, for: user))
    }
    let role = room.members.isEmpty ? "owner" : "member"
    room.join(user, as: role)
    rooms[room.name] = room
    tell(connection, summary(of: room, for: user))
    tellMember(user, "joined \(role)", in: room.name)
  }

  mutating func leave(_ before: Room, by connection: Int) {
    var room = before
    let user = connections[connection].user
    guard room.kind != .direct else { return tell(connection, "refused forbidden") }
    guard let place = room.place(of: user) else {
      return tell(connection, summary(of: room, for: user))
    }
    let wasOwner = room.members.remove(at: place).role == "owner"
    tellMember(user, "left", in: room.name)
    for index in connections.indices where connections[index].user == user {
      guard connections[index].subscriptions.remove(room.name) != nil else { continue }
      tell(index, "unsubscribed \(room.name) left")
    }
    if wasOwner, !room.members.isEmpty {
      room.members[0].role = "owner"
      tellMember(room.members[0].user, "updated owner", in: room.name)
    }
    rooms[room.name] = room
    tell(connection, summary(of: room, for: user))
  }

  mutating func add(_ added: [String], _ before: Room, _ connection: Int) {
    var room = before
    guard let place = room.place(of: connections[connection].user) else {
      return tell(connection, "refused not_member")
    }
    guard room.kind != .direct, room.members[place].role != "member" else {
      return tell(connection, "refused forbidden")
    }
    guard users.isSuperset(of: added) else { return tell(connection, "refused not_found") }
    let fresh = added.filter { room.place(of: $0) == nil }
    for user in fresh { room.join(user, as: "member") }
    rooms[room.name] = room
    tell(connection, "ok")
    for user in fresh { tellMember(user, "joined member", in: room.name) }
  }

  mutating func move(_ before: Room, read: Int, delivered: Int, by connection: Int) {
    var room = before
    let user = connections[connection].user
    guard let place = room.place(of: user) else { return tell(connection, "refused not_member") }
    guard delivered <= room.seq else { return tell(connection, "refused bad_request") }
    tell(connection, "ok")
    let member = room.members[place]
    room.members[place].read = max(member.read, read)
    room.members[place].delivered = max(member.delivered, delivered)
    rooms[room.name] = room
    let moved = room.members[place]
    guard moved.read > member.read || moved.delivered > member.delivered else { return }
    let line = "receipt \(room.name) \(user) \(moved.read) \(moved.delivered)"
    for index in connections.indices {
      let isSubscribed = connections[index].subscriptions.contains(room.name)
      let isMember = room.place(of: connections[index].user) != nil
      let isElsewhere = connections[index].user == user && index != connection
      if isSubscribed && isMember || isElsewhere { tell(index, line) }
    }
  }

  mutating func look(_ step: Step, by connection: Int) {
    switch step {
    case .get(let name):
      inRoom(name, connection) { model, room in
        model.tell(connection, model.summary(of: room, for: model.connections[connection].user))
      }
    case .subscribe(let name, let limit):
      inRoom(name, connection) { model, room in
        let newest = Array((1...max(1, room.seq)).suffix(limit).filter { $0 <= room.seq })
        model.subscribe(room, ": " + Room.range(newest), by: connection)
      }
    case .recover(let name, let position, let isRight):
      inRoom(name, connection) { model, room in
        let isRecovered = isRight && position.seq <= room.seq
        let missed = isRecovered ? Array(position.seq..<room.seq).map { $0 + 1 } : []
        let word = isRecovered ? " recovered: " : ": "
        model.subscribe(room, word + Room.range(missed), by: connection)
      }
    case .before(let name, let bound, let limit):
      page(name, connection) { seqs in
        let all = seqs.filter { $0 < bound }
        return (Array(all.suffix(limit)), all.count > limit)
      }
    case .after(let name, let bound, let limit):
      page(name, connection) { seqs in
        let all = seqs.filter { $0 > bound }
        return (Array(all.prefix(limit)), all.count > limit)
      }
    case .create, .open, .join, .leave, .add, .send, .read, .delivered, .unsubscribe:
      break
    }
  }

  private mutating func subscribe(_ room: Room, _ messages: String, by connection: Int) {
    tell(connection, "subscribed at \(room.seq)\(messages)")
    connections[connection].subscriptions.insert(room.name)
  }

  private mutating func page(
    _ name: String, _ connection: Int, _ choose: ([Int]) -> (page: [Int], hasMore: Bool)
  ) {
    inRoom(name, connection) { model, room in
      let (page, hasMore) = choose(Array(0..<room.seq).map { $0 + 1 })
      model.tell(connection, "history \(Room.range(page))\(hasMore ? " more" : "")")
    }
  }

  /// To subscribers, and to the connections of the user concerned.
  private mutating func tellMember(_ user: String, _ change: String, in name: String) {
    tell("member \(name) \(user) \(change)") {
      $0.subscriptions.contains(name) || $0.user == user
    }
  }
}
