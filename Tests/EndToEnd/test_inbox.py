"""Inbox: notifications and their counts."""

import pytest

import shapes
from client import refused
from stage import run
from text import raw_at


async def notify(publisher, *to, type="like", text="x", **arguments):
    return await publisher.request(
        "notify", to=[client.user for client in to], type=type, text=text, **arguments)


async def inbox(client, **arguments):
    return await client.request("inbox.list", **arguments)


def texts(reply):
    return [item["text"] for item in reply["items"]]


@pytest.mark.parametrize("role", ["bot", "admin"])
@run
async def test_a_bot_or_admin_notifies_people_on_all_their_connections(stage, role):
    publisher = await getattr(stage, role)()
    ana, ben = await stage.people("ana", "ben")
    elsewhere = await stage.again(ana)
    made = await notify(publisher, ana, actor=ben.user, text="Ben liked your video 🎬", target={
        "kind": "video", "id": "v1", "url": "https://example.com/v1"})
    assert (made["made"], made["unknown"]) == (1, [])
    for client in (ana, elsewhere):
        event = await client.expect("inbox.added")
        item, counts = event["item"], event["counts"]
        assert counts == {"unseen": 1, "unread": 1, "by_type": {"like": 1}}
        assert (item["type"], item["actor"], item["by"]) == ("like", ben.user, publisher.user)
        assert (item["text"], item["state"]) == ("Ben liked your video 🎬", "unseen")
        assert (item["target"]["kind"], item["target"]["id"]) == ("video", "v1")
    await ben.nothing("inbox.added")


@run
async def test_others_may_not_notify(stage):
    ana, ben = await stage.people("ana", "ben")
    await refused(notify(ana, ben), "forbidden")
    await ben.nothing("inbox.added")


@run
async def test_unknown_recipients_are_named_and_the_others_served(stage):
    bot = await stage.bot()
    ana, ben = await stage.people("ana", "ben")
    made = await bot.request("notify", type="system", text="x", to=[
        ana.user, "nobody-at-all", ben.user, "nobody-else", ana.user])
    assert made["made"] == 2
    assert sorted(made["unknown"]) == ["nobody-at-all", "nobody-else"]
    for client in (ana, ben):
        await client.expect("inbox.added")
        await client.nothing("inbox.added")


@run
async def test_a_whole_channel_is_notified(stage):
    bot = await stage.bot()
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    room = await stage.room(bot, ana, ben)
    made = await bot.request("notify", channel=room, type="system", text="maintenance")
    assert made["made"] in (2, 3)  # with or without the publisher
    for client in (ana, ben):
        assert (await client.expect("inbox.added"))["item"]["text"] == "maintenance"
    await cy.nothing("inbox.added")


@pytest.mark.parametrize("arguments", [
    {"type": "like"}, {"text": "x"}, {"type": 5, "text": "x"}, {"type": "like", "text": 5},
    {"type": "like", "text": "x", "to": "ana"}, {"type": "like", "text": "x", "to": [1]},
    {"type": "like", "text": "x", "to": ["u"] * 10_001}, {"type": "like", "text": "x", "to": None},
    {"type": "like", "text": "x", "key": 5},
], ids=lambda arguments: str(arguments)[:60])
@run
async def test_a_notification_without_its_parts_is_a_bad_request(stage, arguments):
    bot, ana = await stage.bot(), await stage.person()
    await refused(bot.request("notify", **{"to": [ana.user]} | arguments), "bad_request")
    await ana.nothing("inbox.added")


@run
async def test_the_same_key_makes_no_second_item(stage):
    bot, other, ana = await stage.bot(), await stage.bot(), await stage.person()
    assert (await notify(bot, ana, key="k", text="first"))["made"] == 1
    await ana.expect("inbox.added")
    assert (await notify(bot, ana, key="k", text="again"))["made"] == 0
    await ana.nothing("inbox.added")
    await notify(other, ana, key="k", text="of another publisher")
    assert texts(await inbox(ana)) == ["of another publisher", "first"]


@run
async def test_a_key_again_completes_an_interrupted_notification(stage):
    bot = await stage.bot()
    ana, ben = await stage.people("ana", "ben")
    await notify(bot, ana, key="k")
    assert (await notify(bot, ana, ben, key="k"))["made"] == 1
    await ben.expect("inbox.added")
    assert len((await inbox(ana))["items"]) == 1


@run
async def test_an_empty_inbox_has_nothing(stage):
    ana = await stage.person()
    reply = await inbox(ana)
    assert (reply["items"], reply.get("cursor")) == ([], None)
    assert reply["counts"] == {"unseen": 0, "unread": 0, "by_type": {}}
    assert type(reply["at"]) is int


