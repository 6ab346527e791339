import HubProtocol

/// The protocol once more, as plainly as it can be said: what each connection must receive, line by
/// line. Numbers that are paced (`unread`) are left to the end.
struct Model {
  struct Connection {
    let user: String
    var subscriptions: Set<String> = []
    var lines: [String] = []
    var isOpen = true
  }

  /// Names of direct channels by their two users.
  let directNames: [Set<String>: String]
  var rooms: [String: Room] = [:]
  var connections: [Connection] = []
  var users: Set<String> = []
  private var newest = 0

  init(directNames: [Set<String>: String]) {
    self.directNames = directNames
  }

  mutating func connect(_ user: String, wall: Int) {
    if users.insert(user).inserted { newest = max(newest, wall) }
    connections.append(Connection(user: user))
    let joined = rooms.values.filter { $0.place(of: user) != nil }.sorted {
      ($1.updated, $0.name) < ($0.updated, $1.name)
    }
    let channels = joined.map { " [\(summary(of: $0, for: user))]" }
    tell(connections.count - 1, "hello \(user)" + channels.joined())
  }

  mutating func disconnect(_ connection: Int) {
    connections[connection].isOpen = false
    connections[connection].subscriptions = []
  }

  mutating func perform(_ step: Step, by connection: Int, wall: Int) {
    if step.isRecorded { newest = max(newest, wall) }
    switch step {
    case .create(let name, let kind, let members): create(name, kind, members, by: connection)
    case .open(let other): open(other, by: connection)
    case .join(let name): inRoom(name, connection) { $0.join($1, by: connection) }
    case .leave(let name): inRoom(name, connection) { $0.leave($1, by: connection) }
    case .add(let name, let users): inRoom(name, connection) { $0.add(users, $1, connection) }
    case .send(let name, let text, let key, let mention):
      inRoom(name, connection) { model, room in
        let user = model.connections[connection].user
        model.send(Room.Sent(user: user, text: text, key: key, mention: mention), room, connection)
      }
    case .read(let name, let seq):
      inRoom(name, connection) { $0.move($1, read: seq, delivered: seq, by: connection) }
    case .delivered(let name, let seq):
      inRoom(name, connection) { $0.move($1, read: 0, delivered: seq, by: connection) }
    case .unsubscribe(let name):
      connections[connection].subscriptions.remove(name)
      tell(connection, "ok")
    case .subscribe, .recover, .before, .after, .get: look(step, by: connection)
    }
  }

  func summary(of room: Room, for user: String?) -> String {
    let present = room.members.filter { member in
      connections.contains { $0.isOpen && $0.user == member.user }
    }
    return room.summary(present: present.count, for: user)
  }

  mutating func tell(_ connection: Int, _ line: String) {
    if connections[connection].isOpen { connections[connection].lines.append(line) }
  }

  /// Tells every connection for which `isReceiver` holds.
  mutating func tell(_ line: String, _ isReceiver: (Connection) -> Bool) {
    for index in connections.indices where isReceiver(connections[index]) { tell(index, line) }
  }

  /// Goes on with the channel, if the user may know of it.
  mutating func inRoom(
    _ name: String, _ connection: Int, _ body: (inout Model, Room) -> Void
  ) {
    guard let room = rooms[name], room.isVisible(to: connections[connection].user) else {
      return tell(connection, "refused not_found")
    }
    body(&self, room)
  }

  private mutating func create(
    _ name: String, _ kind: ChannelKind, _ members: [String], by connection: Int
  ) {
    guard rooms[name] == nil else { return tell(connection, "refused already_exists") }
    guard users.isSuperset(of: members) else { return tell(connection, "refused not_found") }
    let creator = connections[connection].user
    var room = Room(name: name, kind: kind, updated: newest)
    room.join(creator, as: "owner")
    for user in members where room.place(of: user) == nil { room.join(user, as: "member") }
    begin(room, by: connection)
  }

  private mutating func open(_ other: String, by connection: Int) {
    let user = connections[connection].user
    guard users.contains(other) else { return tell(connection, "refused not_found") }
    guard other != user else { return tell(connection, "refused bad_request") }
    let name = directNames[[user, other]] ?? ""
    if let room = rooms[name] { return tell(connection, summary(of: room, for: user)) }
    var room = Room(name: name, kind: .direct, updated: newest)
    for member in [user, other] { room.join(member, as: "member") }
    begin(room, by: connection)
  }

  private mutating func begin(_ room: Room, by connection: Int) {
    rooms[room.name] = room
    tell(connection, summary(of: room, for: connections[connection].user))
    tell("created " + summary(of: room, for: nil)) { room.place(of: $0.user) != nil }
  }

  private mutating func send(_ sent: Room.Sent, _ before: Room, _ connection: Int) {
    var room = before
    guard let place = room.place(of: sent.user) else {
      return tell(connection, "refused not_member")
    }
    if let seq = room.seq(ofKey: sent.key, by: sent.user) {
      return tell(connection, "sent \(seq) again")
    }
    guard room.kind != .broadcast || room.members[place].role != "member" else {
      return tell(connection, "refused forbidden")
    }
    guard sent.mention.map(users.contains) ?? true else {
      return tell(connection, "refused not_found")
    }
    room.messages.append(sent)
    room.updated = newest
    room.members[place].read = room.seq
    room.members[place].delivered = room.seq
    rooms[room.name] = room
    tell(connection, "sent \(room.seq)")
    let line = "message \(room.name) \(room.seq) \(sent.user) \(sent.text)"
    for index in connections.indices where connections[index].subscriptions.contains(room.name) {
      let key = connections[index].user == sent.user ? sent.key : nil
      tell(index, line + (key.map { " key \($0)" } ?? ""))
    }
    guard room.kind != .broadcast else { return }
    // The connection that sent it has its reply.
    let activity = "activity \(room.name) \(room.seq) \(sent.user) \(sent.text)"
    for index in connections.indices where index != connection {
      let listener = connections[index]
      guard room.place(of: listener.user) != nil, !listener.subscriptions.contains(room.name)
      else { continue }
      tell(index, activity)
    }
  }
}
