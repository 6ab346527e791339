"""Inbox: an item that has expired is gone, whoever was looking."""

import asyncio

import pytest

from chat import past
from client import refused
from inboxes import (
    EMPTY, Copy, act, agree, counted, delete, items_of, look, mark, notify, reader_of, retract,
    texts)
from stage import run

HUB_FLAGS = {"durability": "none"}
SHORT, LONGER = 250, 1000  # ms from now


async def soon(bot, after=SHORT):
    return await bot.ping() + after


@pytest.mark.parametrize("state", ["unseen", "read", "archived"])
@run
async def test_whoever_is_connected_is_told_that_an_item_has_expired(stage, state):
    bot = await stage.bot()
    ana, copies = await reader_of(stage)
    await notify(bot, ana, text="stays")
    await notify(bot, ana, text="goes", type="comment", expires_ts=await soon(bot, LONGER))
    gone = (await ana.expect("inbox.added", item=lambda item: item["text"] == "goes"))["item"]
    await mark(ana, state, gone)
    for copy in copies:
        event = await copy.client.expect("inbox.removed")
        assert (event["ids"], event["item"]["id"]) == ([gone["id"]], gone["id"])
        assert event["counts"] == {"unseen": 1, "unread": 1, "by_type": {"like": 1}}
    assert texts(await agree(copies)) == ["stays"]


@run
async def test_an_item_shows_when_it_expires(stage):
    bot, ana = await stage.bot(), await stage.person()
    for moment in (2**53 - 1, await soon(bot, 3_600_000)):
        await notify(bot, ana, expires_ts=moment)
        assert (await ana.expect("inbox.added"))["item"]["expires_ts"] == moment
    assert [item["expires_ts"] for item in await items_of(ana)] == [moment, 2**53 - 1]


@run
async def test_items_expire_each_at_its_moment(stage, rng):
    bot = await stage.bot()
    ana, copies = await reader_of(stage)
    moments = [await soon(bot, 600 + 40 * number) for number in range(8)] * 2
    rng.shuffle(moments)
    await bot.many("notify", [
        {"to": [ana.user], "type": "like", "text": f"{moment}", "expires_ts": moment}
        for moment in moments] + [{"to": [ana.user], "type": "like", "text": "stays"}])
    for moment in sorted(set(moments)):
        await past(ana, moment)
        reply = await ana.request("inbox.list")
        later = await ana.ping()
        shown = [int(text) for text in texts(reply["items"]) if text != "stays"]
        assert min(shown, default=2**53) > moment
        assert set(shown) >= {each for each in moments if each > later}
        assert reply["counts"] == counted(reply["items"])
    assert texts(await agree(copies)) == ["stays"]


@run
async def test_what_expires_while_nobody_is_there_is_not_there_afterwards(stage):
    bot, ana = await stage.bot(), await stage.person()
    await notify(bot, ana, text="stays")
    moment = await soon(bot)
    await notify(bot, ana, text="goes", expires_ts=moment)
    at = (await ana.expect("inbox.added", item=lambda item: item["text"] == "goes"))["at"]
    await ana.close()
    await past(bot, moment)
    back = await stage.again(ana)
    items, now = await look(back)
    assert texts(items) == ["stays"] and now >= at
    copy = await Copy.of(back)
    await notify(bot, back, text="more")
    await copy.check()
    assert texts(copy.items) == ["more", "stays"]


@pytest.mark.parametrize("first", ["page", "behind it", "both"])
@run
async def test_a_page_goes_on_behind_what_has_expired(stage, first):
    bot, ana = await stage.bot(), await stage.person()
    moment = await soon(bot, LONGER)
    for number in range(9):
        expires = number in {"page": (6,), "behind it": (5, 4), "both": (6, 5, 4, 0)}[first]
        await notify(bot, ana, text=f"{number}", expires_ts=moment if expires else None)
    page = await ana.request("inbox.list", limit=3)
    assert texts(page["items"]) == ["8", "7", "6"]
    await past(ana, moment)
    rest = await ana.request("inbox.list", cursor=page["cursor"])
    gone = {"page": "6", "behind it": "54", "both": "6540"}[first]
    assert texts(rest["items"]) == [each for each in "543210" if each not in gone]
    assert len(await items_of(ana)) == 9 - len(gone)


@run
async def test_an_expired_item_cannot_be_marked_followed_or_deleted(stage):
    bot, ana = await stage.bot(), await stage.person()
    await notify(bot, ana, text="stays")
    moment = await soon(bot)
    await notify(bot, ana, text="goes", key="k", expires_ts=moment)
    gone = (await ana.expect("inbox.added", item=lambda item: item["text"] == "goes"))["item"]
    await past(ana, moment)
    before = await items_of(ana)
    for request in (mark(ana, "read", gone), mark(ana, "archived", *before, gone),
                    delete(ana, gone, *before), act(ana, gone)):
        await refused(request, "not_found")
    assert await items_of(ana) == before and texts(before) == ["stays"]
    assert await retract(bot, "k", ana) == 0


@run
async def test_an_expired_item_is_not_among_those_deleted(stage):
    bot, ana = await stage.bot(), await stage.person()
    moment = await soon(bot)
    await notify(bot, ana, expires_ts=moment)
    await past(ana, moment)
    at = (await look(ana))[1]
    reply = await delete(ana, upto=at)
    assert (reply["deleted"], reply["counts"]) == (0, EMPTY)


@run
async def test_the_key_of_an_expired_item_is_free(stage):
    bot, ana = await stage.bot(), await stage.person()
    moment = await soon(bot)
    assert await notify(bot, ana, text="first", key="k", expires_ts=moment) == 1
    await past(ana, moment)
    assert await notify(bot, ana, text="second", key="k") == 1
    assert texts(await items_of(ana)) == ["second"]


@run
async def test_nothing_is_collapsed_into_an_expired_item(stage):
    bot, ana = await stage.bot(), await stage.person()
    moment = await soon(bot)
    await notify(bot, ana, text="first", collapse="c", expires_ts=moment)
    await past(ana, moment)
    await notify(bot, ana, text="second", collapse="c")
    [item] = await items_of(ana)
    assert (item["text"], item["count"]) == ("second", 1)


@run
async def test_a_collapsed_item_expires_when_the_newest_one_says(stage):
    bot, ana = await stage.bot(), await stage.person()
    moment = await soon(bot, LONGER)
    await notify(bot, ana, collapse="stays", expires_ts=moment)
    await notify(bot, ana, collapse="stays", text="stays")
    await notify(bot, ana, collapse="goes")
    await notify(bot, ana, collapse="goes", expires_ts=moment)
    await past(ana, moment)
    [item] = await items_of(ana)
    assert (item["text"], item["count"]) == ("stays", 2) and "expires_ts" not in item


@run
async def test_many_items_of_many_people_expire_together(stage):
    bot = await stage.bot()
    people = await stage.people(*["ana"] * 8)
    copies = [await Copy.of(person) for person in people]
    moment = await soon(bot, LONGER)
    await bot.many("notify", [
        {"to": [person.user for person in people], "type": "like", "text": f"{number}",
         "expires_ts": moment if number % 3 else None} for number in range(60)])
    await past(bot, moment)
    await asyncio.gather(*(
        person.expect("inbox.removed", counts=lambda counts: counts["unread"] == 20)
        for person in people))
    for copy in copies:
        await copy.check()
        assert texts(copy.items) == [f"{number}" for number in range(57, -1, -3)]
