"""History: pages of a channel's messages."""

import pytest

from stage import fill, run, seqs


async def page(client, channel, **arguments):
    reply = await client.request("message.history", channel=channel, **arguments)
    return seqs(reply["messages"]), reply["has_more"]


def span(first, last):
    return list(range(first, last + 1))


# Of a channel of 120 messages: the arguments, the page, and whether there is more.
PAGES = [
    ({"before": 121, "limit": 10}, span(111, 120), True),
    ({"before": 121}, span(71, 120), True),
    ({"before": 61}, span(11, 60), True),
    ({"before": 51}, span(1, 50), False),
    ({"before": 11, "limit": 100}, span(1, 10), False),
    ({"before": 2}, [1], False),
    ({"before": 1}, [], False),
    ({"before": 5000, "limit": 3}, span(118, 120), True),
    ({"before": 2**53 - 1, "limit": 1}, [120], True),
    ({"after": 0, "limit": 10}, span(1, 10), True),
    ({"after": 0}, span(1, 50), True),
    ({"after": 70}, span(71, 120), False),
    ({"after": 69, "limit": 50}, span(70, 119), True),
    ({"after": 119}, [120], False),
    ({"after": 120}, [], False),
    ({"after": 5000}, [], False),
]


@run
async def test_pages_hold_what_is_before_or_after(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await fill(ana, room, 120)
    for arguments, expected, has_more in PAGES:
        assert await page(ana, room, **arguments) == (expected, has_more), arguments


@pytest.mark.parametrize("seq, limit", [
    (60, 10), (60, 11), (60, 1), (1, 10), (120, 10), (0, 10), (5000, 10), (60, 100)])
@run
async def test_a_page_around_a_message_holds_its_neighbours(stage, seq, limit):
    ana = await stage.person()
    room = await stage.room(ana)
    await fill(ana, room, 120)
    found, _ = await page(ana, room, around=seq, limit=limit)
    nearest = min(max(seq, 1), 120)
    assert found == span(found[0], found[-1]) and nearest in found
    assert limit // 2 <= len(found) <= limit or limit == 1
    assert found[0] <= nearest <= found[-1]


@run
async def test_an_empty_channel_has_an_empty_history(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    for arguments in ({"before": 1}, {"before": 9}, {"after": 0}, {"after": 9}, {"around": 1}):
        assert await page(ana, room, **arguments) == ([], False), arguments


@run
async def test_history_shows_messages_as_they_were_delivered(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await ana.request("message.send", channel=room, text="hi", data={"a": 1}, mentions=[ben.user])
    event = dict(await ben.expect("message"))
    del event["ev"]
    [message] = (await ben.request("message.history", channel=room, before=2))["messages"]
    assert message == event


@run
async def test_what_fell_out_of_the_window_is_there_all_the_same(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await fill(ana, room, 1300)
    found, before = [], 1301
    while before > 1:
        got, has_more = await page(ana, room, before=before, limit=100)
        assert has_more is (got[0] > 1)
        found, before = got + found, got[0]
    assert found == span(1, 1300)
    for arguments, expected, has_more in (
            ({"before": 100}, span(50, 99), True), ({"after": 0}, span(1, 50), True),
            ({"before": 1}, [], False), ({"after": 1200, "limit": 100}, span(1201, 1300), False)):
        assert await page(ana, room, **arguments) == (expected, has_more), arguments
