"""Pages of channels of which most, or all, has left memory."""

import asyncio

import pytest

from archive import author, displace, pages, span
from chat import all_messages, hidden, without
from hub import DEADLINE
from stage import fill, run, say, seqs, summary_of
from text import raw_at

HUB_FLAGS = {"window-memory": "1MiB"}
LENGTH = 3000


async def long_room(stage, owner, *members, count=LENGTH, kind="group"):
    room = await stage.room(owner, *members, kind=kind)
    await fill(owner, room, count)
    return room


async def page(client, channel, **arguments):
    reply = await client.request("message.history", channel=channel, **arguments)
    return seqs(reply["messages"]), reply["has_more"]


# Paging

@pytest.mark.parametrize("limit", [7, 50, 100])
@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
@run
async def test_paging_brings_every_message_exactly_once(stage, backwards, limit):
    ana = await author(stage)
    room = await long_room(stage, ana)
    shown = await pages(ana, room, backwards, limit)
    assert seqs(shown) == span(1, LENGTH)
    assert [each["text"] for each in shown] == [f"message {n}" for n in span(1, LENGTH)]
    assert [each["ts"] for each in shown] == sorted(each["ts"] for each in shown)
    assert {each["user"] for each in shown} == {ana.user}


@run
async def test_pages_from_random_places_hold_their_neighbours(stage, rng):
    ana = await author(stage)
    room = await long_room(stage, ana)
    for _ in range(150):
        seq, limit = rng.randrange(0, LENGTH + 40), rng.randrange(1, 101)
        below, above = min(seq - 1, LENGTH), max(seq + 1, 1)
        first, last = max(below - limit + 1, 1), min(above + limit - 1, LENGTH)
        assert await page(ana, room, before=seq, limit=limit) == \
            (span(first, below), 1 < first <= below), (seq, limit)
        assert await page(ana, room, after=seq, limit=limit) == \
            (span(above, last), above <= last < LENGTH), (seq, limit)
        near, has_more = await page(ana, room, around=seq, limit=limit)
        assert near == span(near[0], near[-1]) and min(max(seq, 1), LENGTH) in near
        assert limit // 2 <= len(near) <= limit or limit == 1
        assert has_more is (near != span(1, LENGTH)), (seq, limit)


@run
async def test_beyond_both_ends_there_is_nothing_more(stage):
    ana = await author(stage)
    room = await long_room(stage, ana)
    for arguments, expected, has_more in (
            ({"before": 1}, [], False), ({"before": 0}, [], False), ({"before": 2}, [1], False),
            ({"before": 101, "limit": 100}, span(1, 100), False),
            ({"before": 102, "limit": 100}, span(2, 101), True),
            ({"before": 2**53 - 1, "limit": 2}, [LENGTH - 1, LENGTH], True),
            ({"after": 0, "limit": 2}, [1, 2], True), ({"after": LENGTH}, [], False),
            ({"after": LENGTH - 1}, [LENGTH], False), ({"after": 2**53 - 1}, [], False)):
        assert await page(ana, room, **arguments) == (expected, has_more), arguments


@run
async def test_pages_meet_where_memory_ends(stage):
    """Wherever memory begins: pages that lie below, across and above it."""
    ana = await author(stage)
    room = await long_room(stage, ana, count=2200)
    for start in range(900, 1500, 20):
        assert await page(ana, room, after=start, limit=60) == (span(start + 1, start + 60), True)
        assert await page(ana, room, before=start, limit=60) == (span(start - 60, start - 1), True)


