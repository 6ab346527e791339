"""Inbox: what is refused leaves everything as it was."""

import pytest

from chat import code_of, past
from client import refused
from inboxes import STATES, act, delete, items_of, look, mark, nothing_happens, notify, retract
from stage import run

HUB_FLAGS = {"durability": "none"}
ABOVE = "above"  # stands for a position above the inbox's
KNOWN = "known"  # stands for an id of the inbox
MISSING = ["foreign", "deleted", "expired", "retracted", "fallen out"]

# The ids or the position of what is marked or deleted.
WHICH_IS_BAD = [
    {}, {"ids": None}, {"upto": None}, {"ids": []}, {"ids": "x"}, {"ids": KNOWN}, {"ids": [1]},
    {"ids": [KNOWN, 1]}, {"ids": [[KNOWN]]}, {"ids": {"0": KNOWN}}, {"ids": [KNOWN, None]},
    {"ids": [KNOWN], "upto": 1},
    {"ids": [KNOWN], "upto": 0}, {"upto": ABOVE}, {"upto": 2**53 - 1}, {"upto": 2**53},
    {"upto": -1}, {"upto": 1.0}, {"upto": 1e3}, {"upto": "1"}, {"upto": True}, {"upto": [1]},
    {"upto": 1, "types": "like"}, {"upto": 1, "types": [1]}, {"upto": 1, "types": {"like": 1}},
    {"upto": 1, "types": ["like"] + [f"t{n}" for n in range(100)]}, {"upto": 1, "types": [""]},
]
BAD = [
    *[("inbox.mark", {"state": "read"} | which) for which in WHICH_IS_BAD],
    *[("inbox.delete", which) for which in WHICH_IS_BAD],
    *[("inbox.mark", {"ids": [KNOWN]} | state) for state in (
        {}, {"state": None}, {"state": "new"}, {"state": "Read"}, {"state": ""}, {"state": 2},
        {"state": ["read"]}, {"state": "unread"})],
    *[("inbox.act", each) for each in (
        {}, {"item": None}, {"item": 5}, {"item": [KNOWN]}, {"item": True}, {"ids": [KNOWN]})],
    *[("inbox.list", each) for each in (
        {"types": "like"}, {"types": [5]}, {"types": [f"t{n}" for n in range(101)]},
        {"states": "read"}, {"states": ["new"]}, {"states": [1]}, {"states": {"read": True}},
        {"limit": 0}, {"limit": 101}, {"limit": "5"}, {"cursor": 5}, {"cursor": "nonsense"},
        {"cursor": ["x"]}, {"cursor": "é" * 40})],
    *[("inbox.counts", each) for each in (
        {"types": "like"}, {"types": [None, 5]}, {"types": [f"t{n}" for n in range(101)]})],
]


async def some_inbox(stage):
    """A bot, somebody with items in every state, and those items, the newest first."""
    bot, ana = await stage.bot(), await stage.person()
    for state in [*STATES, "unseen"]:
        await notify(bot, ana, text=state)
        await mark(ana, state, (await ana.expect("inbox.added"))["item"])
    return bot, ana, await items_of(ana)


def with_ids(value, items, at):
    """Arguments with the inbox's own ids and position in their places."""
    if isinstance(value, dict):
        return {key: with_ids(inner, items, at) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_ids(inner, items, at) for inner in value]
    names = {KNOWN: items[3]["id"], ABOVE: at + 1}
    return names.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize(
    "op, arguments", BAD, ids=lambda value: value if isinstance(value, str) else str(value)[:50])
@run
async def test_what_makes_no_sense_is_refused_and_changes_nothing(stage, op, arguments):
    _, ana, items = await some_inbox(stage)
    elsewhere = await stage.again(ana)
    at = (await look(ana))[1]
    async with nothing_happens(ana, elsewhere):
        await refused(ana.request(op, **with_ids(arguments, items, at)), "bad_request")


async def missing_item(stage, bot, ana, why):
    """An item that is not in ana's inbox."""
    if why == "foreign":
        ben = await stage.person("ben")
        for _ in range(30):
            await notify(bot, ben)
        own = {item["id"] for item in await items_of(ana)}
        return next(item for item in await items_of(ben) if item["id"] not in own)
    moment = await bot.ping() + 300
    await notify(bot, ana, key="k", expires_ts=moment if why == "expired" else None)
    gone = (await ana.expect("inbox.added"))["item"]
    if why == "deleted":
        await delete(ana, gone)
    elif why == "retracted":
        assert await retract(bot, "k", ana) == 1
    elif why == "expired":
        await past(bot, moment)
        await ana.expect("inbox.removed")
    else:
        await bot.many("notify", [{"to": [ana.user], "type": "like", "text": "x"}] * 250)
    return gone


