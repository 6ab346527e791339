"""Receipts and unread numbers."""

import asyncio
import time

import pytest

from client import refused
from stage import fill, run, say, summary_of


async def read(client, channel, seq):
    assert await client.request("read", channel=channel, seq=seq) == {}


async def delivered(client, channel, seq):
    assert await client.request("delivered", channel=channel, seq=seq) == {}


def pointers(receipt):
    return receipt["user"], receipt["read"], receipt["delivered"]


@run
async def test_a_pointer_that_moves_is_told_to_subscribed_members(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await fill(ana, room, 5)
    steps = [(delivered, 3, (0, 3)), (read, 1, (1, 3)), (read, 3, (3, 3)), (read, 5, (5, 5))]
    for step, seq, (expected_read, expected_delivered) in steps:
        await step(ben, room, seq)
        receipt = await ana.expect("receipt", channel=room)
        assert pointers(receipt) == (ben.user, expected_read, expected_delivered)
    assert (await summary_of(ben, room))["read"] == 5


@run
async def test_a_pointer_never_moves_back(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await fill(ana, room, 5)
    await read(ben, room, 4)
    await ana.expect("receipt")
    for step, seq in ((read, 4), (read, 3), (read, 0), (delivered, 4), (delivered, 0)):
        await step(ben, room, seq)
    await ana.nothing("receipt")
    assert (await summary_of(ben, room))["read"] == 4


@run
async def test_a_pointer_above_the_channel_is_a_bad_request(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await fill(ana, room, 2)
    for op in ("read", "delivered"):
        for seq in (3, 2**53 - 1):
            await refused(ben.request(op, channel=room, seq=seq), "bad_request")
    await ana.nothing("receipt")
    assert (await summary_of(ben, room))["read"] == 0


@run
async def test_sending_reads_up_to_the_message_without_a_receipt(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await fill(ana, room, 3)
    await say(ben, room, "answer")
    await ana.expect("message", seq=4)
    await ana.nothing("receipt")
    summary = await summary_of(ben, room)
    assert (summary["read"], summary["unread"]) == (4, 0)


@run
async def test_ones_other_connections_learn_what_one_read_even_unsubscribed(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    elsewhere = await stage.again(ben)
    await fill(ana, room, 2)
    await read(ben, room, 2)
    receipt = await elsewhere.expect("receipt", channel=room)
    assert pointers(receipt) == (ben.user, 2, 2)
    await ana.nothing("receipt")


@run
async def test_who_only_watches_an_open_channel_sees_no_receipts(stage):
    ana, ben, stranger = await stage.people("ana", "ben", "stranger")
    room = await stage.shared_room(ana, ben, kind="public")
    await stranger.request("subscribe", channel=room)
    await fill(ana, room, 1)
    await read(ben, room, 1)
    await ana.expect("receipt")
    await stranger.expect("message")
    await stranger.nothing("receipt")


# Unread

def numbers(event):
    return event["unread"], event["mentions"], event["total"], event["at"]


@run
async def test_unread_numbers_are_absolute_and_the_last_one_comes(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    elsewhere = await stage.again(ben)
    await fill(ana, room, 7)
    for client in (ben, elsewhere):
        last = await client.expect("unread", channel=room, at=7)
        assert numbers(last) == (7, 0, 7, 7)
        shown = [event["unread"] for event in client.events("unread", channel=room)]
        assert shown == sorted(shown)
    assert (await summary_of(ben, room))["unread"] == 7


@run
async def test_reading_changes_the_number_on_all_connections(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    elsewhere = await stage.again(ben)
    await fill(ana, room, 5)
    await elsewhere.expect("unread", channel=room, unread=5)
    await read(ben, room, 3)
    for client in (ben, elsewhere):
        assert numbers(await client.expect("unread", channel=room, unread=2)) == (2, 0, 2, 5)
    await read(ben, room, 5)
    for client in (ben, elsewhere):
        assert numbers(await client.expect("unread", channel=room, unread=0)) == (0, 0, 0, 5)


@run
async def test_ones_own_messages_are_not_unread(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    elsewhere = await stage.again(ana)
    await say(ana, room, "mine", "mine")
    await ben.expect("unread", channel=room, unread=2)
    for client in (ana, elsewhere):
        await client.nothing("unread", unread=lambda unread: unread > 0)
    await say(ben, room, "theirs")
    assert numbers(await ana.expect("unread", channel=room, unread=1)) == (1, 0, 1, 3)
    await ben.expect("unread", channel=room, unread=0)


@run
async def test_mentions_are_counted_apart(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    room = await stage.room(ana, ben, cy)
    mentions = [[ben.user], [cy.user], [], ["@channel"]]
    for each in mentions:
        await ana.request("message.send", channel=room, text="x", mentions=each)
    for client in (ben, cy):
        assert numbers(await client.expect("unread", channel=room, at=4)) == (4, 2, 4, 4)
    await read(ben, room, 1)
    assert numbers(await ben.expect("unread", channel=room, unread=3)) == (3, 1, 3, 4)


@run
async def test_the_total_is_over_all_channels(stage):
    ana, ben = await stage.people("ana", "ben")
    one, two = await stage.room(ana, ben), await stage.room(ana, ben)
    await fill(ana, one, 2)
    await ben.expect("unread", channel=one, unread=2)
    await fill(ana, two, 3)
    assert numbers(await ben.expect("unread", channel=two, unread=3)) == (3, 0, 5, 3)
    await read(ben, one, 2)
    assert numbers(await ben.expect("unread", channel=one, unread=0)) == (0, 0, 3, 2)


@run
async def test_counting_stops_at_1000(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    await fill(ana, room, 1010)
    last = await ben.expect("unread", channel=room, unread=1000)
    assert last["total"] >= 1000
    assert (await summary_of(ben, room))["unread"] == 1000
    await read(ben, room, 11)
    assert (await summary_of(ben, room))["unread"] == 999


@run
async def test_unread_comes_at_most_once_a_second_and_ends_right(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    start = time.monotonic()
    for _ in range(30):
        await say(ana, room, "x")
        await asyncio.sleep(0.08)  # clock: the messages are spread over more than two seconds
    last = await ben.expect("unread", channel=room, at=30)
    elapsed = time.monotonic() - start
    assert numbers(last) == (30, 0, 30, 30)
    assert len(ben.events("unread", channel=room)) <= elapsed + 2


@pytest.mark.parametrize("kind, expected", [("public", 1), ("broadcast", None)])
@run
async def test_unread_is_told_of_public_but_not_of_broadcast_channels(stage, kind, expected):
    ana, ben = await stage.people("ana", "ben")
    channel, control = await stage.room(ana, ben, kind=kind), await stage.room(ana, ben)
    await say(ana, channel, "x")
    await say(ana, control, "x")
    await ben.expect("unread", channel=control, unread=1)
    if expected:
        await ben.expect("unread", channel=channel, unread=expected)
    else:
        await ben.nothing("unread", channel=channel)


@run
async def test_unread_of_a_direct_channel_survives_reconnecting(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = (await ana.request("dm.open", user=ben.user))["channel"]["channel"]
    await fill(ana, channel, 3)
    await ben.close()
    back = await stage.again(ben)
    [summary] = back.welcome["user_stream"]["channels"]
    assert (summary["unread"], summary["read"]) == (3, 0)
