import SeededRandom

/// Requests about channels and messages.
extension Life {
  mutating func message(_ at: String) -> String {
    var request = #"{"op":"message.send",\#(at),"text":"\#(text())""#
    if random.oneIn(4) { request += #","data": {"a" : [true]}"# }
    if random.oneIn(4) {
      request += #","attachments":[{"kind":"image","url":"https://a.example/b"}]"#
    }
    if random.oneIn(3) { request += #","mentions":\#(people())"# }
    if random.oneIn(9) { request += #","mentions":["@channel"]"# }
    if random.oneIn(3) { request += #","reply_to":\#(seq())"# }
    if random.oneIn(3) {
      request += #","key":"key-\#(random.below(50))""#
      if random.oneIn(3) { request += #","retry":true"# }
    }
    return request + "}"
  }

  /// Something is done to a message that is there.
  mutating func change(_ at: String) -> String {
    let place = #"\#(at),"seq":\#(seq())"#
    let word = random.pick(["👍", "❤️", "x", #"\"\\"#])
    switch random.below(14) {
    case 0..<4: return edit(place)
    case 4..<6: return #"{"op":"message.delete",\#(place)}"#
    case 6..<11: return #"{"op":"reaction.add",\#(place),"reaction":"\#(word)"}"#
    case 11..<13: return #"{"op":"reaction.remove",\#(place),"reaction":"\#(word)"}"#
    default:
      let reason = random.oneIn(2) ? #","reason":"\#(text())""# : ""
      return #"{"op":"message.flag",\#(place)\#(reason)}"#
    }
  }

  private mutating func edit(_ place: String) -> String {
    var request = #"{"op":"message.edit",\#(place)"#
    if !random.oneIn(3) { request += #","text":"\#(random.oneIn(4) ? "" : text())""# }
    if random.oneIn(4) { request += #","data":\#(json())"# }
    if random.oneIn(4) { request += #","attachments":[]"# }
    if random.oneIn(4) { request += #","mentions":\#(random.oneIn(3) ? "[]" : people())"# }
    return request + "}"
  }

  mutating func membership(_ at: String) -> String {
    switch random.below(10) {
    case 0..<5: return #"{"op":"channel.join",\#(at)}"#
    case 5: return #"{"op":"\#(random.oneIn(2) ? "channel.leave" : "channel.join")",\#(at)}"#
    case 6..<8: return #"{"op":"member.add",\#(at),"users":\#(people())}"#
    default:
      let custom = random.oneIn(3) ? "\"\"" : json()
      return #"{"op":"member.update",\#(at),"custom":\#(custom)}"#
    }
  }

  mutating func pointer(_ at: String) -> String {
    let op = random.pick(["read", "read", "delivered", "read.unread"])
    return #"{"op":"\#(op)",\#(at),"seq":\#(seq())}"#
  }

  /// What moderators do to others.
  mutating func moderation(_ at: String) -> String {
    let whom = #"\#(at),"user":"\#(somebody())""#
    switch random.below(8) {
    case 0: return #"{"op":"member.remove",\#(at),"users":\#(people())}"#
    case 1..<3:
      let role = random.pick(["moderator", "moderator", "member", "owner"])
      return #"{"op":"member.role",\#(whom),"role":"\#(role)"}"#
    case 3:
      let until = random.oneIn(2) ? #","until_ts":\#(moment())"# : ""
      let reason = random.oneIn(2) ? #","reason":"\#(text())""# : ""
      return #"{"op":"member.ban",\#(whom)\#(until)\#(reason)}"#
    case 4..<6: return #"{"op":"member.unban",\#(whom)}"#
    default: return #"{"op":"member.silence",\#(whom),"until_ts":\#(moment())}"#
    }
  }

  mutating func creation(_ at: String) -> String {
    let isFeed = at.contains("feed:")
    let kind =
      isFeed ? "broadcast" : random.pick(["group", "public", "public", "public", "broadcast"])
    var request = #"{"op":"channel.create","channel":"\#(at)","kind":"\#(kind)""#
    request += #","members":\#(people())"#
    if random.oneIn(2) { request += #","name":"\#(text())""# }
    if random.oneIn(2) { request += #","details":"\#(text())","avatar":"https://a.example/a.png""# }
    if random.oneIn(2) { request += #","custom":{"n": [1, 2.50,null]}"# }
    return request + "}"
  }

  /// An update, or the end, which is rare: nothing would get to grow.
  mutating func channelChange(_ at: String) -> String {
    guard !random.oneIn(3) else { return #"{"op":"channel.delete",\#(at)}"# }
    var request = #"{"op":"channel.update",\#(at),"name":"\#(random.oneIn(3) ? "" : text())""#
    if random.oneIn(2) { request += #","details":"\#(text())""# }
    if random.oneIn(2) { request += ",\"avatar\":\"\"" }
    if random.oneIn(2) { request += #","custom":\#(json())"# }
    return request + "}"
  }

  /// Reads, and what leaves no record.
  mutating func question(_ at: String) -> String {
    switch random.below(9) {
    case 0: return #"{"op":"subscribe",\#(at),"limit":\#(random.below(40))}"#
    case 1: return #"{"op":"typing",\#(at),"on":\#(!random.oneIn(3))}"#
    case 2: return #"{"op":"signal",\#(at),"name":"s","data":\#(json())}"#
    case 3: return #"{"op":"message.thread",\#(at),"seq":\#(seq())}"#
    case 4: return #"{"op":"member.list",\#(at),"limit":\#(1 + random.below(30))}"#
    case 5: return #"{"op":"user.search","q":"\#(word().prefix(1 + random.below(3)))"}"#
    case 6: return #"{"op":"feed.list","limit":9}"#
    case 7:
      let place = random.oneIn(2) ? "," + at : ""
      return #"{"op":"message.search","q":"\#(random.pick(["hi", "x y", "日本", "z"]))"\#(place)}"#
    default: return #"{"op":"message.history",\#(at),"around":\#(seq()),"limit":9}"#
    }
  }
}
