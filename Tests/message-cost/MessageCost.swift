#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Measures what one `message.send` costs the hub without the sockets: decode, admit, log, apply,
/// encode; with a warm window, on one thread. Rooms of 10, 1,000 and 100,000 members take turns, in
/// each of which ten listen, and it prints how much more the large ones cost. Then what it costs to
/// find users by name, and to list members, where there are 100,000.
///
/// message-cost [messages]        # per round; run it under `perf record` for a profile
@main
struct MessageCost {
  private static let memberships = [10, 1_000, 100_000]
  private static let rounds = 7
  private static let batch = 16

  static func main() {
    let messages = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
    var rooms = memberships.map { Room(members: $0) }
    for index in rooms.indices { for _ in 0..<200 { rooms[index].send(batch) } }
    var costs = rooms.map { _ in [Int]() }
    for _ in 0..<rounds {
      for index in rooms.indices { costs[index].append(cost(of: messages, in: &rooms[index])) }
    }
    for (room, spent) in zip(rooms, costs) {
      // Of each round, how much more this room took than the smallest.
      let ratios = zip(spent, costs[0]).map { Double($0) / Double(max(1, $1)) }
      print(
        "message.send to \(Room.listeners) listeners, \(room.members) members:",
        "\(median(spent)) ns, ratio \(hundredths(median(ratios)))")
    }
    reportReads(in: &rooms[rooms.count - 1])
  }

  /// Nanoseconds of processor time that one message takes.
  private static func cost(of messages: Int, in room: inout Room) -> Int {
    let batches = max(1, messages / batch)
    let start = clock()
    for _ in 0..<batches { room.send(batch) }
    return nanoseconds(since: start) / (batches * batch)
  }

  /// What reads cost where there is much to look through.
  private static func reportReads(in room: inout Room) {
    let reads = [
      ("user.search of 50 among \(room.members)", #"{"op":"user.search","q":"member user-77"}"#),
      ("user.search of one", #"{"op":"user.search","q":"user-77777"}"#),
      ("member.list, the first time", #"{"op":"member.list","channel":"room:7"}"#),
      ("member.list, page of 50", #"{"op":"member.list","channel":"room:7"}"#),
      (
        "member.list, a page far behind",
        #"{"op":"member.list","channel":"room:7","cursor":"absent user-77777 Member user-77777"}"#
      ),
    ]
    for (name, request) in reads {
      let count = name.contains("first time") ? 1 : 200
      let start = clock()
      for _ in 0..<count { room.ask(0, request) }
      print("\(name): \(nanoseconds(since: start) / count / 1_000) µs")
    }
  }

  /// Processor time: another program on the machine must not count.
  private static func nanoseconds(since start: clock_t) -> Int {
    Int(clock() - start) * (1_000_000_000 / Int(CLOCKS_PER_SEC))
  }

  private static func median<Value: Comparable>(_ values: [Value]) -> Value {
    values.sorted()[values.count / 2]
  }

  private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
