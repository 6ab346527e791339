"""Typing: the whole set, on change only."""

import asyncio

import pytest

from stage import run


async def type_in(client, channel, on=True):
    assert await client.request("typing", channel=channel, on=on) == {}


async def expect_typing(clients, channel, *people):
    """The next typing event of each client shows exactly these people, in any order."""
    expected = sorted(person.user for person in people)
    for client in clients:
        event = await client.expect("typing", channel=channel, within=20)
        assert sorted(event["users"]) == expected


@run
async def test_everybody_sees_the_whole_set_of_people_typing(stage):
    ana, ben, cy = everybody = await stage.people("ana", "ben", "cy")
    room = await stage.shared_room(*everybody)
    await type_in(ana, room)
    await expect_typing(everybody, room, ana)
    await type_in(ben, room)
    await expect_typing(everybody, room, ana, ben)
    await type_in(ana, room, on=False)
    await expect_typing(everybody, room, ben)
    await type_in(ben, room, on=False)
    await expect_typing(everybody, room)


@run
async def test_only_a_change_is_told(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await type_in(ben, room, on=False)
    await ana.nothing("typing")
    for _ in range(3):
        await type_in(ben, room)
    await expect_typing([ana, ben], room, ben)
    for client in (ana, ben):
        await client.nothing("typing")


@run
async def test_who_is_not_subscribed_hears_nothing_but_may_type(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    await ana.request("subscribe", channel=room)
    await type_in(ben, room)
    await expect_typing([ana], room, ben)
    await ben.nothing("typing")


async def by_a_message(client, room):
    await client.request("message.send", channel=room, text="done")


async def by_leaving(client, room):
    await client.request("channel.leave", channel=room)


async def by_closing(client, room):
    await client.close()


async def by_vanishing(client, room):
    await client.abort()


@pytest.mark.parametrize("ends", [by_a_message, by_leaving, by_closing, by_vanishing])
@run
async def test_typing_ends_at_once(stage, ends):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    room = await stage.shared_room(ana, ben, cy, kind="public")
    await type_in(cy, room)
    await expect_typing([ana], room, cy)
    await type_in(ben, room)
    await expect_typing([ana], room, ben, cy)
    await ends(ben, room)
    await expect_typing([ana], room, cy)


@pytest.mark.parametrize("op", ["member.remove", "member.ban"])
@run
async def test_typing_ends_when_one_is_put_out(stage, op):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    room = await stage.shared_room(ana, ben, cy)
    await type_in(ben, room)
    await expect_typing([ana, cy], room, ben)
    who = {"users": [ben.user]} if op == "member.remove" else {"user": ben.user}
    await ana.request(op, channel=room, **who)
    await expect_typing([ana, cy], room)


@run
async def test_a_refused_message_does_not_end_typing(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await type_in(ben, room)
    await expect_typing([ana], room, ben)
    await ben.send({"op": "message.send", "channel": room, "text": ""})
    await ben.expect("error")
    await ana.nothing("typing")


@run
async def test_typing_is_forgotten_six_seconds_after_it_was_last_said(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await type_in(ana, room)
    await type_in(ben, room)
    await expect_typing([ana], room, ana)
    await expect_typing([ana], room, ana, ben)
    await asyncio.sleep(3)  # clock: typing is to be said again every three seconds
    await type_in(ben, room)
    await ana.nothing("typing")
    await expect_typing([ana], room, ben)
    await expect_typing([ana], room)
