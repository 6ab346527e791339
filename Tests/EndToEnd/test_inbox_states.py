"""Inbox: what its reader does with the items, on all devices at once."""

import itertools

import pytest

from inboxes import (
    EMPTY, STATES, act, agree, counted, delete, filled, items_of, look, mark, nothing_happens,
    notify, states, texts)
from stage import run

HUB_FLAGS = {"durability": "none"}
VIDEO = {"kind": "video", "id": "v1", "url": "https://example.com/v1"}


async def told(copies, expected):
    """Every device was told exactly this; what is told of one item is told with it."""
    for copy in copies:
        events = await copy.catch_up()
        assert [event["ev"] for event in events] == expected, events
        await copy.check()


# Marking by ids

@pytest.mark.parametrize("before, after", list(itertools.product(STATES, STATES)))
@run
async def test_an_item_goes_from_every_state_to_every_other(stage, before, after):
    _, ana, copies, items = await filled(stage, "like", "comment", "like")
    await mark(ana, before, items[1])
    await agree(copies)
    reply = await mark(ana, after, items[1])
    await told(copies, ["inbox.updated"] if before != after else [])
    found, at = await look(ana)
    assert texts(found) == ["2", "1", "0"] and states(found) == ["unseen", after, "unseen"]
    assert reply == {"counts": counted(found), "at": at}


@run
async def test_marking_several_items_tells_which_and_what_they_are_now(stage):
    _, ana, copies, items = await filled(stage, *["like"] * 5)
    await mark(ana, "read", items[1])
    await agree(copies)
    await mark(ana, "read", *items[:4])
    for copy in copies:
        [event] = await copy.catch_up()
        changed = {item["id"] for item in (items[0], items[2], items[3])}
        assert (set(event["ids"]), event["state"]) == (changed, "read") and "item" not in event
    assert states(await agree(copies)) == ["unseen"] + ["read"] * 4


@run
async def test_a_mark_that_changes_one_of_several_brings_that_item(stage):
    _, ana, copies, items = await filled(stage, *["like"] * 3)
    await mark(ana, "read", *items[:2])
    await agree(copies)
    await mark(ana, "read", *items)
    for copy in copies:
        [event] = await copy.catch_up()
        assert event["item"] == items[2] | {"state": "read"} and "ids" not in event


@run
async def test_what_is_so_already_is_ok_and_no_change(stage):
    _, ana, copies, items = await filled(stage, *["like"] * 2)
    await mark(ana, "seen", *items)
    await agree(copies)
    async with nothing_happens(*(copy.client for copy in copies)):
        for arguments in ({"ids": [item["id"] for item in items]}, {"upto": copies[0].at}):
            assert await mark(ana, "seen", **arguments) == {
                "counts": {"unseen": 0, "unread": 2, "by_type": {"like": 2}}, "at": copies[0].at}


# Marking up to a position

@pytest.mark.parametrize("state, expected", [
    ("unseen", ["unseen", "unseen", "unseen", "archived"]),
    ("seen", ["seen", "seen", "read", "archived"]),
    ("read", ["read", "read", "read", "archived"]),
    ("archived", ["archived"] * 4)])
@run
async def test_up_to_a_position_items_go_forward_or_become_unseen(stage, state, expected):
    _, ana, copies, items = await filled(stage, *["like"] * 4)
    for item, before in zip(items, STATES, strict=True):
        await mark(ana, before, item)
    await agree(copies)
    reply = await mark(ana, state, upto=copies[0].at)
    changed = sum(one != other for one, other in zip(expected, STATES, strict=True))
    await told(copies, ["inbox.updated"] * bool(changed))
    found, at = await look(ana)
    assert states(found[::-1]) == expected and reply == {"counts": counted(found), "at": at}


@run
async def test_what_comes_or_grows_after_the_position_stays_as_it_is(stage):
    bot, ana, copies, _ = await filled(stage, "like", "comment")
    await notify(bot, ana, text="may grow", collapse="c")
    opened = (await look(ana))[1]
    await notify(bot, ana, text="came")
    await notify(bot, ana, text="grew", collapse="c")
    await mark(ana, "read", upto=opened)
    found = await agree(copies)
    assert texts(found) == ["grew", "came", "1", "0"]
    assert states(found) == ["unseen", "unseen", "read", "read"]


@run
async def test_a_mark_leaves_an_item_where_it_is(stage):
    _, ana, copies, items = await filled(stage, *["like"] * 3)
    first = copies[0].positions[items[0]["id"]]
    await mark(ana, "seen", items[0])
    await act(ana, items[2])
    await mark(ana, "archived", upto=first)
    assert states(await agree(copies)) == ["read", "unseen", "archived"]