@pytest.mark.parametrize("why", MISSING)
@run
async def test_an_item_that_is_not_there_is_not_found_and_nothing_is_done(stage, why):
    bot, ana, _ = await some_inbox(stage)
    gone = await missing_item(stage, bot, ana, why)
    first, *_, last = await items_of(ana)
    async with nothing_happens(ana, await stage.again(ana)):
        for state in STATES:
            await refused(mark(ana, state, gone), "not_found")
            await refused(mark(ana, state, first, gone, last), "not_found")
        await refused(delete(ana, gone), "not_found")
        await refused(delete(ana, last, gone), "not_found")
        await refused(act(ana, gone), "not_found")


@pytest.mark.parametrize("change", [
    "0{}", "+{}", " {}", "{} ", "-{}", "{}.0", "{}e0", "{}x", "9{}99999999999999999999", "{}" * 40,
    "nonsense", "é{}", "@hub"])
@run
async def test_an_id_that_only_resembles_one_is_not_found(stage, change):
    _, ana, items = await some_inbox(stage)
    wrong = {"id": change.replace("{}", items[2]["id"])}
    async with nothing_happens(ana):
        await refused(mark(ana, "archived", items[0], wrong), "not_found")
        await refused(delete(ana, items[0], wrong), "not_found")
        await refused(act(ana, wrong), "not_found")


@run
async def test_an_empty_id_names_no_item(stage):
    _, ana, items = await some_inbox(stage)
    async with nothing_happens(ana):
        assert await code_of(mark(ana, "archived", items[0], {"id": ""})) in (
            "not_found", "bad_request")
        assert await code_of(act(ana, {"id": ""})) in ("not_found", "bad_request")


@run
async def test_a_hundred_items_may_be_named_at_once(stage):
    bot, ana = await stage.bot(), await stage.person()
    await bot.many("notify", [{"to": [ana.user], "type": "like", "text": "x"}] * 101)
    items = await items_of(ana)
    async with nothing_happens(ana):
        await refused(mark(ana, "read", *items), "bad_request")
        await refused(delete(ana, *items), "bad_request")
    assert (await mark(ana, "read", *items[:100]))["counts"]["unread"] == 1
    assert (await delete(ana, *items[:100]))["deleted"] == 100
    assert await items_of(ana) == items[100:]


@run
async def test_a_cursor_belongs_to_its_list_and_to_nothing_else(stage):
    bot, ana, _ = await some_inbox(stage)
    cursor = (await ana.request("inbox.list", limit=2))["cursor"]
    for wrong in (cursor + "x", cursor[:-1] + "é", "x" * 5000):
        assert await code_of(ana.request("inbox.list", cursor=wrong)) in (
            "bad_request", "too_large")
    for number in range(3):
        await ana.request("channel.create", channel=stage.name("room"), kind="group")
    other = (await ana.request("channel.list", limit=1))["cursor"]
    await refused(ana.request("inbox.list", cursor=f"{other}?"), "bad_request")


# What bots ask

NOTIFY_IS_BAD = [
    {"to": None}, {"to": []}, {"to": {}}, {"to": {"segment": None}}, {"to": {"segment": {}}},
    {"to": {"segment": []}}, {"to": {"segment": "plan"}}, {"to": {"segment": {"plan": []}}},
    {"to": {"segment": {"plan": None}}}, {"to": {"segment": {"plan": {"is": "gold"}}}},
    {"to": {"segment": {"plan": ["gold"]}}}, {"to": {"plan": "gold"}}, {"to": "everybody"},
    {"to": {"segment": {f"field {n}": n for n in range(9)}}}, {"to": [["ana"]]}, {"to": 5},
    {"to": ["ana", None]}, {"to": ["not an id"]}, {"to": ["x" * 121]}, {"channel": "room"},
    {"to": None, "channel": 5}, {"to": None, "channel": ["room"]},
]
PUBLISHED_IS_BAD = [
    {"type": ""}, {"text": ""}, {"text": "a\x00"}, {"actor": 5}, {"actor": "@ana"},
    {"actor": ["ana"]}, {"target": "v1"}, {"target": {"kind": "video"}}, {"target": {"id": "v1"}},
    {"target": {"kind": "", "id": "v1"}}, {"target": {"kind": "video", "id": ""}},
    {"target": {"kind": "video", "id": 1}}, {"target": {"kind": "a", "id": "b", "url": "ftp://x"}},
    {"target": {"kind": "a", "id": "b", "thumb": 5}}, {"title": 5}, {"expires_ts": 1},
    {"expires_ts": "tomorrow"}, {"expires_ts": 1.5}, {"expires_ts": -1}, {"key": ""},
    {"key": ["k"]}, {"collapse": ""}, {"collapse": 7}, {"text": ["x"]}, {"type": ["like"]},
]


