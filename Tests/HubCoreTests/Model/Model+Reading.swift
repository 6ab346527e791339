import HubProtocol

/// What the model answers without changing.
extension Model {
  mutating func look(_ step: Step, by connection: Int) {
    switch step {
    case .get(let name):
      inRoom(name, connection) { $0.show($1, to: connection) }
    case .subscribe(let name, let limit):
      inRoom(name, connection) { model, room in
        let newest = Array((1...max(1, room.seq)).suffix(limit).filter { $0 <= room.seq })
        model.subscribe(room, "", newest, nil, by: connection)
      }
    case .recover(let name, let position, let isRight):
      inRoom(name, connection) { model, room in
        model.recover(room, isRight ? position : nil, by: connection)
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
    case .thread(let name, let seq):
      inRoom(name, connection) { model, room in
        guard 1 <= seq, seq <= room.seq else { return model.tell(connection, "refused not_found") }
        let replies = (1...room.seq).filter { room.posts[$0 - 1].replyTo == seq }
        model.answer(room, Array(replies.prefix(50)), replies.count > 50, connection)
      }
    case .create, .delete, .open, .join, .leave, .moderate, .send, .change, .read, .delivered,
      .readUnread, .unsubscribe:
      break
    }
  }

  /// `position` nil when it belongs to another channel of the name.
  private mutating func recover(_ room: Room, _ position: Position?, by connection: Int) {
    guard let position, position.seq <= room.seq, position.rev ?? 0 <= room.rev else {
      return subscribe(room, "", [], nil, by: connection)
    }
    let missed = Array(position.seq..<room.seq).map { $0 + 1 }
    let changed = position.rev.map { rev in
      (1...max(1, position.seq)).filter { $0 <= position.seq && room.posts[$0 - 1].rev > rev }
    }
    subscribe(room, " recovered", missed, changed, by: connection)
  }

  private mutating func subscribe(
    _ room: Room, _ word: String, _ messages: [Int], _ changed: [Int]?, by connection: Int
  ) {
    let user = connections[connection].user
    let end = changed.map { " changed [\(room.list($0, for: user))]" } ?? ""
    tell(
      connection,
      "subscribed at \(room.seq)\(word): \(Room.range(messages))\(end)"
        + " {\(room.list(messages, for: user))}")
    connections[connection].subscriptions.insert(room.name)
  }

  private mutating func page(
    _ name: String, _ connection: Int, _ choose: ([Int]) -> (page: [Int], hasMore: Bool)
  ) {
    inRoom(name, connection) { model, room in
      let (page, hasMore) = choose(Array(0..<room.seq).map { $0 + 1 })
      model.answer(room, page, hasMore, connection)
    }
  }

  private mutating func answer(_ room: Room, _ page: [Int], _ hasMore: Bool, _ connection: Int) {
    let list = room.list(page, for: connections[connection].user)
    tell(connection, "history \(Room.range(page))\(hasMore ? " more" : "") {\(list)}")
  }
}
