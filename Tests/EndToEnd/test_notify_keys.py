"""Notify: what a key makes once, what is collapsed into one, and how it is taken back."""

import pytest

from inboxes import (
    ITEMS, agree, counted, delete, items_of, look, mark, nothing_happens, notify, only_item,
    reader_of, retract, states, texts)
from stage import run

HUB_FLAGS = {"durability": "none"}


async def collapsed(stage, *actors, word="c", **arguments):
    """A bot, somebody with two devices, and an item of a notification by each actor; the keys
    are k0, k1, … and the texts are numbers."""
    bot = await stage.bot()
    ana, copies = await reader_of(stage)
    for number, actor in enumerate(actors):
        assert await notify(bot, ana, collapse=word, key=f"k{number}", text=f"{number}",
                            actor=actor, **arguments) == 1
    await agree(copies)
    return bot, ana, copies


# Keys

@pytest.mark.parametrize("state", ["unseen", "seen", "read", "archived"])
@run
async def test_a_key_makes_nothing_while_its_item_is_there(stage, state):
    bot, ana = await stage.bot(), await stage.person()
    await notify(bot, ana, key="k")
    await mark(ana, state, await only_item(ana))
    async with nothing_happens(ana):
        assert await notify(bot, ana, key="k", text="other", type="comment") == 0
        assert await notify(bot, ana, key="k", collapse="c") == 0


@run
async def test_what_was_taken_back_is_new_again(stage):
    bot, ana = await stage.bot(), await stage.person()
    for text in ("first", "second", "third"):
        assert await notify(bot, ana, key="k", text=text) == 1
        assert texts(await items_of(ana)) == [text]
        assert await retract(bot, "k", ana) == 1
    assert await items_of(ana) == []


@pytest.mark.parametrize("how", ["ids", "upto"])
@run
async def test_what_the_reader_deleted_stays_away(stage, how):
    bot, other, ana = await stage.bot(), await stage.bot(), await stage.person()
    await notify(bot, ana, key="k")
    item = await only_item(ana)
    await (delete(ana, item) if how == "ids" else delete(ana, upto=(await look(ana))[1]))
    async with nothing_happens(ana):
        assert await notify(bot, ana, key="k") == 0
        assert await retract(bot, "k", ana) == 0
        assert await notify(bot, ana, key="k") == 0
    assert await notify(bot, ana, key="K") == 1
    assert await notify(other, ana, key="k") == 1


@run
async def test_what_fell_out_of_a_full_inbox_is_new_again(stage):
    bot, ana = await stage.bot(), await stage.person()
    await bot.many("notify", [
        {"to": [ana.user], "type": "like", "text": f"{n}", "key": f"k{n}"} for n in range(251)])
    assert len(await items_of(ana)) == ITEMS
    assert await notify(bot, ana, key="k250") == 0
    assert await notify(bot, ana, key="k0", text="again") == 1
    assert texts(await items_of(ana))[:2] == ["again", "250"]


@run
async def test_the_newest_thousand_deletions_are_remembered(stage):
    bot, ana = await stage.bot(), await stage.person()
    keys = [f"k{n}" for n in range(1001)]
    for some in (keys[:1], *(keys[at:at + 250] for at in range(1, 1001, 250))):
        made = await bot.many("notify", [
            {"to": [ana.user], "type": "like", "text": "x", "key": key} for key in some])
        assert all(each["made"] == 1 for each in made)
        await delete(ana, upto=(await look(ana))[1])
    async with nothing_happens(ana):
        again = await bot.many("notify", [
            {"to": [ana.user], "type": "like", "text": "x", "key": key} for key in keys[1:]])
        assert all(each["made"] == 0 for each in again)
    assert await notify(bot, ana, key="k0") == 1


# Collapsing

