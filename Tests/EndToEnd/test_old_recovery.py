"""Recovery from positions far below memory, and the order of requests around what has to be
loaded."""

import asyncio
import itertools

import pytest

from archive import author, displace, listed, pages, span
from chat import code_of, message_at, until, without
from client import refused
from stage import fill, run, seqs, summary_of

HUB_FLAGS = {"window-memory": "1MiB"}


async def position(client, channel):
    reply = await client.request("subscribe", channel=channel)
    await client.request("unsubscribe", channel=channel)
    return {key: reply[key] for key in ("epoch", "seq", "rev")}


async def recover(client, channel, **since):
    return await client.request("subscribe", channel=channel, since=since)


async def react(client, channel, *which, reaction="x"):
    for seq in which:
        await client.request("reaction.add", channel=channel, seq=seq, reaction=reaction)


# subscribe since

@run
async def test_everything_missed_comes_though_it_lies_below_memory(stage):
    ana, ben = await author(stage), await author(stage, "ben")
    room = await stage.room(ana, ben)
    await fill(ana, room, 100)
    at = await position(ben, room)
    await fill(ana, room, 700)
    await react(ben, room, 5, 6, 5, 500)
    await ana.request("message.edit", channel=room, seq=7, text="edited")
    await ana.request("message.delete", channel=room, seq=600)
    await react(ben, room, 8)
    await ben.request("reaction.remove", channel=room, seq=8, reaction="x")
    await displace(stage)
    whole = {message["seq"]: message for message in await pages(ben, room)}
    reply = await recover(ben, room, **at)
    assert (reply["recovered"], reply["seq"], reply["rev"]) == (True, 800, 7)
    assert reply["messages"] == [whole[seq] for seq in span(101, 800)]
    assert sorted(reply["changed"], key=lambda each: each["seq"]) == [
        whole[seq] for seq in (5, 6, 7, 8)]
    assert "changed" not in await recover(ben, room, **without(at, "rev"))


@pytest.mark.parametrize("new, changed", [
    (1000, 0), (1001, 0), (600, 400), (600, 401), (0, 1000), (999, 1), (1000, 1)])
@run
async def test_old_or_not_1000_messages_are_recovered_and_no_more(stage, new, changed):
    ana = await author(stage)
    room = await stage.room(ana)
    await fill(ana, room, 1000)
    at = await position(ana, room)
    await ana.many("message.edit", [
        {"channel": room, "seq": seq, "text": "edited"} for seq in span(1, changed)])
    await fill(ana, room, new)
    await displace(stage)
    reply = await recover(ana, room, **at)
    assert reply["recovered"] is (new + changed <= 1000)
    if reply["recovered"]:
        assert seqs(reply["messages"]) == span(1001, 1000 + new)
        assert sorted(seqs(reply["changed"])) == span(1, changed)
        assert all(each["text"] == "edited" for each in reply["changed"])
    else:
        assert reply["messages"] == [] and "changed" not in reply


@run
async def test_old_or_not_384_kib_are_recovered_and_no_more(stage):
    ana = await author(stage)
    room = await stage.room(ana)
    await ana.many("message.send", [{"channel": room, "data": "x" * 50_000}] * 30)
    at = await position(ana, room)
    await displace(stage)
    for seq, recovered in ((23, True), (24, True), (22, False), (1, False)):
        reply = await recover(ana, room, epoch=at["epoch"], seq=seq, rev=0)
        assert reply["recovered"] is recovered, seq
        assert seqs(reply["messages"]) == span(seq + 1, 30) * recovered


@run
async def test_positions_anywhere_are_answered_whole_or_not_at_all(stage, rng):
    """Compared with a count of what would be needed."""
    ana = await author(stage)
    room = await stage.room(ana)
    await fill(ana, room, 2400)
    epoch = (await position(ana, room))["epoch"]
    revs = [0]  # for each rev, the message that it changed
    for _ in range(300):
        seq = rng.randrange(1, 2401)
        await ana.request("message.edit", channel=room, seq=seq, text=f"edit {len(revs)}")
        revs.append(seq)
    whole = {message["seq"]: message for message in await pages(ana, room)}
    for _ in range(60):
        seq, rev = rng.randrange(rng.choice([0, 1300]), 2401), rng.randrange(0, 301)
        changed = sorted({each for each in revs[rev + 1:] if each <= seq})
        reply = await recover(ana, room, epoch=epoch, seq=seq, rev=rev)
        assert reply["recovered"] is (2400 - seq + len(changed) <= 1000), (seq, rev)
        if reply["recovered"]:
            assert reply["messages"] == [whole[each] for each in span(seq + 1, 2400)]
            assert sorted(reply["changed"], key=lambda each: each["seq"]) == [
                whole[each] for each in changed]