@pytest.mark.parametrize(
    "arguments", NOTIFY_IS_BAD + PUBLISHED_IS_BAD, ids=lambda value: ascii(value)[:60])
@run
async def test_a_notification_that_makes_no_sense_is_refused(stage, arguments):
    bot, ana, _ = await some_inbox(stage)
    async with nothing_happens(ana):
        whole = {"to": [ana.user], "type": "like", "text": "x"} | arguments
        await refused(bot.request("notify", **whole), "bad_request")


@pytest.mark.parametrize("arguments", [
    *NOTIFY_IS_BAD, {"key": None}, {"key": ""}, {"key": 5}, {"key": ["k"]},
], ids=lambda value: ascii(value)[:60])
@run
async def test_a_retraction_that_makes_no_sense_is_refused(stage, arguments):
    bot, ana, _ = await some_inbox(stage)
    await notify(bot, ana, key="k")
    async with nothing_happens(ana):
        whole = {"to": [ana.user], "key": "k"} | arguments
        await refused(bot.request("notify.retract", **whole), "bad_request")


@pytest.mark.parametrize("arguments", [
    {"type": "t" * 65}, {"key": "é" * 33}, {"collapse": "c" * 65}, {"title": "t" * 1025},
    {"text": "x" * 32_769}, {"data": "x" * 65_535}, {"target": {"kind": "k" * 1025, "id": "i"}},
    {"target": {"kind": "k", "id": "i" * 1025}},
    {"target": {"kind": "k", "id": "i", "url": "http://" + "x" * 4090}},
], ids=lambda value: str(value)[:40])
@run
async def test_a_notification_with_too_many_bytes_is_too_large(stage, arguments):
    bot, ana, _ = await some_inbox(stage)
    async with nothing_happens(ana):
        whole = {"to": [ana.user], "type": "like", "text": "x"} | arguments
        await refused(bot.request("notify", **whole), "too_large")


@run
async def test_the_largest_notification_comes_whole(stage):
    bot, ana = await stage.bot(), await stage.person()
    largest = {
        "type": "t" * 64, "title": "é" * 512, "text": "x" * 5000, "data": "d" * 65_534,
        "target": {"kind": "k" * 1024, "id": "i" * 1024, "url": "http://" + "u" * 4089,
                   "thumb": "https://" + "t" * 4088}}
    await notify(bot, ana, key="k" * 64, collapse="é" * 32, **largest)
    assert largest.items() <= (await ana.expect("inbox.added"))["item"].items()
    assert largest.items() <= (await items_of(ana))[0].items()


@run
async def test_pages_of_large_items_end_early(stage):
    bot, ana = await stage.bot(), await stage.person()
    for number in range(15):
        await notify(bot, ana, text=f"{number}", data="d" * 60_000)
    page = await ana.request("inbox.list", limit=100)
    assert 1 <= len(page["items"]) < 15 and "cursor" in page
    assert [item["text"] for item in await items_of(ana)] == [f"{n}" for n in range(14, -1, -1)]


@pytest.mark.parametrize("op", ["notify", "notify.retract"])
@run
async def test_people_may_neither_notify_nor_take_back(stage, op):
    bot, ana, _ = await some_inbox(stage)
    ben = await stage.person("ben")
    await notify(bot, ana, key="k")
    room = await stage.room(ben, ana)
    async with nothing_happens(ana):
        for audience in ({"to": [ana.user]}, {"channel": room}, {"to": {"segment": {"a": 1}}}):
            await refused(
                ben.request(op, key="k", type="like", text="x", **audience), "forbidden")