@run
async def test_the_inbox_lists_the_newest_first_as_they_were_delivered(stage):
    bot, ana = await stage.bot(), await stage.person()
    for index in range(5):
        await notify(bot, ana, text=f"{index}")
    events = [await ana.expect("inbox.added") for _ in range(5)]
    positions = [event["at"] for event in events]
    assert positions == sorted(set(positions))
    assert [event["counts"]["unseen"] for event in events] == [1, 2, 3, 4, 5]
    reply = await inbox(ana)
    assert reply["items"] == [event["item"] for event in reversed(events)]
    assert (reply["counts"], reply["at"]) == (events[-1]["counts"], positions[-1])
    for item in reply["items"]:
        shapes.assert_shape(item, shapes.ITEM)
    assert len({item["id"] for item in reply["items"]}) == 5


@run
async def test_the_data_of_a_notification_comes_back_byte_for_byte(stage):
    bot, ana = await stage.bot(), await stage.person()
    data = '{ "a" :1.00,"a":[ 1e400, "\\u00e9\\/" ] }'
    await bot.request_raw(
        "notify", f'"to":["{ana.user}"],"type":"system","text":"é👩‍👩‍👧","data":{data}')
    assert raw_at((await ana.expect("inbox.added")).raw, "item", "data") == data
    assert raw_at((await inbox(ana)).raw, "ok", "items", 0, "data") == data


async def mixed_inbox(stage):
    """Twelve items of three types, oldest first."""
    bot, ana = await stage.bot(), await stage.person()
    for index in range(12):
        await notify(bot, ana, type=("like", "comment", "follow")[index % 3], text=f"{index}")
    return ana


@run
async def test_a_tab_shows_its_types(stage):
    ana = await mixed_inbox(stage)
    assert texts(await inbox(ana, types=["comment"])) == ["10", "7", "4", "1"]
    assert texts(await inbox(ana, types=["like", "follow"], limit=3)) == ["11", "9", "8"]
    assert texts(await inbox(ana, types=["system"])) == []
    by_type = (await inbox(ana))["counts"]["by_type"]
    assert by_type == {"like": 4, "comment": 4, "follow": 4}


@run
async def test_items_may_be_listed_by_state(stage):
    ana = await mixed_inbox(stage)
    assert len((await inbox(ana, states=["unseen"]))["items"]) == 12
    assert len((await inbox(ana, states=["read", "unseen"]))["items"]) == 12
    assert (await inbox(ana, states=["read", "archived"]))["items"] == []


@pytest.mark.parametrize("limit", [1, 5, 6, 12, 100])
@run
async def test_pages_together_are_the_whole_inbox(stage, limit):
    ana = await mixed_inbox(stage)
    found, cursor = [], None
    while True:
        page = await inbox(ana, limit=limit, cursor=cursor)
        assert len(page["items"]) <= limit
        found += texts(page)
        cursor = page.get("cursor")
        if not cursor:
            break
    assert found == [f"{index}" for index in reversed(range(12))]


@run
async def test_what_arrives_while_paging_moves_nothing(stage):
    ana, bot = await mixed_inbox(stage), await stage.bot()
    first = await inbox(ana, limit=5)
    await notify(bot, ana, text="new")
    second = await inbox(ana, limit=5, cursor=first["cursor"])
    assert texts(first) + texts(second) == [f"{index}" for index in range(11, 1, -1)]


@run
async def test_an_inbox_keeps_the_newest_250(stage):
    bot, ana = await stage.bot(), await stage.person()
    await bot.many("notify", [
        {"to": [ana.user], "type": "like", "text": f"{index}"} for index in range(260)])
    last = await ana.expect("inbox.added", item=lambda item: item and item["text"] == "259")
    assert last["counts"] == {"unseen": 250, "unread": 250, "by_type": {"like": 250}}
    found, cursor = [], None
    for _ in range(3):
        page = await inbox(ana, limit=100, cursor=cursor)
        found, cursor = found + texts(page), page.get("cursor")
    assert found == [f"{index}" for index in range(259, 9, -1)]


@run
async def test_the_default_page_has_50_items(stage):
    bot, ana = await stage.bot(), await stage.person()
    await bot.many("notify", [
        {"to": [ana.user], "type": "like", "text": f"{index}"} for index in range(60)])
    assert texts(await inbox(ana)) == [f"{index}" for index in range(59, 9, -1)]
