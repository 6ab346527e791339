"""Notify: ten thousand people in one request, worked off in parts while the hub goes on."""

import asyncio
import contextlib

import pytest

from client import refused
from crowds import CROWD, crowd_in
from inboxes import act, items_of, look, notify, only_item
from stage import run, say

CHATS = 3  # acknowledgements at least that go on while ten thousand are notified


@pytest.fixture(scope="module", name="crowd")
def crowd_fixture(hub):
    """The ids of people who never come."""
    return asyncio.run(crowd_in(hub, CROWD))


async def publisher(stage):
    return await stage.signed_in(f"dev-bot:{stage.name('bot')}", check=False)


def large(to, key, **arguments):
    return {"to": to, "type": "system", "text": "to all", "key": key} | arguments


@run
async def test_ten_thousand_are_notified_once_by_one_request(stage, crowd, rng):
    bot = await publisher(stage)
    some = {user: await stage.signed_in(f"dev:{user}") for user in rng.sample(crowd, 5)}
    before = {user: len(await items_of(client)) for user, client in some.items()}
    assert await bot.request("notify", **large(crowd, "k")) == {"made": CROWD, "unknown": []}
    assert (await bot.request("notify", **large(crowd, "k")))["made"] == 0
    for user, client in some.items():
        await client.expect("inbox.added")
        await client.nothing("inbox.added")
        assert len(await items_of(client)) == before[user] + 1
    retract = {"to": crowd, "key": "k"}
    assert await bot.request("notify.retract", **retract) == {"retracted": CROWD, "unknown": []}
    assert (await bot.request("notify.retract", **retract))["retracted"] == 0
    for user, client in some.items():
        await client.expect("inbox.removed")
        assert len(await items_of(client)) == before[user]


