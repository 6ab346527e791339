import HubStage

extension DrivenHub {
  /// What everybody can be told by asking, with the same people there and nobody subscribed before.
  func observed(by names: [String], in channels: [String]) -> String {
    leaveAlone()
    wall = 1_700_400_000_000
    var answers = names.map { connect($0) }
    for name in names { answers += observed(by: name, in: channels) }
    // Numbers told to others are another matter: here is what is answered.
    return answers.joined(separator: "\n").split(separator: "\n")
      .filter { $0.hasPrefix("answer ") }
      // Which connection it was says nothing.
      .map { $0.drop { $0 != "{" } }.joined(separator: "\n")
  }

  private func observed(by name: String, in channels: [String]) -> [String] {
    var requests = [
      #"{"op":"inbox.list","limit":100}"#, #"{"op":"user.settings"}"#,
      #"{"op":"channel.list","sort":"name","limit":100}"#,
      #"{"op":"channel.list","scope":"all"}"#, #"{"op":"feed.list","limit":100}"#,
      #"{"op":"user.get","users":["\#(name)"]}"#, #"{"op":"user.search","q":"a","limit":100}"#,
      #"{"op":"user.search","q":"van d"}"#, #"{"op":"user.search","q":"王"}"#,
    ]
    for channel in channels {
      let at = #""channel":"\#(channel)""#
      requests += [
        #"{"op":"channel.get",\#(at)}"#, #"{"op":"member.list",\#(at),"limit":100}"#,
        #"{"op":"message.flags",\#(at)}"#, #"{"op":"subscribe",\#(at),"limit":300}"#,
        #"{"op":"message.thread",\#(at),"seq":1}"#, #"{"op":"message.thread",\#(at),"seq":9}"#,
        #"{"op":"message.history",\#(at),"after":0}"#,
        #"{"op":"message.history",\#(at),"around":900}"#, #"{"op":"unsubscribe",\#(at)}"#,
      ]
    }
    return requests.map { ask(name, $0) }
  }
}
