import HubProtocol

/// Memberships of the model.
extension Model {
  mutating func join(_ before: Room, by connection: Int) {
    var room = before
    let user = connections[connection].user
    guard room.kind != .direct else { return tell(connection, "refused forbidden") }
    guard room.place(of: user) == nil else { return show(room, to: connection) }
    let role = room.members.isEmpty ? Role.owner : .member
    room.join(user, as: role)
    rooms[room.name] = room
    show(room, to: connection)
    tellMember(user, "joined \(role)", in: room.name)
  }

  mutating func leave(_ before: Room, by connection: Int) {
    let user = connections[connection].user
    guard before.kind != .direct else { return tell(connection, "refused forbidden") }
    guard let place = before.place(of: user) else { return show(before, to: connection) }
    let wasOwner = before.members[place].role == .owner
    var room = end(user, in: before, "left", "left")
    if wasOwner, let successor = room.successor {
      room.members[successor].role = .owner
      tellMember(room.members[successor].user, "updated owner", in: room.name)
    }
    rooms[room.name] = room.members.isEmpty && room.kind == .group ? nil : room
    show(room, to: connection)
  }

  mutating func delete(_ before: Room, by connection: Int) {
    asMember(of: before, connection) { model, place in
      guard before.members[place].role == .owner else {
        return model.tell(connection, "refused forbidden")
      }
      var room = before
      room.members = []
      model.rooms[room.name] = nil
      model.tell("deleted \(room.name)") { before.place(of: $0.user) != nil }
      for index in model.connections.indices {
        model.unsubscribe(index, from: room.name, "deleted")
      }
      model.show(room, to: connection)
    }
  }

  mutating func moderate(_ moderation: Step.Moderation, _ room: Room, by connection: Int) {
    asMember(of: room, connection) { model, place in
      let actor = room.members[place]
      guard room.kind != .direct, actor.role != .member else {
        return model.tell(connection, "refused forbidden")
      }
      switch moderation {
      case .add(let users): model.add(users, room, connection)
      case .remove(let users): model.remove(users, room, by: actor, connection)
      case .appoint(let user, let role): model.appoint(user, role, room, by: actor, connection)
      case .ban(let user): model.ban(user, room, by: actor, connection)
      case .unban(let user):
        guard model.users.contains(user) else {
          return model.tell(connection, "refused not_found")
        }
        model.rooms[room.name]?.banned.remove(user)
        model.tell(connection, "ok")
      }
    }
  }

  private mutating func add(_ added: [String], _ before: Room, _ connection: Int) {
    guard users.isSuperset(of: added) else { return tell(connection, "refused not_found") }
    let fresh = added.filter { before.place(of: $0) == nil }
    guard before.banned.isDisjoint(with: fresh) else { return tell(connection, "refused banned") }
    var room = before
    for user in fresh { room.join(user, as: .member) }
    rooms[room.name] = room
    tell(connection, "ok")
    for user in fresh { tellMember(user, "joined member", in: room.name) }
  }

  private mutating func remove(
    _ named: [String], _ before: Room, by actor: Room.Member, _ connection: Int
  ) {
    guard users.isSuperset(of: named) else { return tell(connection, "refused not_found") }
    let removed = named.filter { before.place(of: $0) != nil }
    guard removed.allSatisfy({ isBelow(actor, $0, before) }) else {
      return tell(connection, "refused forbidden")
    }
    var room = before
    for user in removed { room = end(user, in: room, "removed", "removed") }
    rooms[room.name] = room
    tell(connection, "ok")
  }

  private mutating func ban(
    _ user: String, _ before: Room, by actor: Room.Member, _ connection: Int
  ) {
    guard users.contains(user) else { return tell(connection, "refused not_found") }
    guard user != actor.user, isBelow(actor, user, before) else {
      return tell(connection, "refused forbidden")
    }
    var room = before
    if room.place(of: user) != nil {
      room = end(user, in: room, "banned", "banned")
    } else {
      for index in connections.indices where connections[index].user == user {
        unsubscribe(index, from: room.name, "banned")
      }
    }
    room.banned.insert(user)
    rooms[room.name] = room
    tell(connection, "ok")
  }

  private mutating func appoint(
    _ user: String, _ role: Role, _ room: Room, by actor: Room.Member, _ connection: Int
  ) {
    guard actor.role == .owner else { return tell(connection, "refused forbidden") }
    guard let place = room.place(of: user) else { return tell(connection, "refused not_found") }
    guard room.members[place].role != role else { return tell(connection, "ok") }
    guard user != actor.user else { return tell(connection, "refused forbidden") }
    rooms[room.name]?.members[place].role = role
    tell(connection, "ok")
    tellMember(user, "updated \(role)", in: room.name)
    guard role == .owner, let old = room.place(of: actor.user) else { return }
    rooms[room.name]?.members[old].role = .moderator
    tellMember(actor.user, "updated moderator", in: room.name)
  }

  /// Whether somebody is of a lower rank, or no member.
  private func isBelow(_ actor: Room.Member, _ user: String, _ room: Room) -> Bool {
    switch (actor.role, room.member(user)?.role) {
    case (_, nil), (.owner, .moderator), (.owner, .member), (.moderator, .member): true
    case (.owner, .owner), (.moderator, .moderator), (.moderator, .owner), (.member, _): false
    }
  }

  /// The channel after a membership has ended.
  private mutating func end(
    _ user: String, in before: Room, _ change: String, _ reason: String
  ) -> Room {
    var room = before
    room.members.removeAll { $0.user == user }
    tellMember(user, change, in: room.name)
    for index in connections.indices where connections[index].user == user {
      unsubscribe(index, from: room.name, reason)
    }
    return room
  }

  private mutating func unsubscribe(_ connection: Int, from name: String, _ reason: String) {
    guard connections[connection].subscriptions.remove(name) != nil else { return }
    tell(connection, "unsubscribed \(name) \(reason)")
  }

  /// To subscribers, and to the connections of the user concerned.
  private mutating func tellMember(_ user: String, _ change: String, in name: String) {
    tell("member \(name) \(user) \(change)") {
      $0.subscriptions.contains(name) || $0.user == user
    }
  }
}