@run
async def test_a_message_is_the_same_however_old_it_grows(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await stage.room(ana, ben)
    every = {"text": "háé 你好 🎉\n\"\\", "data": {"a": [1, None, {"b": "\u2028"}]},
             "attachments": [{"kind": "image", "url": "https://e.com/x", "w": 5}],
             "mentions": [ben.user], "key": "c-1"}
    await ana.request("message.send", channel=room, **every)
    await ben.request_raw("message.send", f'"channel":"{room}","data":[1.0,"\\u00e9\\/"]')
    await say(ben, room, "x", "y")
    await ana.request("message.send", channel=room, text="answer", reply_to=1)
    await ben.request("message.edit", channel=room, seq=3, text="edited")
    await ben.request("message.delete", channel=room, seq=4)
    await ben.request("reaction.add", channel=room, seq=1, reaction="👍")
    young = [(client, await all_messages(client, room)) for client in (ana, ben)]
    raw = (await ben.request("message.history", channel=room, after=1, limit=1)).raw
    await fill(ana, room, 2500)
    await displace(stage)
    for client, messages in young:
        old = await client.request("message.history", channel=room, before=6)
        assert old["messages"] == messages
    again = await ben.request("message.history", channel=room, after=1, limit=1)
    assert raw_at(again.raw, "ok", "messages", 0) == raw_at(raw, "ok", "messages", 0)
    assert raw_at(again.raw, "ok", "messages", 0, "data") == '[1.0,"\\u00e9\\/"]'


@run
async def test_pages_of_large_messages_keep_their_size_and_lose_nothing(stage, rng):
    ana = await author(stage)
    room = await stage.room(ana)
    sizes = [rng.choice([10, 5_000, 30_000, 200_000]) for _ in range(90)]
    await ana.many("message.send", [
        {"channel": room, "data": f"{n:x<{size}}"} for n, size in enumerate(sizes)])
    await displace(stage, 2 << 20)
    for backwards in (False, True):
        shown = await pages(ana, room, backwards)
        assert seqs(shown) == span(1, 90)
        assert [each["data"] for each in shown] == [
            f"{n:x<{size}}" for n, size in enumerate(sizes)]
    whole = span(1, 90)
    for seq in whole:
        near, _ = await page(ana, room, around=seq, limit=100)
        assert seq in near and near == span(near[0], near[-1])


# Whole channels that left memory

@run
async def test_quiet_channels_are_all_there_when_memory_is_full(stage):
    ana, ben = await author(stage), await stage.person("ben")
    rooms = [await stage.room(ana, ben) for _ in range(30)]
    for room in rooms:
        await ana.many("message.send", [
            {"channel": room, "text": f"{room} {n}", "data": "x" * 2000} for n in range(40)])
    await displace(stage)
    for room in rooms:
        summary = await summary_of(ben, room)
        assert (summary["seq"], summary["unread"]) == (40, 40)
        assert summary["last_message"]["text"] == f"{room} 39"
        whole = await pages(ben, room)
        assert [each["text"] for each in whole] == [f"{room} {n}" for n in range(40)]
        newest = await ben.request("subscribe", channel=room, limit=25)
        assert newest["messages"] == whole[-25:] and newest["recovered"] is False
        assert await say(ana, room, "more") == [41]
        assert (await ben.expect("message", channel=room))["seq"] == 41


@run
async def test_memory_and_snapshot_hold_no_more_than_allowed(stage):
    ana, admin = await author(stage), await stage.admin()
    rooms = [await stage.room(ana) for _ in range(40)]
    for room in rooms:
        await ana.many("message.send", [{"channel": room, "data": "x" * 1000}] * 200)
    async with asyncio.timeout(DEADLINE):
        while (await admin.request("admin.snapshot"))["bytes"] > 2 << 20:
            pass
    for room in rooms:
        assert seqs(await pages(ana, room)) == span(1, 200)


@run
async def test_subscribing_brings_the_newest_300_from_wherever_they_are(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await long_room(stage, ana, ben, count=1500)
    await displace(stage)
    for limit in (1, 2, 299, 300):
        newest = await ben.request("subscribe", channel=room, limit=limit)
        assert seqs(newest["messages"]) == span(1501 - limit, 1500)
    await say(ana, room, "next")
    newest = await ben.request("subscribe", channel=room, limit=300)
    assert seqs(newest["messages"]) == span(1202, 1501)


@run
async def test_counts_of_what_left_memory_stay(stage):
    ana, ben, cy = await author(stage), await stage.person("ben"), await stage.person("cy")
    room = await stage.room(ana, ben, cy)
    await say(ana, room, *["x"] * 50)
    await ana.request("message.send", channel=room, text="you", mentions=[ben.user])
    await cy.request("read", channel=room, seq=20)
    await displace(stage)
    for client, counts in ((ben, (51, 1)), (cy, (31, 0)), (ana, (0, 0))):
        summary = await summary_of(client, room)
        assert (summary["unread"], summary["mentions"]) == counts
    await ana.request("message.delete", channel=room, seq=51)
    await ana.request("message.delete", channel=room, seq=20)
    await ana.request("message.delete", channel=room, seq=21)
    await cy.request("read.unread", channel=room, seq=11)
    for client, counts in ((ben, (48, 0)), (cy, (38, 0))):
        summary = await summary_of(client, room)
        assert (summary["unread"], summary["mentions"]) == counts


# Who sees what

@run
async def test_messages_of_blocked_people_are_hidden_in_old_pages_too(stage):
    ana, ben, cy = await author(stage), await stage.person("ben"), await stage.person("cy")
    room = await stage.room(ana, ben, cy, kind="public")
    for _ in range(20):
        await say(ana, room, "from ana", "from ana too")
        await say(ben, room, "from ben")
    await ben.request("message.send", channel=room, text="answer", reply_to=1)
    await fill(ana, room, 1500)
    await displace(stage)
    plain = await pages(cy, room)
    await cy.request("user.block", user=ben.user)
    seen = await pages(cy, room, backwards=True)
    assert len(seen) == len(plain) == 1561
    for shown, message in zip(seen, plain, strict=True):
        ours = message["user"] == ben.user
        assert shown == (hidden(room, message["seq"]) if ours else message)
    replies = await cy.request("message.thread", channel=room, seq=1)
    assert replies["messages"] == [hidden(room, 61)]
    await cy.request("user.unblock", user=ben.user)
    assert await pages(cy, room) == plain


@run
async def test_keys_and_own_reactions_are_shown_to_each_as_theirs(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await stage.room(ana, ben)
    await ana.request("message.send", channel=room, text="x", key="secret")
    await ben.request("reaction.add", channel=room, seq=1, reaction="👍")
    await fill(ana, room, 1500)
    await displace(stage)
    shown = {}
    for client in (ana, ben):
        [shown[client.user]] = (
            await client.request("message.history", channel=room, before=2))["messages"]
    assert shown[ana.user]["key"] == "secret" and "key" not in shown[ben.user]
    assert shown[ana.user]["reactions"] == {"👍": {"count": 1}}
    assert shown[ben.user]["reactions"] == {"👍": {"count": 1, "mine": True}}
    assert without(shown[ana.user], "key", "reactions") == without(shown[ben.user], "reactions")