@run
async def test_who_recovers_from_below_memory_then_misses_nothing(stage):
    """Messages keep coming while what was missed is loaded: no hole at the seam, no double."""
    ana, sender = await author(stage), await author(stage, "sender")
    room = await stage.room(ana, sender)
    for _ in range(12):
        at = await position(ana, room)
        await fill(sender, room, 200)
        await displace(stage, 1 << 20)
        sending = asyncio.create_task(fill(sender, room, 150))
        reply = await recover(ana, room, **at)
        assert reply["recovered"] and seqs(reply["messages"]) == span(at["seq"] + 1, reply["seq"])
        last = (await sending)[-1]
        await ana.ping()
        live = seqs(event for event in ana.pending if event["ev"] == "message")
        assert live == span(reply["seq"] + 1, last)
        await ana.request("unsubscribe", channel=room)
        await ana.settle()


@run
async def test_who_comes_back_while_others_react_recovers_all_the_same(stage, rng):
    ana, ben, cy = [await author(stage) for _ in range(3)]
    room = await stage.room(ana, ben, cy)
    await fill(ben, room, 2000)
    at = await position(ana, room)
    for _ in range(15):
        await displace(stage, 1 << 20)
        reaction = f"{rng.random()}"
        busy = [await client.begin("reaction.add", channel=room, seq=seq, reaction=reaction)
                for client in (ben, cy) for seq in rng.sample(span(1, 2000), 100)]
        replies = [await recover(ana, room, epoch=at["epoch"], seq=1400) for _ in range(5)]
        await asyncio.gather(*busy)
        assert [reply["recovered"] for reply in replies] == [True] * 5
        assert all(seqs(reply["messages"]) == span(1401, 2000) for reply in replies)


# Order

@run
async def test_requests_of_a_connection_keep_their_order_around_old_messages(stage):
    ana = await author(stage)
    room = await stage.room(ana)
    await fill(ana, room, 1600)
    await displace(stage)
    await ana.request("subscribe", channel=room)
    await ana.settle()
    for seq in range(1, 200, 4):
        mark = len(ana.log)
        await ana.many("message.send", [{"channel": room, "text": "a"}])
        asked = [("reaction.add", {"seq": seq, "reaction": "x"}), ("message.send", {"text": "b"}),
                 ("message.edit", {"seq": seq + 1, "text": "y"}), ("message.send", {"text": "c"}),
                 ("message.send", {"text": "d", "reply_to": seq + 2}),
                 ("message.delete", {"seq": seq + 3}), ("message.send", {"text": "e"}),
                 ("ping", {})]
        replies = [await ana.begin(op, channel=room, **more) for op, more in asked]
        answered = await asyncio.gather(*replies)
        assert all("ok" in reply for reply in answered), answered
        frames = ana.log[mark:]
        ids = [frame["id"] for frame in frames if "id" in frame]
        assert ids == sorted(ids)
        told = [(frame["ev"], frame.get("text") or frame.get("seq")) for frame in frames
                if frame.get("channel") == room and frame.get("ev", "")[:3] in ("mes", "rea")]
        assert told == [
            ("message", "a"), ("reaction", seq), ("message", "b"), ("message.updated", "y"),
            ("message", "c"), ("message", "d"), ("message.deleted", seq + 3), ("message", "e")]


@run
async def test_pages_of_old_messages_hold_nothing_up(stage):
    """What only reads old messages may answer later than what came behind it, and does no harm."""
    ana = await author(stage)
    room = await stage.room(ana)
    await fill(ana, room, 3000)
    replies = []
    for _ in range(10):
        replies.append(await ana.begin("message.history", channel=room, after=0, limit=100))
        replies.append(await ana.begin("message.search", q="message", limit=100))
        replies.append(await ana.begin("message.send", channel=room, text="x"))
    sent = [(await reply)["ok"]["seq"] for reply in replies[2::3]]
    assert sent == span(3001, 3010)
    for reply in replies[::3]:
        assert seqs((await reply)["ok"]["messages"]) == span(1, 100)
    for reply in replies[1::3]:
        assert len((await reply)["ok"]["messages"]) == 100


