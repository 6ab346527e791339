"""Inbox: a device that does not keep up is told so, loads the inbox again, and goes on."""

import pytest

from inboxes import items_of, mark, notify
from stage import run
from wire import Wire

ITEMS, LARGE = 160, 60_000  # more than the system takes for a reader who takes nothing


def slow_device(hub, user):
    """A connection that is not read from by itself."""
    wire = Wire(hub.port, receive_buffer=4096)
    assert wire.upgrade()[0] == 101
    wire.ask("hello", token=f"dev:{user}")
    return wire


def read_to_gap(wire):
    """The inbox events that came before the gap of the user stream."""
    told = []
    while (frame := wire.read_json())["ev"] != "gap":
        if frame["ev"].startswith("inbox."):
            told.append(frame)
    assert frame == {"ev": "gap", "scope": "user"}
    return told


@pytest.mark.parametrize("then", ["notified", "marked"])
@run
async def test_a_slow_device_is_told_to_load_its_inbox_again(stage, then):
    bot, ana = await stage.bot(), await stage.person()
    slow = slow_device(stage.hub, ana.user)
    with slow:
        for number in range(ITEMS):
            await notify(bot, ana, text=f"{number}", data="d" * LARGE)
        told = read_to_gap(slow)
        assert [event["item"]["text"] for event in told] == [f"{n}" for n in range(len(told))]
        assert len(told) < ITEMS
        page = slow.ask("inbox.list", limit=5)
        assert page["counts"]["unread"] == ITEMS
        assert page["items"] == (await items_of(ana))[:5]
        if then == "notified":
            await notify(bot, ana, text="after")
        else:
            await mark(ana, "read", page["items"][0])
        event = slow.read_json()
        assert event["ev"] == {"notified": "inbox.added", "marked": "inbox.updated"}[then]
        assert event["at"] > page["at"]
        assert event["counts"]["unread"] == ITEMS + (1 if then == "notified" else -1)
