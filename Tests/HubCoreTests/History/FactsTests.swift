import HubCore
import HubProtocol
import HubStage
import Testing

@Suite("Architecture, Messages out of memory: what is changed is loaded first")
struct FactsTests {
  private static let room = Archive.room
  private let stage = Archive()
  private var hub: HubDriver { stage.hub }
  private var alice: Client { stage.alice }
  private var bob: Client { stage.bob }

  @Test("what left memory is edited, deleted, reacted to, answered and flagged like anything else")
  func changes() {
    stage.fill(6)
    alice.subscribe(Self.room)
    #expect(bob.edit(Self.room, 1, "edited") == "ok")
    #expect(alice.react(Self.room, 2) == "ok")
    #expect(bob.delete(Self.room, 3) == "ok")
    #expect(alice.send(Self.room, "reply", replyTo: 4) == "sent 7")
    #expect(alice.flag(Self.room, 5) == "ok")
    #expect(hub.questionCount == 5)
    #expect(
      alice.events.filter { !$0.hasPrefix("unread ") } == [
        "message.updated room:a 1 edited rev 1", "reaction room:a 2 alice 👍 on 1 rev 2",
        "message.deleted room:a 3 - rev 3", "message room:a 7 alice reply",
      ])
    stage.forget()
    #expect(stage.line(1) == "1 bob edited edited")
    #expect(stage.line(2) == "2 bob m 👍1!")
    #expect(stage.line(3) == "3 bob deleted")
    #expect(stage.line(4) == "4 bob m replies 1")
    #expect(alice.flags(Self.room) == "flags 5 by alice")
    #expect(hub.replayFlaws == [])
  }

  @Test("what is refused of the newest is refused of the old, and changes nothing")
  func refused() {
    stage.fill(3)
    bob.delete(Self.room, 2)
    stage.forget()
    let state = hub.state
    let refusals: [(String, String)] = [
      (alice.edit(Self.room, 1, "x"), "refused forbidden"),
      (bob.edit(Self.room, 2, "x"), "refused conflict"),
      (alice.react(Self.room, 2), "refused conflict"),
      (alice.flag(Self.room, 2), "refused conflict"),
      (bob.send(Self.room, "m", replyTo: 2), "refused conflict"),
      (bob.edit(Self.room, 1, ""), "refused bad_request"),
      (bob.edit(Self.room, 1, "x", mentions: ["nobody"]), "refused not_found"),
    ]
    for (answer, expected) in refusals { #expect(answer == expected) }
    #expect(hub.state == state)
    #expect(hub.questionCount == refusals.count + 1)
    #expect(hub.replayFlaws == [])
  }

  @Test("what the connection asks behind it waits; others do not")
  func waiting() {
    stage.fill(3)
    hub.isAsking = true
    #expect(bob.edit(Self.room, 1, "edited") == "pending")
    #expect(bob.send(Self.room, "behind") == "pending")
    #expect(bob.edit(Self.room, 2, "edited") == "pending")
    #expect(bob.ask(.ping) == "pending")
    #expect(alice.send(Self.room, "not behind") == "sent 4")
    #expect(hub.asked.count == 1, "one question at a time")
  }

  @Test("and is done in its order, when history has answered")
  func order() {
    stage.fill(3)
    hub.isAsking = true
    bob.edit(Self.room, 1, "edited")
    bob.send(Self.room, "behind")
    bob.edit(Self.room, 2, "edited")
    bob.ask(.ping)
    hub.isAsking = false
    hub.answer()
    #expect(bob.lines == ["ok", "sent 4", "ok", "pong"])
  }

  @Test("memory knows better than what was loaded before")
  func fresher() {
    stage.fill(3)
    hub.answersEarly = true
    hub.meanwhile = { [bob] _ in bob.edit(Self.room, 1, "edited") }
    #expect(alice.react(Self.room, 1) == "ok")
    #expect(stage.line(1) == "1 bob edited edited 👍1!")
  }

  @Test("what was loaded and may be out of date is `unavailable`; asked again it is done")
  func stale() {
    stage.fill(530)
    let state = { hub.history?.messages(of: ChannelRef(index: 0)).first?.message }
    hub.answersEarly = true
    hub.meanwhile = { [alice] _ in
      for seq in 1...513 { alice.react(Self.room, seq, "x") }
    }
    #expect(bob.edit(Self.room, 1, "edited") == "refused unavailable")
    #expect(state()?.content.text == "m")
    hub.meanwhile = nil
    #expect(bob.edit(Self.room, 1, "edited") == "ok")
    #expect(stage.line(1) == "1 bob edited edited x1!")
    #expect(hub.replayFlaws == [])
  }

  @Test("a reply that was counted before its deletion is not counted again")
  func uncounted() {
    bob.send(Self.room, "parent")
    bob.send(Self.room, "reply", replyTo: 1)
    bob.send(Self.room, "reply", replyTo: 1)
    stage.forget()
    hub.answersEarly = true
    hub.meanwhile = { [bob] _ in bob.delete(Self.room, 3) }
    let answer = alice.react(Self.room, 1)
    #expect(answer == "refused unavailable")
    hub.meanwhile = nil
    #expect(alice.react(Self.room, 1) == "ok")
    #expect(stage.line(1) == "1 bob parent replies 1 👍1!")
    bob.delete(Self.room, 2)
    #expect(stage.line(1) == "1 bob parent 👍1!")
    #expect(hub.replayFlaws == [])
  }

  @Test("who goes away while history looks leaves nothing behind")
  func gone() {
    stage.fill(3)
    alice.subscribe(Self.room)
    hub.isAsking = true
    bob.edit(Self.room, 1, "edited")
    bob.type(Self.room)
    bob.close()
    hub.isAsking = false
    hub.answer()
    hub.pass(11_000)
    alice.get(Self.room)
    #expect(alice.summary?.presentCount == 1)
    #expect(hub.strayDeliveries.isEmpty)
  }

  @Test("whoever is banned while history looks is refused, and nothing is changed")
  func banned() {
    stage.fill(3)
    hub.meanwhile = { [alice] _ in alice.ban(Self.room, "bob") }
    #expect(bob.edit(Self.room, 1, "edited") == "refused banned")
    hub.meanwhile = nil
    #expect(stage.line(1) == "1 bob m")
    #expect(hub.replayFlaws == [])
  }

  @Test("without history what left memory cannot be changed: `history_gone`")
  func none() {
    let stage = Archive(hasHistory: false)
    stage.fill(3)
    #expect(stage.bob.edit(Self.room, 1, "x") == "refused history_gone")
    #expect(stage.bob.edit(Self.room, 3, "x") == "ok", "the newest message stays in memory")
  }

  @Test("what history cannot read now is `unavailable`, what is damaged there is gone")
  func unreadable() {
    stage.fill(3)
    hub.isAsking = true
    let answers: [(HistoryAnswer, String)] = [
      (.failed("closed"), "refused unavailable"), (.damaged("message 1"), "refused history_gone"),
    ]
    for (answer, line) in answers {
      bob.edit(Self.room, 1, "x")
      hub.answer(with: answer)
      #expect(bob.take("ok", "refused") == [line])
      bob.send(Self.room, "m", key: "k", isRetry: true)
      hub.answer(with: answer)
      #expect(bob.take("sent", "refused") == ["refused unavailable"], "the key may stand there")
    }
  }

  @Test("what was not looked up because it was in memory is not `history_gone` when it left")
  func leftMeanwhile() {
    stage.fill(1)
    bob.send(Self.room, "two")
    bob.send(Self.room, "three")
    hub.meanwhile = { [stage] _ in stage.forget() }
    let answer = alice.send(Self.room, "reply", key: "k", replyTo: 2, isRetry: true)
    #expect(answer == "refused unavailable")
    hub.meanwhile = nil
    #expect(alice.send(Self.room, "reply", key: "k", replyTo: 2, isRetry: true) == "sent 4")
  }
}