@run
async def test_others_go_on_while_one_loads(stage):
    """Somebody asks for old messages without end; everybody else's requests are all answered."""
    ana, ben, cy = [await author(stage) for _ in range(3)]
    room, other = await stage.room(ana, ben, cy), await stage.room(ben, cy)
    await fill(ana, room, 2500)
    await displace(stage)
    busy = [await ana.begin("reaction.add", channel=room, seq=seq, reaction="x")
            for seq in span(1, 1200)]
    await asyncio.gather(fill(ben, other, 500), fill(cy, room, 500))
    answered = await asyncio.gather(*busy)
    assert all("ok" in each for each in answered)
    assert (await summary_of(cy, room))["rev"] == 1200
    assert (await summary_of(cy, other))["seq"] == 500


# What is no longer there when it has been loaded

@run
async def test_who_is_removed_while_an_old_message_is_loaded_changes_nothing(stage):
    """The removal and the like race; either comes first, and what follows agrees with it."""
    ana = await author(stage)
    room = await stage.room(ana)
    await fill(ana, room, 1500)
    await displace(stage)
    await ana.request("subscribe", channel=room)
    for seq in span(1, 40):
        ben = await author(stage, "ben")
        await ana.request("member.add", channel=room, users=[ben.user])
        like = ben.request("reaction.add", channel=room, seq=seq, reaction="👍")
        remove = ana.request("member.remove", channel=room, users=[ben.user])
        first, second = (like, remove) if seq % 2 else (remove, like)
        one, two = await asyncio.gather(code_of(first), code_of(second))
        liked = one if seq % 2 else two
        assert liked in ("ok", "not_found") and "ok" in (one, two)
        assert ("reactions" in await message_at(ana, room, seq)) is (liked == "ok")
        left = next(index for index, frame in enumerate(ana.log) if frame.get("ev") == "member"
                    and (frame["user"], frame["change"]) == (ben.user, "removed"))
        later = [frame for frame in ana.log[left:]
                 if frame.get("ev") == "reaction" and frame["user"] == ben.user]
        assert later == [], "a like behind the removal"


@pytest.mark.parametrize("kind", ["public", "broadcast"])
@run
async def test_a_channel_made_again_shows_nothing_old(stage, kind):
    ana, ben = await author(stage), await author(stage, "ben")
    room = await stage.room(ana, ben, kind=kind)
    await ana.many("message.send", [
        {"channel": room, "text": f"walrus {n}", "key": f"k{n}"} for n in span(1, 1500)])
    await ana.request("message.send", channel=room, text="reply", reply_to=1)
    at = await position(ben, room)
    await ana.request("channel.delete", channel=room)
    assert (await listed(ana, "message.search", q="walrus"))[0] == []
    await refused(pages(ana, room), "not_found")
    await ana.request("channel.create", channel=room, kind=kind)
    await ben.request("channel.join", channel=room)
    assert await pages(ben, room) == [] == (await listed(ana, "feed.list"))[0]
    reply = await recover(ben, room, **at | {"seq": 0})
    assert (reply["recovered"], reply["messages"], reply["seq"]) == (False, [], 0)
    again = await ana.request("message.send", channel=room, text="new", key="k1", retry=True)
    assert again["seq"] == 1 and "duplicate" not in again
    assert [each["text"] for each in await pages(ben, room)] == ["new"]
    assert (await ben.request("message.thread", channel=room, seq=1))["messages"] == []
    assert (await listed(ana, "message.search", q="walrus", channel=room))[0] == []
    await refused(ana.request("reaction.add", channel=room, seq=2, reaction="x"), "not_found")


@run
async def test_a_channel_is_deleted_while_its_old_messages_are_asked_for(stage):
    ana, ben = await author(stage), await author(stage, "ben")
    for count in itertools.repeat(1300, 4):
        room = await stage.room(ana, ben)
        await fill(ana, room, count)
        await displace(stage, 1 << 20)
        asked = [await ben.begin(op, channel=room, **more) for seq in span(1, 20)
                 for op, more in (("reaction.add", {"seq": seq, "reaction": "x"}),
                                  ("message.history", {"after": seq}),
                                  ("message.thread", {"seq": seq}))]
        await ana.request("channel.delete", channel=room)
        answered = [await reply for reply in asked]
        codes = {each["error"]["code"] if "error" in each else "ok" for each in answered}
        assert codes <= {"ok", "not_found"}, codes
        await until(ben, lambda: ben.events("channel.deleted", channel=room))
        await refused(pages(ben, room), "not_found")