@run
async def test_what_is_collapsed_says_what_the_newest_says(stage):
    bot, ana, copies = await collapsed(stage, "ben", "cy")
    await notify(bot, ana, text="between")
    old = (await items_of(ana))[1]
    assert (old["count"], old["actors"], old["actor"]) == (2, ["cy", "ben"], "cy")
    await mark(ana, "read", old)
    await ana.tick()
    said = {"type": "comment", "title": "T", "text": "newest", "data": [1],
            "target": {"kind": "video", "id": "v2"}}
    assert await notify(bot, ana, collapse="c", **said) == 1
    for copy in copies:
        assert [event["ev"] for event in await copy.catch_up()][-1] == "inbox.updated"
    new = (await agree(copies))[0]
    assert new == said | {"id": old["id"], "ts": new["ts"], "state": "unseen", "count": 3,
                          "actors": ["cy", "ben"], "by": bot.user}
    assert new["ts"] > old["ts"] and texts(copies[0].items) == ["newest", "between"]


@run
async def test_an_actor_who_did_it_again_leads_and_stands_there_once(stage):
    actors = ["ben", "cy", "ben", None, "dan", "cy"]
    _, ana, _ = await collapsed(stage, *actors)
    item = await only_item(ana)
    assert (item["count"], item["actors"]) == (6, ["cy", "dan", "ben"])


@run
async def test_an_item_names_the_newest_hundred_actors(stage):
    _, ana, _ = await collapsed(stage, *(f"u{n}" for n in range(120)))
    item = await only_item(ana)
    assert item["count"] == 120
    assert item["actors"] == [f"u{n}" for n in range(119, 19, -1)]


@run
async def test_a_word_collapses_only_what_one_publisher_said_to_one_person(stage):
    bot, other = await stage.bot(), await stage.bot()
    ana, ben = await stage.people("ana", "ben")
    await notify(bot, ana, collapse="c", text="of one")
    await notify(other, ana, collapse="c", text="of another")
    await notify(bot, ana, collapse="C", text="other word")
    assert await notify(bot, ana, ben, collapse="c", text="again") == 2
    assert [(item["text"], item["count"]) for item in await items_of(ana)] == [
        ("again", 2), ("other word", 1), ("of another", 1)]
    assert (await only_item(ben))["count"] == 1


@run
async def test_nothing_joins_an_archived_or_deleted_item(stage):
    bot, ana, copies = await collapsed(stage, "ben", "cy")
    await mark(ana, "archived", copies[0].items[0])
    assert await notify(bot, ana, collapse="c", text="anew") == 1
    found = await agree(copies)
    assert [(item["text"], item["count"]) for item in found] == [("anew", 1), ("1", 2)]
    assert states(found) == ["unseen", "archived"]
    await delete(ana, found[0])
    assert await notify(bot, ana, collapse="c", text="once more") == 1
    assert [item["count"] for item in await agree(copies)] == [1, 2]


@run
async def test_a_key_that_was_taken_in_makes_nothing(stage):
    bot, ana, copies = await collapsed(stage, "ben", "cy", "dan")
    async with nothing_happens(ana):
        for key in ("k0", "k1", "k2"):
            assert await notify(bot, ana, key=key, collapse="c") == 0
            assert await notify(bot, ana, key=key) == 0
    await delete(ana, *copies[0].items)
    async with nothing_happens(ana):
        for key in ("k0", "k1", "k2"):
            assert await notify(bot, ana, key=key, collapse="c") == 0


@run
async def test_of_several_items_of_a_word_the_newest_grows(stage):
    bot, ana, copies = await collapsed(stage, "ben")
    for _ in range(2):
        await mark(ana, "archived", upto=(await look(ana))[1])
        await notify(bot, ana, collapse="c", text="anew")
    await mark(ana, "unseen", *(await items_of(ana)))
    await agree(copies)
    assert await notify(bot, ana, collapse="c", text="grows") == 1
    assert [(item["text"], item["count"]) for item in await agree(copies)] == [
        ("grows", 2), ("anew", 1), ("0", 1)]


# Taking back

@pytest.mark.parametrize("state", ["unseen", "seen", "read", "archived"])
@run
async def test_what_stands_for_one_notification_goes_with_it(stage, state):
    bot = await stage.bot()
    ana, copies = await reader_of(stage)
    await notify(bot, ana, text="stays", key="other")
    await notify(bot, ana, key="k")
    gone = (await items_of(ana))[0]
    await mark(ana, state, gone)
    await agree(copies)
    assert await retract(bot, "k", ana) == 1
    for copy in copies:
        [event] = await copy.catch_up()
        assert (event["ev"], event["ids"], event["item"]["id"]) == (
            "inbox.removed", [gone["id"]], gone["id"])
    assert texts(await agree(copies)) == ["stays"]
    async with nothing_happens(ana):
        assert await retract(bot, "k", ana) == 0


