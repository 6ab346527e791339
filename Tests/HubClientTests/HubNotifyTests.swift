import HubClient
import Testing

@Suite("What bots publish, and what users set", .timeLimit(.minutes(1)))
struct HubNotifyTests {
  @Test("a notification is sent with all that it has")
  func all() async throws {
    let text = try await sent(answer: #"{"made":2,"unknown":["cy"]}"#) {
      var like = HubNotification(to: .users(["ann", "cy"]), type: "like", text: "liked")
      like.title = "New"
      like.actor = "bob"
      like.target = HubInboxTarget(kind: "video", id: "v1", url: "https://x/v")
      like.key = "k"
      like.collapse = "c"
      like.expiresTs = 7
      like.data = HubJSON(#"{ "a":1.0 }"#)
      let answer = try await $0.notify(like)
      #expect((answer.made, answer.unknown) == (2, ["cy"]))
    }
    #expect(
      text
        == #"op="notify" to=["ann","cy"] type="like" actor="bob" "#
        + #"target={"kind":"video","id":"v1","url":"https://x/v"} title="New" text="liked" "#
        + #"key="k" collapse="c" data={ "a":1.0 } expires_ts=7"#)
  }

  @Test("it is for users, a channel, or a segment")
  func audiences() async throws {
    let audiences: [HubNotification.Audience] = [
      .users(["ann"]), .channel("room:x"),
      .segment(["plan": "gold", "level": 3, "rate": 0.5, "beta": true]),
    ]
    let texts = try await sent(answers: [#"{"made":0,"retracted":1,"unknown":[]}"#]) {
      for audience in audiences {
        try await $0.notify(HubNotification(to: audience, type: "t", text: "x"))
        #expect(try await $0.retractNotification(to: audience, key: "k").retracted == 1)
      }
    }
    let wanted = [
      #"to=["ann"]"#, #"channel="room:x""#,
      #"to={"segment":{"beta":true,"level":3,"plan":"gold","rate":0.5}}"#,
    ]
    let expected = wanted.flatMap {
      [#"op="notify" \#($0) type="t" text="x""#, #"op="notify.retract" \#($0) key="k""#]
    }
    #expect(texts == expected)
  }

  @Test("what the protocol rules out is not sent")
  func ruledOut() async throws {
    var bad = [
      HubNotification(to: .users(["two words"]), type: "t", text: "x"),
      HubNotification(to: .channel("@x"), type: "t", text: "x"),
      HubNotification(to: .segment(["a": .decimal(.infinity)]), type: "t", text: "x"),
      HubNotification(to: .users(["ann"]), type: "t", text: "x"),
      HubNotification(to: .users(["ann"]), type: "t", text: "x"),
    ]
    bad[3].actor = ""
    bad[4].expiresTs = -1
    let texts = try await sent(answers: ["{}"]) { connection in
      for notification in bad {
        let error = try await #require(throws: HubError.self) {
          try await connection.notify(notification)
        }
        #expect((error.code, error.origin) == ("bad_request", .client))
      }
    }
    #expect(texts.isEmpty)
  }

  @Test("a bot's message counts the bots' answers behind it")
  func hops() async throws {
    let text = try await sent(answer: #"{"seq":1,"ts":1}"#) {
      try await $0.send("pong", to: "r", replyTo: 3, key: "k", hops: 8)
      await #expect(throws: HubError.self) { [connection = $0] in
        try await connection.send("pong", to: "r", hops: -1)
      }
    }
    #expect(
      text == #"op="message.send" channel="r" text="pong" reply_to=3 key="k" hops=8"#)
  }

  @Test("the focus is a channel, the list, or away")
  func focus() async throws {
    let texts = try await sent(answers: ["{}"]) {
      for focus in [HubConnection.Focus.channel("r"), .list, .away] {
        try await $0.focus(on: focus)
      }
    }
    #expect(
      texts == [
        #"op="focus" screen="channel" channel="r""#, #"op="focus" screen="list""#,
        #"op="focus" screen="away""#,
      ])
  }

  @Test("settings are read, and changed where something is said")
  func settings() async throws {
    let answer =
      #"{"settings":{"dm_policy":"contacts","receipts":false,"typing":true,"dnd_until_ts":5,"#
      + #""dnd_schedule":[{"days":["mon","sun"],"from":"22:30","to":"07:00","#
      + #""tz":"Europe/Berlin"}],"mute":{"types":["like"],"users":["bob"],"#
      + #""channels":["r"]},"blocked":["cy"]}}"#
    let night = HubQuietPeriod(
      days: [.monday, .sunday], from: 1_350, to: 420, zone: "Europe/Berlin")
    let texts = try await sent(answers: [answer]) {
      let settings = try await $0.settings()
      #expect((settings.directPolicy, settings.quietUntilTs) == (.contacts, 5))
      #expect(!settings.showsReceipts && settings.showsTyping)
      #expect(settings.quietPeriods == [night])
      #expect((settings.mutedTypes, settings.mutedUsers) == (["like"], ["bob"]))
      #expect((settings.mutedChannels, settings.blocked) == (["r"], ["cy"]))
      var change = HubSettingsChange()
      change.quietUntilTs = 0
      change.quietPeriods = [night]
      change.mutedTypes = []
      change.directPolicy = .nobody
      try await $0.updateSettings(change)
    }
    #expect(texts.first == #"op="user.settings""#)
    let changed = try #require(texts.last)
    #expect(changed.contains(#"dm_policy="nobody""#) && changed.contains("dnd_until_ts=0"))
    #expect(changed.contains(#""from":"22:30","to":"07:00""#))
    #expect(changed.contains(#"mute={"types":[]}"#) && !changed.contains("receipts"))
  }
}