@run
async def test_who_repeats_a_key_completes_it_for_those_who_were_left_out(stage, crowd):
    bot = await publisher(stage)
    half = crowd[:CROWD // 2]
    assert (await bot.request("notify", **large(half, "k")))["made"] == len(half)
    reply = await bot.request("notify", **large(["nobody-1", *crowd[2:], "nobody-2"], "k"))
    assert reply == {"made": CROWD // 2, "unknown": ["nobody-1", "nobody-2"]}


@run
async def test_one_more_than_ten_thousand_is_refused(stage, crowd):
    bot, ana = await publisher(stage), await stage.person()
    await refused(bot.request("notify", **large([*crowd, ana.user], "k")), "bad_request")
    await refused(bot.request(
        "notify.retract", to=[*crowd, ana.user], key="k"), "bad_request")
    assert (await look(ana))[0] == []


@run
async def test_a_segment_may_be_as_large_as_the_crowd(stage, crowd):
    bot = await publisher(stage)
    everybody = {"segment": {"crowd": True}}
    assert (await bot.request("notify", **large(everybody, "s")))["made"] == CROWD
    reply = await bot.request("notify.retract", to=everybody, key="s")
    assert reply == {"retracted": CROWD, "unknown": []}


@run
async def test_what_is_behind_it_on_its_connection_waits_and_keeps_its_order(stage, crowd):
    bot, ana = await publisher(stage), await stage.person()
    asked = [
        ("notify", large([ana.user, *crowd[1:]], "k")), ("ping", {}),
        ("notify", large([ana.user], "small", text="small")), ("ping", {}),
        ("notify.retract", {"to": crowd[1:], "key": "k"}),
        ("notify", large(crowd[1:], "k")), ("inbox.list", {}),
        ("notify", {"to": [ana.user]}), ("notify", large([ana.user], "last", text="last"))]
    mark = len(bot.log)
    replies = [await bot.begin(op, **arguments) for op, arguments in asked]
    answered = [await asyncio.wait_for(reply, 60) for reply in replies]
    assert [frame["id"] for frame in bot.log[mark:]] == [frame["id"] for frame in answered]
    made = [frame.get("ok", {}).get("made") for frame in answered]
    assert made == [CROWD, None, 1, None, None, CROWD - 1, None, None, 1]
    assert answered[4]["ok"]["retracted"] == CROWD - 1
    assert answered[7]["error"]["code"] == "bad_request"
    assert [item["text"] for item in await items_of(ana)] == ["last", "small", "to all"]


async def acknowledgements(bot, ana, room, crowd, attempt):
    """How often somebody's sends were answered between two small notifications on another
    connection, with large ones between them; and their last message."""
    async def chat():
        while not ana.events("inbox.added", item=lambda item: item["text"] == f"after {attempt}"):
            [newest] = await say(ana, room, "x")
        return newest

    talk = asyncio.create_task(chat())
    asked = [large([ana.user], f"before {attempt}", text=f"before {attempt}")]
    asked += [large(crowd, f"large {attempt} {number}") for number in range(3)]
    asked += [large([ana.user], f"after {attempt}", text=f"after {attempt}")]
    replies = [await bot.begin("notify", **arguments) for arguments in asked]
    for reply in replies:
        assert "ok" in await asyncio.wait_for(reply, 60)
    newest = await talk
    before, after = [ana.log.index(event) for event in ana.events("inbox.added")[-2:]]
    return sum("ok" in frame for frame in ana.log[before:after]), newest


@run
async def test_others_chat_while_ten_thousand_are_notified(stage, crowd):
    """Tried anew where this program was not given the time to send."""
    bot = await publisher(stage)
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    counts = []
    while max(counts, default=0) < CHATS and len(counts) < 5:
        count, newest = await acknowledgements(bot, ana, room, crowd, len(counts))
        counts.append(count)
    assert max(counts) >= CHATS, counts
    await ben.expect("message", seq=newest)
    assert len(ben.events("message")) == newest


@run
async def test_recipients_are_told_and_read_while_it_goes_on(stage, crowd):
    """Who is notified can mark, follow and delete at once; the rest comes all the same."""
    bot = await publisher(stage)
    people = [await stage.signed_in(f"dev:{user}") for user in crowd[::2500]]
    for client in people:
        await client.request("inbox.delete", upto=(await look(client))[1])
        await client.settle()

    async def use(client):
        item = (await client.expect("inbox.added"))["item"]
        await act(client, item)
        assert (await client.request("inbox.delete", ids=[item["id"]]))["deleted"] == 1

    reply, *_ = await asyncio.gather(
        bot.request("notify", **large(crowd, stage.name("key"))),
        *(use(client) for client in people))
    assert reply["made"] == CROWD
    for client in people:
        assert await items_of(client) == []


@run
async def test_two_bots_notify_the_same_ten_thousand_at_once(stage, crowd):
    bots = [await publisher(stage) for _ in range(2)]
    some = [await stage.signed_in(f"dev:{user}") for user in crowd[::3333]]
    for client in some:
        await client.request("inbox.delete", upto=(await look(client))[1])
    replies = await asyncio.gather(*(
        bot.request("notify", **large(crowd, "both", text=bot.user, collapse="one"))
        for bot in bots for _ in range(2)))
    assert sum(reply["made"] for reply in replies) == 2 * CROWD
    for client in some:
        found = await items_of(client)
        assert {item["by"]: item["count"] for item in found} == {bot.user: 1 for bot in bots}
        assert len(found) == 2


@run
async def test_somebody_who_goes_away_half_way_does_not_end_it(stage, crowd):
    bot, ana = await publisher(stage), await stage.person()
    key = stage.name("key")
    to = crowd[:CROWD - 1] + [ana.user]
    await bot.begin("notify", **large(to, key))
    with contextlib.suppress(AssertionError):
        await bot.abort()
    again = await stage.signed_in(f"dev-bot:{bot.user}", check=False)
    reply = await again.request("notify", **large(to, key))
    assert reply["unknown"] == []
    item = await only_item(ana)
    assert item["count"] == 1
    retracted = await again.request("notify.retract", to=to, key=key)
    assert retracted["retracted"] == CROWD
    assert await notify(again, ana, key=key) == 1