@run
async def test_up_to_each_position_it_is_those_that_came_by_then(stage):
    _, ana, copies, items = await filled(stage, *["like"] * 4)
    for count, item in enumerate(items, 1):
        await mark(ana, "read", upto=copies[0].positions[item["id"]])
        assert states(await agree(copies)) == ["unseen"] * (4 - count) + ["read"] * count
    async with nothing_happens(ana):
        await mark(ana, "archived", upto=0)


@run
async def test_a_mark_may_be_for_some_types_alone(stage):
    _, ana, copies, _ = await filled(stage, "like", "comment", "follow", "like")
    await mark(ana, "read", upto=copies[0].at, types=["like", "system", "follow"])
    assert states(await agree(copies)) == ["read", "read", "unseen", "read"]
    counts = (await ana.request("inbox.list"))["counts"]
    assert counts == {"unseen": 1, "unread": 1, "by_type": {"comment": 1}}


# Deleting

@run
async def test_deleted_items_are_gone_everywhere(stage):
    _, ana, copies, items = await filled(stage, *["like"] * 6)
    await mark(ana, "archived", items[4])
    await agree(copies)
    assert (await delete(ana, items[1]))["deleted"] == 1
    for copy in copies:
        [event] = await copy.catch_up()
        assert (event["ids"], event["item"]["text"]) == ([items[1]["id"]], "1")
    reply = await delete(ana, items[0], items[4], items[3])
    await told(copies, ["inbox.removed"])
    found, at = await look(ana)
    assert texts(found) == ["5", "2"]
    assert reply == {"deleted": 3, "counts": counted(found), "at": at}


@run
async def test_up_to_a_position_archived_items_are_deleted_too(stage):
    bot, ana, copies, items = await filled(stage, *["like"] * 3)
    await mark(ana, "archived", items[0])
    upto = (await look(ana))[1]
    await notify(bot, ana, text="later")
    await agree(copies)
    assert (await delete(ana, upto=upto))["deleted"] == 3
    await told(copies, ["inbox.removed"])
    assert texts(await items_of(ana)) == ["later"]


@pytest.mark.parametrize("types", [None, ["like"]], ids=str)
@run
async def test_a_deletion_that_leaves_nothing_clears_the_inbox(stage, types):
    _, ana, copies, items = await filled(stage, *["like"] * 3)
    await mark(ana, "archived", items[1])
    await agree(copies)
    reply = await delete(ana, upto=copies[0].at, types=types)
    await told(copies, ["inbox.cleared"])
    assert reply == {"deleted": 3, "counts": EMPTY, "at": copies[0].at}
    async with nothing_happens(ana):
        assert await delete(ana, upto=reply["at"]) == reply | {"deleted": 0}


@run
async def test_a_deletion_may_be_for_some_types_alone(stage):
    _, ana, copies, _ = await filled(stage, "like", "comment", "like", "follow")
    assert (await delete(ana, upto=copies[0].at, types=["like", "follow"]))["deleted"] == 3
    await told(copies, ["inbox.removed"])
    assert texts(await items_of(ana)) == ["1"]


@run
async def test_deleting_every_item_by_its_id_is_a_removal(stage):
    _, ana, copies, items = await filled(stage, "like", "like")
    assert await delete(ana, *items) == {"deleted": 2, "counts": EMPTY, "at": (await look(ana))[1]}
    await told(copies, ["inbox.removed"])


# Following, opening

@run
async def test_who_follows_an_item_has_read_it(stage):
    _, ana, copies, [item, _] = await filled(stage, "like", "like", target=VIDEO)
    before = await ana.ping()
    assert await act(ana, item) == {"target": VIDEO}
    await told(copies, ["inbox.updated"])
    acted = (await items_of(ana))[1]
    assert acted == item | {"state": "read", "acted_ts": acted["acted_ts"]}
    assert before <= acted["acted_ts"] <= await ana.ping()
    await ana.tick()
    async with nothing_happens(ana):
        assert await act(ana, item) == {"target": VIDEO}
    await mark(ana, "unseen", item)
    await act(ana, item)
    assert (await agree(copies))[1] == acted


@run
async def test_following_leaves_an_archived_item_archived(stage):
    _, ana, copies, [item] = await filled(stage, "like")
    await mark(ana, "archived", item)
    assert await act(ana, item) == {}
    [found] = await agree(copies)
    assert found["state"] == "archived" and found["acted_ts"] > 0


@run
async def test_opening_the_inbox_changes_nothing(stage):
    _, ana, copies, _ = await filled(stage, "like")
    async with nothing_happens(*(copy.client for copy in copies)):
        assert await ana.request("inbox.opened") == {}
