extension DrivenHub {
  /// A small hub with some of everything that an image can hold, in few bytes.
  package static func withEverything() -> DrivenHub {
    let hub = DrivenHub()
    for (name, request) in users + rooms + messages + moderation + privacy + inboxes {
      hub.ask(name, request)
    }
    return hub
  }

  private static let users = [
    ("a", #"{"op":"user.update","name":"A b","username":"A","bio":"c","custom":1}"#),
    ("b", #"{"op":"user.update","avatar":"http://a","username":"b"}"#),
    ("c", #"{"op":"ping"}"#),
    ("bot-7", #"{"op":"user.put","users":[{"id":"d","name":"D"},{"id":"e","bot":true}]}"#),
  ]

  private static let rooms = [
    ("a", #"{"op":"channel.create","channel":"r","kind":"public","members":["b","c","d"]}"#),
    ("a", #"{"op":"channel.create","channel":"feed:a","kind":"broadcast","name":"F"}"#),
    ("b", #"{"op":"channel.join","channel":"feed:a"}"#),
    ("b", #"{"op":"channel.create","channel":"g","kind":"group","custom":{},"members":["a"]}"#),
    ("b", #"{"op":"channel.delete","channel":"g"}"#),
    ("c", #"{"op":"channel.create","channel":"g","kind":"public","details":"d"}"#),
    ("a", #"{"op":"channel.update","channel":"r","avatar":"http://r"}"#),
    ("a", #"{"op":"dm.open","user":"b"}"#),
    ("b", #"{"op":"message.send","channel":"\#(directChannel("a", "b"))","text":"x","key":"k"}"#),
  ]

  private static let messages = [
    ("a", #"{"op":"message.send","channel":"r","text":"1","mentions":["@channel","b"]}"#),
    ("b", #"{"op":"message.send","channel":"r","text":"2","reply_to":1,"key":"k"}"#),
    ("c", #"{"op":"message.send","channel":"r","data":{},"reply_to":1,"mentions":["a"]}"#),
    ("a", #"{"op":"message.send","channel":"r","attachments":[{"kind":"json"}]}"#),
    ("b", #"{"op":"message.send","channel":"r","text":"5"}"#),
    ("b", #"{"op":"message.edit","channel":"r","seq":2,"text":"3","mentions":["c"]}"#),
    ("c", #"{"op":"reaction.add","channel":"r","seq":2,"reaction":"x"}"#),
    ("a", #"{"op":"reaction.add","channel":"r","seq":2,"reaction":"x"}"#),
    ("d", #"{"op":"reaction.add","channel":"r","seq":2,"reaction":"x"}"#),
    ("a", #"{"op":"reaction.add","channel":"r","seq":2,"reaction":"y"}"#),
    ("b", #"{"op":"reaction.add","channel":"r","seq":1,"reaction":"z"}"#),
    ("b", #"{"op":"reaction.remove","channel":"r","seq":1,"reaction":"z"}"#),
    ("c", #"{"op":"message.delete","channel":"r","seq":3}"#),
    ("a", #"{"op":"message.delete","channel":"r","seq":4}"#),
    ("d", #"{"op":"message.flag","channel":"r","seq":2,"reason":"f"}"#),
    ("b", #"{"op":"message.flag","channel":"r","seq":5}"#),
  ]

  private static let moderation = [
    ("a", #"{"op":"member.role","channel":"r","user":"b","role":"moderator"}"#),
    ("b", #"{"op":"member.update","channel":"r","custom":[]}"#),
    ("a", #"{"op":"member.ban","channel":"r","user":"e","reason":"q"}"#),
    ("a", #"{"op":"member.ban","channel":"r","user":"c","until_ts":1800000000000}"#),
    ("a", #"{"op":"member.silence","channel":"r","user":"d","until_ts":1800000000000}"#),
    ("b", #"{"op":"channel.mute","channel":"r","until_ts":1800000000000}"#),
    ("a", #"{"op":"channel.mute","channel":"feed:a"}"#),
    ("d", #"{"op":"read.unread","channel":"r","seq":1}"#),
    ("a", #"{"op":"delivered","channel":"r","seq":5}"#),
    ("b", #"{"op":"channel.leave","channel":"feed:a"}"#),
  ]

  private static let privacy = [
    ("a", #"{"op":"user.block","user":"c"}"#), ("a", #"{"op":"user.block","user":"d"}"#),
    ("c", #"{"op":"user.block","user":"a"}"#),
    (
      "b",
      #"{"op":"user.settings","dm_policy":"nobody","receipts":false,"dnd_until_ts":1800000000000,"#
        + #""dnd_schedule":[{"days":["mon","fri"],"from":"22:00","to":"06:00","tz":"UTC"}],"#
        + #""mute":{"types":["t"],"users":["d"],"channels":["r"]}}"#
    ),
    ("d", #"{"op":"user.settings","typing":false}"#),
    ("bot-7", #"{"op":"notify","to":["a"],"type":"t","text":"x","key":"1","collapse":"c"}"#),
    ("bot-7", #"{"op":"notify","to":["a"],"type":"t","text":"x","key":"2","collapse":"c"}"#),
    (
      "bot-7",
      #"{"op":"notify","to":["a","b"],"type":"t","text":"y","actor":"d","title":"u","data":0,"#
        + #""target":{"kind":"k","id":"i"},"expires_ts":1800000000000}"#
    ),
  ]

  private static let inboxes = [
    ("bot-7", #"{"op":"notify","to":["b"],"type":"v","text":"z","key":"3"}"#),
    ("bot-7", #"{"op":"notify","to":["b"],"type":"v","text":"z","key":"4","collapse":"d"}"#),
    ("bot-7", #"{"op":"notify","to":["b"],"type":"w","text":"z","key":"5","collapse":"d"}"#),
    ("bot-7", #"{"op":"notify","to":["b"],"type":"w","text":"z","key":"6","collapse":"d"}"#),
    ("bot-7", #"{"op":"notify.retract","to":["b"],"key":"5"}"#),
    ("b", #"{"op":"inbox.opened"}"#), ("b", #"{"op":"inbox.delete","upto":5}"#),
    ("a", #"{"op":"inbox.act","item":"1"}"#), ("a", #"{"op":"inbox.delete","ids":["3"]}"#),
    ("a", #"{"op":"inbox.mark","state":"seen","upto":2}"#),
    ("a", #"{"op":"inbox.mark","state":"archived","ids":["2"]}"#),
  ]
}
