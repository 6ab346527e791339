"""Notify: what happens while a large audience is half served: it is undone, the hub is copied, a
snapshot is taken. Nobody ends with an item too many or too few."""

import asyncio

import pytest

from archive import LITTLE_MEMORY
from crowds import COMMIT, CROWD, arrive, crowd_in
from home import Home, home_fixture, signed_in  # the fixture is `home`
from hub import DEADLINE
from inboxes import items_of, texts
from stage import run

MEMBERS = 2_000


async def large_room(server):
    """Its owner and its members' ids."""
    ids = await crowd_in(server, MEMBERS)
    ana = await signed_in(server, "dev:ana", check=False)
    await ana.request("channel.create", channel="room", kind="group")
    await ana.many("member.add", [
        {"channel": "room", "users": ids[at:at + 100]} for at in range(0, MEMBERS, 100)])
    return ana, ids


async def becomes(clients, expected):
    """Waits until the inboxes hold these texts."""
    async with asyncio.timeout(DEADLINE):
        for client in clients:
            while texts((await client.request("inbox.list"))["items"]) != expected:
                pass


UNDOING = {
    "deleted": ("message.delete", {"seq": 1}),
    "edited out": ("message.edit", {"seq": 1, "mentions": []}),
    "channel deleted": ("channel.delete", {}),
}


@pytest.mark.parametrize("how", UNDOING)
@run
async def test_a_mention_of_everybody_undone_at_once_leaves_nothing(home, how):
    server = home.start(*COMMIT)
    ana, ids = await large_room(server)
    people = await arrive(server, ids[::100] + ids[-1:])
    op, more = UNDOING[how]
    replies = [
        await ana.begin("message.send", channel="room", text="all", mentions=["@channel"]),
        await ana.begin(op, channel="room", **more)]
    for reply in replies:
        assert "ok" in await asyncio.wait_for(reply, DEADLINE)
    await becomes(people, [])
    bot = await signed_in(server, "dev-bot:shop", check=False)
    reply = await bot.request("notify", to=ids, type="system", text="fence")
    assert reply["made"] == MEMBERS
    await becomes(people, ["fence"])
    for client in people:
        told = [event["ev"] for event in client.log if event.get("ev", "")[:6] == "inbox."]
        assert told in (["inbox.added"], ["inbox.added", "inbox.removed", "inbox.added"])


@run
async def test_who_leaves_or_joins_meanwhile_has_at_most_one(home):
    server = home.start(*COMMIT)
    ana, ids = await large_room(server)
    people = await arrive(server, ids[::100])
    sent = await ana.begin("message.send", channel="room", text="all", mentions=["@channel"])
    await asyncio.gather(*(client.request("channel.leave", channel="room") for client in people))
    await sent
    await ana.many("member.add", [
        {"channel": "room", "users": [client.user]} for client in people])
    bot = await signed_in(server, "dev-bot:shop", check=False)
    await bot.request("notify", to=ids, type="system", text="fence")
    for client in people:
        assert texts(await items_of(client)) in (["fence"], ["fence", "all"])


@run
async def test_notified_and_taken_back_at_once_all_agree_in_the_end(home):
    server = home.start(*COMMIT)
    ids = await crowd_in(server, CROWD)
    bots = [await signed_in(server, "dev-bot:shop", check=False) for _ in range(3)]
    people = await arrive(server, ids[::400])
    asked = {"to": ids, "key": "k"}
    for _ in range(3):
        made = asyncio.create_task(
            bots[0].request("notify", type="system", text="x", **asked))
        again = asyncio.create_task(
            bots[2].request("notify", type="system", text="x", **asked))
        retracted = await bots[1].request("notify.retract", **asked)
        total = (await made)["made"] + (await again)["made"]
        rest = await bots[1].request("notify.retract", **asked)
        assert retracted["retracted"] + rest["retracted"] == total
        for client in people:
            assert await items_of(client) == []


@pytest.mark.parametrize("flags", [COMMIT, LITTLE_MEMORY], ids=len)
@run
async def test_a_snapshot_taken_half_way_is_gone_on_from(home, flags):
    server = home.start(*flags)
    ids = await crowd_in(server, CROWD)
    bot = await signed_in(server, "dev-bot:shop", check=False)
    admin = await signed_in(server, "dev-admin:root", check=False)
    [first] = await arrive(server, ids[:1])
    reply = await bot.begin("notify", to=ids, key="k", type="system", text="x")
    await first.expect("inbox.added")
    await admin.request("admin.snapshot")
    is_answered = reply.done()
    server.kill()
    server = await asyncio.to_thread(home.start, *flags)
    people = await arrive(server, ids[::500] + ids[-1:])
    await becomes(people, ["x"])
    bot = await signed_in(server, "dev-bot:shop", check=False)
    made = (await bot.request("notify", to=ids, key="k", type="system", text="y"))["made"]
    assert made == 0 or not is_answered
    reply = await bot.request("notify.retract", to=ids, key="k")
    assert reply["retracted"] == CROWD
    await becomes(people, [])


@run
async def test_a_copy_made_half_way_is_gone_on_from(home, tmp_path):
    server = home.start(*COMMIT)
    ids = await crowd_in(server, CROWD)
    bot = await signed_in(server, "dev-bot:shop", check=False)
    admin = await signed_in(server, "dev-admin:root", check=False)
    [first] = await arrive(server, ids[:1])
    reply = await bot.begin("notify", to=ids, key="k", type="system", text="x")
    await first.expect("inbox.added")
    await admin.request("admin.backup", dir=str(tmp_path / "copy"))
    assert (await reply)["ok"]["made"] == CROWD
    copy = Home(tmp_path / "copy")
    other = await asyncio.to_thread(copy.start, *COMMIT)
    try:
        for hub in (server, other):
            people = await arrive(hub, ids[::500] + ids[-1:])
            await becomes(people, ["x"])
            bot = await signed_in(hub, "dev-bot:shop", check=False)
            await bot.request("notify", to=ids, key="k", type="system", text="y")
            reply = await bot.request("notify.retract", to=ids, key="k")
            assert reply["retracted"] == CROWD
            await becomes(people, [])
    finally:
        other.kill()