@pytest.mark.parametrize("state", ["unseen", "read", "archived"])
@run
async def test_what_stands_for_more_shrinks_and_stays_where_it_is(stage, state):
    bot, ana, copies = await collapsed(stage, "ben", "cy", "ben", "dan")
    await notify(bot, ana, text="newer")
    await mark(ana, state, (await items_of(ana))[1])
    await agree(copies)
    for key, text, count, actors in [("k1", "3", 3, ["dan", "ben"]), ("k3", "2", 2, ["ben"]),
                                     ("k0", "2", 1, ["ben"])]:
        assert await retract(bot, key, ana) == 1
        for copy in copies:
            [event] = await copy.catch_up()
            assert event["ev"] == "inbox.updated"
        item = (await agree(copies))[1]
        assert (item["text"], item["count"], item["actors"], item["state"]) == (
            text, count, actors, state)
        assert item["actor"] == actors[0]
    assert await retract(bot, "k2", ana) == 1
    assert texts(await agree(copies)) == ["newer"]


@run
async def test_the_newest_of_those_that_are_left_says_everything(stage):
    bot, ana, copies = await collapsed(stage, "ben", type="like", title="old", data={"n": 1})
    before = copies[0].items[0]
    await notify(bot, ana, collapse="c", key="new", text="new", type="comment", actor="cy",
                 target={"kind": "video", "id": "v"})
    assert (await look(ana))[0][0]["type"] == "comment"
    await retract(bot, "new", ana)
    [item] = await agree(copies)
    assert item == before
    counts = (await ana.request("inbox.list"))["counts"]
    assert counts == counted([before]) and "like" in counts["by_type"]


@run
async def test_a_key_taken_out_of_an_item_joins_it_anew(stage):
    bot, ana, copies = await collapsed(stage, "ben", "cy")
    await retract(bot, "k0", ana)
    assert await notify(bot, ana, key="k0", collapse="c", text="again", actor="ben") == 1
    [item] = await agree(copies)
    assert (item["text"], item["count"], item["actors"]) == ("again", 2, ["ben", "cy"])


@run
async def test_what_came_without_a_key_cannot_be_taken_back(stage):
    bot, ana, copies = await collapsed(stage, "ben")
    await notify(bot, ana, collapse="c", text="no key", actor="cy")
    assert await retract(bot, "k0", ana) == 1
    [item] = await agree(copies)
    assert (item["text"], item["count"], item["actors"]) == ("no key", 1, ["cy"])


@run
async def test_the_newest_thousand_of_an_item_can_be_taken_back(stage):
    bot, ana = await stage.bot(), await stage.signed_in(f"dev:{stage.name('ana')}", check=False)
    await bot.many("notify", [
        {"to": [ana.user], "type": "like", "text": f"{number}", "actor": f"u{number}",
         "collapse": "c", "key": f"k{number}"} for number in range(1010)])
    for key in ("k0", "k9"):
        async with nothing_happens(ana):
            assert await retract(bot, key, ana) == 0
    for key in ("k10", "k500", "k1009"):
        assert await retract(bot, key, ana) == 1
    item = await only_item(ana)
    assert (item["count"], item["text"], item["actors"][0]) == (1007, "1008", "u1008")


@run
async def test_keys_of_other_publishers_are_not_touched(stage):
    bot, other, admin = await stage.bot(), await stage.bot(), await stage.admin()
    ana, ben = await stage.people("ana", "ben")
    await notify(bot, ana, ben, key="k")
    async with nothing_happens(ana, ben):
        for publisher in (other, admin):
            assert await retract(publisher, "k", ana, ben) == 0
        assert await retract(bot, "K", ana) == 0
    assert await retract(bot, "k", ben) == 1
    assert len(await items_of(ana)) == 1 and await items_of(ben) == []
