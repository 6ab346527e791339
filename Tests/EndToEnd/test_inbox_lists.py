"""Inbox: what is listed and counted while it changes, from several devices, and when it is full."""

import asyncio

from inboxes import (
    ITEMS, STATES, Copy, agree, counted, delete, filled, inbox_events, look, mark, notify, states,
    texts)
from stage import run
from survey import pages


@run
async def test_counts_may_be_of_some_types_alone(stage):
    _, ana, copies, items = await filled(stage, "like", "like", "like", "comment", "follow")
    await mark(ana, "seen", items[0])
    await mark(ana, "read", items[1])
    at = (await look(ana))[1]
    for types, unseen, unread, by_type in [
            (["like"], 1, 2, {"like": 2}), (["like", "follow"], 2, 3, {"like": 2, "follow": 1}),
            (["system"], 0, 0, {})]:
        assert await ana.request("inbox.counts", types=types) == {
            "unseen": unseen, "unread": unread, "by_type": by_type, "at": at}
    listed = await ana.request("inbox.list", types=["comment"])
    assert listed["counts"] == counted(await agree(copies))


@run
async def test_a_list_shows_the_states_and_types_asked_for(stage, rng):
    types = ["like", "comment", "follow"]
    bot, ana, copies, items = await filled(stage, *(rng.choice(types) for _ in range(24)))
    for item in items:
        await mark(ana, rng.choice(STATES), item)
    everything = await agree(copies)
    for _ in range(20):
        asked = {"states": rng.sample(STATES, rng.randint(1, 4)),
                 "types": rng.sample(types, rng.randint(1, 3))}
        found, first = await pages(
            ana, "inbox.list", "items", limit=rng.randint(1, 10), **asked)
        assert found == [item for item in everything if item["state"] in asked["states"]
                         and item["type"] in asked["types"]], asked
        assert first["counts"] == counted(everything)


@run
async def test_what_changes_between_pages_hides_and_repeats_nothing_else(stage, rng):
    bot, ana, _, items = await filled(stage, *["like"] * 20)
    await notify(bot, ana, text="may grow", collapse="c")
    for number in range(20, 30):
        await notify(bot, ana, text=f"{number}")
    page = await ana.request("inbox.list", limit=4)
    found = texts(page["items"])
    touched = rng.sample(items, 6)
    await mark(ana, "read", *touched[:3])
    await delete(ana, *touched[3:5])
    await mark(ana, "archived", touched[5])
    await notify(bot, ana, text="grew", collapse="c")
    await notify(bot, ana, text="new")
    while "cursor" in page:
        page = await ana.request("inbox.list", limit=4, cursor=page["cursor"])
        found += texts(page["items"])
    gone = {item["text"] for item in touched[3:]}
    assert found == [f"{number}" for number in range(29, -1, -1) if f"{number}" not in gone]


@run
async def test_marks_from_several_devices_at_once_leave_one_truth(stage, rng):
    _, ana, copies, items = await filled(stage, *["like"] * 10)
    copies.append(await Copy.of(await stage.again(ana)))
    await asyncio.gather(*(
        mark(copy.client, rng.choice(STATES), *rng.sample(items, rng.randint(1, 4)))
        for _ in range(15) for copy in copies))
    await agree(copies)
    logs = [inbox_events(copy.client)[-10:] for copy in copies]
    assert logs[0] == logs[1] == logs[2]


@run
async def test_a_full_inbox_drops_what_is_oldest_archived_or_not(stage):
    bot, ana = await stage.bot(), await stage.person()
    await notify(bot, ana, text="grows", collapse="c")
    await bot.many("notify", [
        {"to": [ana.user], "type": "like", "text": f"{number}"} for number in range(249)])
    copy = await Copy.of(ana)
    oldest = copy.items[-1:-12:-1]
    await mark(ana, "archived", *oldest[1::2])
    await notify(bot, ana, text="grown", collapse="c")
    await bot.many("notify", [
        {"to": [ana.user], "type": "comment", "text": f"{number}"} for number in range(249, 254)])
    await copy.check()
    expected = [f"{number}" for number in range(253, 248, -1)] + ["grown"]
    assert texts(copy.items) == expected + [f"{number}" for number in range(248, 4, -1)]
    assert len(copy.items) == ITEMS
    assert states(copy.items).count("archived") == 2
