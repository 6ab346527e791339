"""hubctl members, history, inbox: reading the registry; and what tail says of changes."""

import json
import signal

from stage import run, say
from test_hubctl import Tail, assert_helpful, hubctl, parsed_json, room_with, succeeded


@run
async def test_members_lists_who_is_there_first(stage):
    me, away = stage.name("me"), stage.name("away")
    ana, room = await room_with(stage, me, away)
    shown = await succeeded(stage.hub.url, me, "members", room)
    told = parsed_json(await succeeded(stage.hub.url, me, "members", room, "--json"))
    listed = (await ana.request("member.list", channel=room))["members"]
    assert [member["user"] for member in told] == [member["user"] for member in listed]
    assert {member["user"] for member in told} == {ana.user, me, away}
    assert all(member["user"] in shown for member in told) and "owner" in shown
    one = parsed_json(await succeeded(stage.hub.url, me, "members", room, "--json", "--limit", "1"))
    assert one[0]["user"] == told[0]["user"] and len(one) == 1


@run
async def test_history_pages_through_more_than_the_hub_gives_at_once(stage):
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    await ana.many("message.send", [{"channel": room, "text": f"m{n}"} for n in range(1, 131)])

    async def seqs(*options):
        out = await succeeded(stage.hub.url, me, "history", room, "--json", *options)
        return [message["seq"] for message in parsed_json(out)]

    assert await seqs("--limit", "120") == list(range(11, 131))
    assert await seqs("--before", "5") == [1, 2, 3, 4]
    assert await seqs("--after", "5", "--limit", "110") == list(range(6, 116))
    assert await seqs("--after", "5", "--limit", "500") == list(range(6, 131))
    assert sorted(await seqs("--around", "50", "--limit", "3")) == [49, 50, 51]
    lines = (await succeeded(stage.hub.url, me, "history", room, "--limit", "2")).splitlines()
    assert [line.endswith(f"{ana.user}: m{n}") for line, n in zip(lines, (129, 130))] == [True] * 2


@run
async def test_history_reaches_as_far_back_as_messages_are_kept(stage):
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    await ana.many("message.send", [{"channel": room, "text": f"m{n}"} for n in range(1, 1501)])
    out = await succeeded(stage.hub.url, me, "history", room, "--json", "--limit", "2000")
    told = [(message["seq"], message["text"]) for message in parsed_json(out)]
    assert told == [(n, f"m{n}") for n in range(1, 1501)]


@run
async def test_history_shows_edits_reactions_and_deletions_and_drives_no_terminal(stage):
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    await say(ana, room, "first", "second", "\u001b[2Jthird")
    await ana.request("message.edit", channel=room, seq=1, text="better")
    await ana.request("reaction.add", channel=room, seq=1, reaction="👍")
    await ana.request("message.delete", channel=room, seq=2)
    await ana.request("message.send", channel=room, text="answer", reply_to=1)
    out = await succeeded(stage.hub.url, me, "history", room)
    one, two, three, four = out.splitlines()
    assert "better (edited) [👍 1] (1 reply)" in one and "(deleted)" in two
    assert "\u001b" not in out and "\\u{1b}[2Jthird" in three
    assert "to #1: answer" in four


@run
async def test_inbox_lists_the_newest_first(stage):
    me = stage.name("me")
    await (await stage.signed_in(f"dev:{me}")).close()
    bot = await stage.bot()
    for kind, text in (("like", "one"), ("system", "two\u0007"), ("like", "three")):
        await bot.request("notify", to=[me], type=kind, text=text)
    items = parsed_json(await succeeded(stage.hub.url, me, "inbox", "--json"))
    assert [item["text"] for item in items] == ["three", "two\u0007", "one"]
    likes = parsed_json(await succeeded(stage.hub.url, me, "inbox", "--json", "--type", "like"))
    assert [item["text"] for item in likes] == ["three", "one"]
    shown = await succeeded(stage.hub.url, me, "inbox")
    assert "\u0007" not in shown and "two\\u{7}" in shown and "unseen" in shown


@run
async def test_nothing_to_list_is_said_to_people_and_silence_to_machines(stage):
    me = stage.name("me")
    status, out, err = await hubctl(stage.hub.url, me, "inbox")
    assert (status, out) == (0, "") and err
    _, room = await room_with(stage, me)
    status, out, err = await hubctl(stage.hub.url, me, "history", room, "--json")
    assert (status, out, err) == (0, "", "")


@run
async def test_what_cannot_be_listed_is_explained(stage):
    me, channel = stage.name("me"), stage.name("missing")
    for name in ("members", "history"):
        status, _, err = await hubctl(stage.hub.url, me, name, channel)
        assert_helpful(status, err, channel)
        status, _, err = await hubctl(stage.hub.url, me, name, channel, "--json")
        assert status == 1 and json.loads(err)["error"]["code"] == "not_found"
    for options in (("--before", "1", "--after", "2"), ("--around", "5", "--limit", "101"),
                    ("--limit", "0"), ("--after", "-1")):
        status, _, err = await hubctl(stage.hub.url, me, "history", channel, *options)
        assert status == 64 and err


@run
async def test_tail_prints_edits_reactions_and_deletions(stage):
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    async with Tail.of(stage.hub.url, me, room) as tail:
        await tail.until_following(ana, room)
        (seq,) = await say(ana, room, "first")
        await tail.line_with(f"#{seq} {ana.user}: first")
        await ana.request("message.edit", channel=room, seq=seq, text="better")
        await tail.line_with(f"#{seq} {ana.user}: better (edited)")
        await ana.request("reaction.add", channel=room, seq=seq, reaction="👍")
        await tail.line_with(f"#{seq} {ana.user} reacted 👍 (1)")
        await ana.request("reaction.remove", channel=room, seq=seq, reaction="👍")
        await tail.line_with(f"#{seq} {ana.user} took back 👍 (0)")
        await ana.request("message.delete", channel=room, seq=seq)
        await tail.line_with(f"#{seq} deleted")


@run
async def test_tail_hides_the_blocked(stage):
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    mine = await stage.signed_in(f"dev:{me}")
    async with Tail.of(stage.hub.url, me, room) as tail:
        await tail.until_following(ana, room)
        await mine.request("user.block", user=ana.user)
        (seq,) = await say(ana, room, "unseen")
        assert "unseen" not in await tail.line_with(f"#{seq} (hidden)")


@run
async def test_tail_goes_on_behind_a_gap(stage):
    """A tail that stands still for a while is told what it missed, and repeats nothing."""
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    async with Tail.of(stage.hub.url, me, room, "--json") as tail:
        await tail.until_following(ana, room)
        tail.process.send_signal(signal.SIGSTOP)
        await ana.many("message.send", [{"channel": room, "text": "x" * 5000}] * 90)
        for _ in range(20):
            await ana.many("message.send", [{"channel": room, "data": "y" * 100_000}] * 10)
        tail.process.send_signal(signal.SIGCONT)
        seqs = []
        while (event := json.loads(await tail.line()))["ev"] != "gap":
            if event["ev"] == "message":
                seqs.append(event["seq"])
        assert seqs == sorted(set(seqs)) and (not seqs or event["from"] == seqs[-1] + 1)
        await tail.until_following(ana, room)
        seqs = await say(ana, room, "one", "two", "three")
        assert [(await tail.message())["seq"] for _ in seqs] == seqs
