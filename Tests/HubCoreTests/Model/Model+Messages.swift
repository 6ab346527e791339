import HubProtocol

/// Messages, their changes and pointers of the model.
extension Model {
  mutating func send(_ post: Post, _ room: Room, _ connection: Int) {
    asMember(of: room, connection) { model, place in
      if let seq = room.seq(ofKey: post.key, by: post.user) {
        return model.tell(connection, "sent \(seq) again")
      }
      if let code = model.refusal(of: post, in: room, by: room.members[place]) {
        return model.tell(connection, "refused \(code)")
      }
      model.append(post, to: room, place, connection)
    }
  }

  private func refusal(of post: Post, in room: Room, by sender: Room.Member) -> String? {
    if room.kind == .broadcast, sender.role == .member, post.replyTo == nil { return "forbidden" }
    guard post.mention.map(users.contains) ?? true else { return "not_found" }
    guard let replyTo = post.replyTo else { return nil }
    guard 1...max(1, room.seq) ~= replyTo, room.seq > 0 else { return "not_found" }
    return room.posts[replyTo - 1].isDeleted ? "conflict" : nil
  }

  private mutating func append(_ post: Post, to before: Room, _ place: Int, _ connection: Int) {
    var room = before
    if let replyTo = post.replyTo { room.posts[replyTo - 1].replies += 1 }
    room.posts.append(post)
    room.updated = now
    room.members[place].read = room.seq
    room.members[place].delivered = room.seq
    rooms[room.name] = room
    tell(connection, "sent \(room.seq)")
    publish("message \(room.name) \(room.seq) \(post.user) \(post.text)", of: post, in: room)
    guard room.kind != .broadcast else { return }
    // The connection that sent it has its reply.
    let activity = "activity \(room.name) \(room.seq) \(post.user) \(post.text)"
    for index in connections.indices where index != connection {
      let listener = connections[index]
      guard room.place(of: listener.user) != nil, !listener.subscriptions.contains(room.name)
      else { continue }
      tell(index, activity)
    }
  }

  /// To the subscribers; to the sender's with the key.
  private mutating func publish(
    _ line: String, of post: Post, in room: Room, _ end: String = ""
  ) {
    for index in connections.indices where connections[index].subscriptions.contains(room.name) {
      let key = connections[index].user == post.user ? post.key : nil
      tell(index, line + (key.map { " key \($0)" } ?? "") + end)
    }
  }

  mutating func change(_ change: Step.Change, _ seq: Int, _ room: Room, by connection: Int) {
    asMember(of: room, connection) { model, place in
      guard 1 <= seq, seq <= room.seq else { return model.tell(connection, "refused not_found") }
      let actor = room.members[place]
      switch change {
      case .edit(let text, let mention):
        model.edit(text, mention, seq, room, by: actor, connection)
      case .delete: model.delete(seq, room, by: actor, connection)
      case .react(let word, let on): model.react(word, on, seq, room, by: actor, connection)
      }
    }
  }

  private mutating func edit(
    _ text: String, _ mention: String?, _ seq: Int, _ before: Room, by actor: Room.Member,
    _ connection: Int
  ) {
    var room = before
    var post = room.posts[seq - 1]
    guard post.user == actor.user else { return tell(connection, "refused forbidden") }
    guard !post.isDeleted else { return tell(connection, "refused conflict") }
    guard mention.map(users.contains) ?? true else { return tell(connection, "refused not_found") }
    tell(connection, "ok")
    room.rev += 1
    post.text = text
    post.mention = mention
    post.isEdited = true
    post.rev = room.rev
    room.posts[seq - 1] = post
    rooms[room.name] = room
    publish("message.updated \(room.name) \(seq) \(text)", of: post, in: room, " rev \(room.rev)")
  }

  private mutating func delete(
    _ seq: Int, _ before: Room, by actor: Room.Member, _ connection: Int
  ) {
    var room = before
    var post = room.posts[seq - 1]
    guard post.user == actor.user || (actor.role != .member && room.kind != .direct) else {
      return tell(connection, "refused forbidden")
    }
    tell(connection, "ok")
    guard !post.isDeleted else { return }
    room.rev += 1
    post.delete()
    post.rev = room.rev
    room.posts[seq - 1] = post
    if let replyTo = post.replyTo { room.posts[replyTo - 1].replies -= 1 }
    rooms[room.name] = room
    publish("message.deleted \(room.name) \(seq) -", of: post, in: room, " rev \(room.rev)")
  }

  private mutating func react(
    _ word: String, _ on: Bool, _ seq: Int, _ before: Room, by actor: Room.Member,
    _ connection: Int
  ) {
    var room = before
    var post = room.posts[seq - 1]
    guard !post.isDeleted else { return tell(connection, "refused conflict") }
    tell(connection, "ok")
    guard let count = post.react(actor.user, word, on: on) else { return }
    room.rev += 1
    post.rev = room.rev
    room.posts[seq - 1] = post
    rooms[room.name] = room
    let line = "\(seq) \(actor.user) \(word) \(on ? "on" : "off") \(count) rev \(room.rev)"
    tell("reaction \(room.name) " + line) { $0.subscriptions.contains(room.name) }
  }

  mutating func move(_ room: Room, read: Int, delivered: Int, by connection: Int) {
    asMember(of: room, connection) { model, place in
      guard delivered <= room.seq else { return model.tell(connection, "refused bad_request") }
      model.tell(connection, "ok")
      let before = room.members[place]
      var moved = before
      moved.read = max(before.read, read)
      moved.delivered = max(before.delivered, delivered)
      model.rooms[room.name]?.members[place] = moved
      guard moved.read > before.read || moved.delivered > before.delivered else { return }
      let line = "receipt \(room.name) \(moved.user) \(moved.read) \(moved.delivered)"
      for index in model.connections.indices {
        let reader = model.connections[index]
        let isSubscribed = reader.subscriptions.contains(room.name)
        let isElsewhere = reader.user == moved.user && index != connection
        guard isSubscribed && room.place(of: reader.user) != nil || isElsewhere else { continue }
        model.tell(index, line)
      }
    }
  }

  mutating func moveBack(_ room: Room, to seq: Int, by connection: Int) {
    asMember(of: room, connection) { model, place in
      guard 1 <= seq, seq <= room.seq else { return model.tell(connection, "refused bad_request") }
      model.tell(connection, "ok")
      let member = room.members[place]
      guard seq - 1 < member.read else { return }
      model.rooms[room.name]?.members[place].read = seq - 1
      let line = "receipt \(room.name) \(member.user) \(seq - 1) \(member.delivered)"
      for index in model.connections.indices
      where index != connection && model.connections[index].user == member.user {
        model.tell(index, line)
      }
    }
  }
}
