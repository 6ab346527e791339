import SeededRandom

/// Requests about users, their settings and their inboxes.
extension Life {
  /// Something that people change about themselves, and about whom they want to hear from.
  mutating func ownChange() -> String {
    let channel = #""channel":"\#(random.pick(channelNames))""#
    switch random.below(12) {
    case 0..<3: return #"{"op":"user.update"\#(profile())}"#
    case 3: return #"{"op":"user.block","user":"\#(somebody())"}"#
    case 4..<7: return #"{"op":"user.unblock","user":"\#(somebody())"}"#
    case 7..<10: return settings()
    case 10:
      let until = random.oneIn(2) ? #","until_ts":\#(moment())"# : ""
      return #"{"op":"channel.mute",\#(channel)\#(until)}"#
    default: return #"{"op":"channel.unmute",\#(channel)}"#
    }
  }

  /// Members of a profile, each with a comma in front; at least one.
  private mutating func profile() -> String {
    var members = ""
    if random.oneIn(2) {
      members += #","name":"\#(random.oneIn(5) ? "" : word() + " " + word())""#
    }
    if random.oneIn(2) { members += #","username":"\#(username())""# }
    if random.oneIn(3) { members += #","avatar":"https://a.example/\#(random.below(9))""# }
    if random.oneIn(3) { members += #","custom":\#(json())"# }
    if random.oneIn(3) || members.isEmpty { members += #","bio":"\#(text())""# }
    return members
  }

  private mutating func settings() -> String {
    var request = #"{"op":"user.settings""#
    if random.oneIn(2) {
      let policy = random.oneIn(4) ? random.pick(["contacts", "nobody"]) : "everyone"
      request += #","dm_policy":"\#(policy)""#
    }
    if random.oneIn(3) { request += #","receipts":\#(random.oneIn(2))"# }
    if random.oneIn(3) { request += #","typing":\#(random.oneIn(2))"# }
    if random.oneIn(3) { request += #","dnd_until_ts":\#(moment())"# }
    if random.oneIn(4) {
      request += #","dnd_schedule":[{"days":["mon","sun"],"from":"22:00","to":"06:59""#
      request += #","tz":"Europe/Berlin"},{"days":["wed"],"from":"00:00","to":"23:59","tz":"UTC"}]"#
    }
    if random.oneIn(3) {
      let channels = random.oneIn(2) ? "" : #""\#(random.pick(channelNames))""#
      request += #","mute":{"types":["like","x"],"users":\#(people()),"channels":[\#(channels)]}"#
    }
    return request + "}"
  }

  /// Users that are made or changed by others.
  mutating func users() -> String {
    var entries: [String] = []
    for number in 0...random.below(3) {
      let id = random.oneIn(2) ? "put-\(number)-\(random.below(9))" : random.pick(names)
      guard !entries.contains(where: { $0.contains(#""\#(id)""#) }) else { continue }
      let isBot = id.hasPrefix("put-2") ? #","bot":true"# : ""
      entries.append(#"{"id":"\#(id)"\#(isBot)\#(profile())}"#)
    }
    return #"{"op":"user.put","users":[\#(entries.joined(separator: ","))]}"#
  }

  mutating func notification(_ at: String) -> String {
    let isRetraction = random.oneIn(4)
    var request = #"{"op":"notify\#(isRetraction ? ".retract" : "")""#
    request += random.oneIn(5) ? "," + at : #","to":\#(people())"#
    if isRetraction { return request + #","key":"n-\#(random.below(30))"}"# }
    request += #","type":"\#(random.pick(["like", "mention", "x"]))","text":"\#(text())""#
    if random.oneIn(2) { request += #","actor":"\#(random.pick(names))""# }
    if random.oneIn(2) { request += #","key":"n-\#(random.below(30))""# }
    if random.oneIn(2) { request += #","collapse":"c-\#(random.below(4))""# }
    if random.oneIn(4) { request += #","title":"\#(text())","data":[{}]"# }
    if random.oneIn(4) {
      request += #","target":{"kind":"post","id":"7","url":"https://a.example/7"}"#
    }
    if random.oneIn(6) { request += #","expires_ts":\#(1_700_000_000_000 + random.below(4_000))"# }
    return request + "}"
  }

  /// Somebody does something with their own inbox.
  mutating func inboxChange() -> String {
    let id = 1 + random.below(9)
    let which = random.oneIn(2) ? #""ids":["\#(id)"]"# : #""upto":\#(id)"#
    let state = random.pick(["unseen", "seen", "read", "archived"])
    return random.pick([
      #"{"op":"inbox.mark","state":"\#(state)",\#(which)}"#,
      #"{"op":"inbox.delete",\#(which)}"#, #"{"op":"inbox.act","item":"\#(id)"}"#,
      #"{"op":"inbox.opened"}"#, #"{"op":"inbox.list","limit":\#(id)}"#,
    ])
  }
}
