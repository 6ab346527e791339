"""Notify: a large audience that was half served when its hub stopped or died is served by the next
one, and nobody twice."""

import asyncio
import contextlib

import pytest

from archive import LITTLE_MEMORY
from client import HubError, refused
from crowds import COMMIT, CROWD, arrive, crowd_in
from home import home_fixture, signed_in  # the fixture is `home`
from inboxes import items_of, nothing_happens, notify
from stage import run

MEMBERS, TYPES = 3_000, 10_000
HOW = pytest.mark.parametrize("how", ["stop", "kill"])


async def next_hub(home, how, flags=COMMIT):
    if how == "stop":
        await asyncio.to_thread(home.hubs[-1].stop)
    else:
        home.hubs[-1].kill()
    return await asyncio.to_thread(home.start, *flags)


async def interrupt(home, how, clients, flags=COMMIT, ev="inbox.added"):
    """Ends the hub as soon as one of the clients hears of an item; the next hub."""
    heard = [asyncio.create_task(client.expect(ev)) for client in clients]
    await asyncio.wait(heard, return_when=asyncio.FIRST_COMPLETED)
    server = await next_hub(home, how, flags)
    for task in heard:
        task.cancel()
    await asyncio.gather(*heard, return_exceptions=True)
    return server


async def assert_everybody_has_one(clients, text):
    for client in clients:
        if not await items_of(client):
            await client.expect("inbox.added")
        [item] = await items_of(client)
        assert (item["text"], item["count"]) == (text, 1), client.user


@pytest.mark.parametrize("again, audience", [
    ("by itself", "list"), ("by itself", "segment"), ("by repeating", "list")])
@HOW
@run
async def test_an_interrupted_notification_is_completed_with_nobody_twice(
        home, how, again, audience):
    server = home.start(*COMMIT)
    ids = await crowd_in(server, CROWD)
    bot = await signed_in(server, "dev-bot:shop", check=False)
    some = ids[::500] + ids[-1:]
    to = ids if audience == "list" else {"segment": {"crowd": True}}
    asked = {"to": to, "key": "k", "type": "system", "text": "to all", "collapse": "c"}
    early = await arrive(server, some)
    await bot.begin("notify", **asked)
    server = await interrupt(home, how, early)
    bot = await signed_in(server, "dev-bot:shop", check=False)
    if again == "by repeating":
        assert (await bot.request("notify", **asked))["unknown"] == []
    people = await arrive(server, some)
    await assert_everybody_has_one(people, "to all")
    made = (await bot.request("notify", **asked))["made"]
    assert made == 0 or again == "by itself"  # the last of it may be under way
    reply = await bot.request("notify.retract", to=to, key="k")
    assert reply == {"retracted": CROWD, "unknown": []}
    for client in people:
        assert await items_of(client) == []


@pytest.mark.parametrize("flags", [COMMIT, LITTLE_MEMORY], ids=len)
@HOW
@run
async def test_an_interrupted_mention_of_everybody_is_completed(home, how, flags):
    server = home.start(*flags)
    ids = await crowd_in(server, MEMBERS)
    ana = await signed_in(server, "dev:ana", check=False)
    await ana.request("channel.create", channel="room", kind="group")
    await ana.many("member.add", [
        {"channel": "room", "users": ids[at:at + 100]} for at in range(0, MEMBERS, 100)])
    some = ids[::150] + ids[-1:]
    early = await arrive(server, some)
    await ana.begin("message.send", channel="room", text="all", mentions=["@channel"], key="k")
    server = await interrupt(home, how, early, flags)
    ana = await signed_in(server, "dev:ana", check=False)
    sent = await ana.request(
        "message.send", channel="room", text="again", mentions=["@channel"], key="k")
    assert (sent["seq"], sent["duplicate"]) == (1, True)
    people = await arrive(server, some)
    await assert_everybody_has_one(people, "all")
    await ana.request("message.delete", channel="room", seq=1)
    for client in people:
        if await items_of(client):
            await client.expect("inbox.removed")
        assert await items_of(client) == []


@HOW
@run
async def test_an_interrupted_retraction_is_completed_by_repeating_it(home, how):
    server = home.start(*COMMIT)
    ids = await crowd_in(server, CROWD)
    bot = await signed_in(server, "dev-bot:shop", check=False)
    await bot.request("notify", to=ids, key="k", type="system", text="x")
    some = ids[::500] + ids[-1:]
    early = await arrive(server, some)
    await bot.begin("notify.retract", to=ids, key="k")
    server = await interrupt(home, how, early, ev="inbox.removed")
    bot = await signed_in(server, "dev-bot:shop", check=False)
    await bot.request("notify.retract", to=ids, key="k")
    for client in await arrive(server, some):
        assert await items_of(client) == []
    assert (await bot.request("notify", to=ids, key="k", type="system", text="y"))["made"] == CROWD


@HOW
@run
async def test_a_hub_has_ten_thousand_types_and_the_next_one_the_same(home, how):
    server = home.start(*COMMIT)
    await crowd_in(server, 100)
    bot = await signed_in(server, "dev-bot:shop", check=False)
    ana = await signed_in(server, "dev:ana", check=False)
    last = 0
    with contextlib.suppress(HubError):
        for last in range(0, TYPES + 1000, 1000):
            await bot.many("notify", [
                {"to": ["c1"], "type": f"t{number}", "text": "x"}
                for number in range(last, last + 1000)])
    assert last in (TYPES - 1000, TYPES)  # the hub's own may be among them
    for _ in range(2):
        for op in ("inbox.list", "inbox.counts"):
            await ana.request(op, types=["one more"])
        async with nothing_happens(ana):
            await refused(
                bot.request("notify", to=["ana"], type="one more", text="x"), "too_large")
        assert await notify(bot, ana, type="t7") == 1
        server = await next_hub(home, how)
        bot = await signed_in(server, "dev-bot:shop", check=False)
        ana = await signed_in(server, "dev:ana", check=False)
