"""Inbox: all of it is there in the next hub on the same directory, and goes on from there."""

import asyncio

import pytest

from archive import LITTLE_MEMORY, drive_all_out
from chat import past
from home import home_fixture, signed_in, snapshot  # the fixture is `home`
from inboxes import (
    Copy, act, agree, counted, delete, items_of, look, mark, mute, nothing_happens, notify, retract,
    texts)
from stage import run
from survey import pages

NONE, COMMIT, INTERVAL = ("--durability=none",), ("--durability=commit",), (
    "--durability=interval",)
SOON = ("--snapshot-interval=1s",)
NAMES = ("ana", "ben", "cy")
ENDS = pytest.mark.parametrize("how, flags", [
    ("stop", NONE), ("stop", COMMIT), ("kill", COMMIT), ("kill", INTERVAL),
    ("kill", COMMIT + SOON), ("stop", LITTLE_MEMORY), ("kill", LITTLE_MEMORY)],
    ids=lambda value: value if isinstance(value, str) else value[-1].removeprefix("--"))
HOW = pytest.mark.parametrize("how", ["stop", "kill"])


async def everybody(server):
    """The bot, and ana, ben and cy."""
    people = [await signed_in(server, f"dev:{name}", check=False) for name in NAMES]
    return await signed_in(server, "dev-bot:shop", check=False), *people


async def ended(home, how, flags=COMMIT):
    """The next hub, after an orderly stop or a kill of the one before."""
    if how == "stop":
        await asyncio.to_thread(home.hubs[-1].stop)
    else:
        home.hubs[-1].kill()
    return await asyncio.to_thread(home.start, *flags)


async def set_up(ana, ben, cy):
    await ana.request("channel.create", channel="room", kind="group", members=["ben", "cy"])
    await ana.request("channel.create", channel="feed:ana", kind="broadcast")
    for text in ("first", "second"):
        await ana.request("message.send", channel="room", text=text)


async def live(bot, ana, ben, cy, mark_of="1"):
    """Everything that can happen in ana's inbox; some of it in the others'."""
    def word(stem):
        return f"{stem}-{mark_of}"

    for number in range(6):
        await notify(bot, ana, ben, text=word(f"plain {number}"), key=word(f"k{number}"),
                     data={"n": [number, None]}, target={"kind": "video", "id": "v"})
    for number, actor in enumerate(("ben", "cy", "ben")):
        await notify(bot, ana, text=word(f"many {number}"), actor=actor, type="comment",
                     key=word(f"c{number}"), collapse=word("c"))
    plain = [item for item in await items_of(ana) if item["text"].startswith("plain")][::-1][-6:]
    await mark(ana, "seen", plain[0])
    await mark(ana, "archived", plain[1])
    await act(ana, plain[2])
    await delete(ana, plain[3])
    await retract(bot, word("k4"), ana)
    for arguments in ({"mentions": ["ana"]}, {"reply_to": 1}, {"mentions": ["ana", "cy"]}):
        await ben.request("message.send", channel="room", text=word("by ben"), **arguments)
    for seq in (1, 2):
        await cy.request("reaction.add", channel="room", seq=seq, reaction=word("r"))
    await ben.request("channel.join", channel="feed:ana")
    await mute(cy, types=["video_post"])


async def looks(*clients):
    return [await look(client) for client in clients]


# All of it

@ENDS
@run
async def test_an_inbox_is_the_same_in_the_next_hub(home, how, flags):
    server = home.start(*flags)
    bot, *people = await everybody(server)
    await set_up(*people)
    for era in ("1", "2", "3"):
        await live(bot, *people, era)
        if era == "2" and flags != NONE:
            admin = await signed_in(server, "dev-admin:root")
            await snapshot(admin)
            await admin.close()
            await notify(bot, *people, text="after the snapshot", type="video_post")
        if "--window-memory=1MiB" in flags:
            await drive_all_out(server, era)
        before = await looks(*people)
        server = await ended(home, how, flags)
        bot, *people = await everybody(server)
        assert await looks(*people) == before
    assert len(before[0][0]) > 20
    await goes_on(bot, *people)


async def goes_on(bot, ana, ben, cy):
    """What was there is known to the hub in every respect."""
    copies = [await Copy.of(ana)]
    async with nothing_happens(ana):
        for key in ("k0-1", "k5-2", "c0-1", "c2-3", "k3-1", "k3-3"):
            assert await notify(bot, ana, key=key) == 0
        await cy.request("reaction.add", channel="room", seq=1, reaction="r-1")
    many = next(item for item in copies[0].items if item["text"] == "many 2-2")
    assert await retract(bot, "c2-2", ana) == 1
    assert await notify(bot, ana, collapse="c-1", text="joins", actor="dan") == 1
    found = await agree(copies)
    shrunk = next(item for item in found if item["id"] == many["id"])
    assert (shrunk["text"], shrunk["count"], shrunk["actors"]) == ("many 1-2", 2, ["cy", "ben"])
    assert (found[0]["count"], found[0]["actors"]) == (4, ["dan", "ben", "cy"])
    assert await notify(bot, ana, key="k4-2") == 1
    count = len(await items_of(ana))
    await ben.request("channel.leave", channel="feed:ana")
    for era in (1, 2, 3):
        await cy.request("reaction.remove", channel="room", seq=1, reaction=f"r-{era}")
    await ben.request("message.delete", channel="room", seq=3)
    await ben.request("message.edit", channel="room", seq=5, mentions=["cy"])
    assert len(await agree(copies)) == count - 4
    async with nothing_happens(cy):
        assert await notify(bot, cy, type="video_post") == 0


@HOW
@run
async def test_cursors_and_positions_hold_in_the_next_hub(home, how):
    server = home.start(*COMMIT)
    bot, ana, *_ = await everybody(server)
    for number in range(20):
        await notify(bot, ana, text=f"{number}")
        if number == 9:
            middle = (await look(ana))[1]
    page = await ana.request("inbox.list", limit=7)
    bot, ana, *_ = await everybody(await ended(home, how))
    rest = await ana.request("inbox.list", cursor=page["cursor"])
    assert texts(page["items"] + rest["items"]) == [f"{n}" for n in range(19, -1, -1)]
    await mark(ana, "read", upto=middle)
    assert (await ana.request("inbox.counts"))["unread"] == 10
    assert (await delete(ana, upto=middle))["deleted"] == 10


@HOW
@run
async def test_positions_rise_over_restarts(home, how):
    server, newest, seen = home.start(*COMMIT), None, set()
    for era in range(3):
        bot, ana, *_ = await everybody(server)
        copy = await Copy.of(ana)
        assert newest in (None, copy.at)
        before = {item["id"] for item in copy.items}
        for number in range(5):
            await notify(bot, ana, text=f"{era}.{number}")
        await copy.check()
        ids = {item["id"] for item in copy.items}
        assert len(ids) == len(before) + 5 and not (ids - before) & seen
        seen |= ids
        await delete(ana, copy.items[0])
        await copy.check()
        assert newest is None or copy.at > newest
        newest = copy.at
        server = await ended(home, how)


@HOW
@run
async def test_a_full_inbox_is_full_in_the_next_hub(home, how):
    server = home.start(*LITTLE_MEMORY)
    bot, ana, *_ = await everybody(server)
    asked = [{"to": ["ana"], "type": "like", "text": f"{n}", "key": f"{n}"} for n in range(300)]
    await bot.many("notify", asked)
    before = await look(ana)
    bot, ana, *_ = await everybody(await ended(home, how, LITTLE_MEMORY))
    assert await look(ana) == before
    again = await bot.many("notify", asked[50:])
    assert all(each["made"] == 0 for each in again)
    assert (await bot.many("notify", asked[:3]))[0]["made"] == 1
    assert texts(await items_of(ana))[:4] == ["2", "1", "0", "299"]


@HOW
@run
async def test_what_expires_while_no_hub_runs_is_not_there_afterwards(home, how):
    server = home.start(*COMMIT)
    bot, ana, ben, _ = await everybody(server)
    moment = await bot.ping() + 600
    later = moment + 1200
    await notify(bot, ana, ben, text="goes", key="k", expires_ts=moment)
    await notify(bot, ana, ben, text="goes later", expires_ts=later)
    await notify(bot, ana, ben, text="stays")
    ids = {event["item"]["id"] for event in [await ana.expect("inbox.added") for _ in range(3)]}
    bot, ana, ben, _ = await everybody(await ended(home, how))
    listed = (await ana.request("inbox.list"))["items"]
    assert {item["id"] for item in listed} <= ids
    await past(bot, later)
    copy = await Copy.of(ana)
    assert texts(await items_of(ben)) == ["stays"]
    assert texts(copy.items) == ["stays"]
    assert await notify(bot, ana, key="k") == 1
    await copy.check()


# A lost history

@pytest.mark.parametrize("flags", [NONE, COMMIT, LITTLE_MEMORY], ids=lambda flags: flags[-1])
@run
async def test_without_its_history_a_hub_shows_what_it_counts(home, flags):
    server = home.start(*flags)
    bot, *people = await everybody(server)
    await set_up(*people)
    await live(bot, *people)
    admin = await signed_in(server, "dev-admin:root")
    await snapshot(admin)
    await live(bot, *people, "2")
    await asyncio.to_thread(server.stop)
    lost = [path for path in home.path.iterdir() if path.name.startswith("history.sqlite")]
    assert lost
    for path in lost:
        path.unlink()
    server = home.start(*flags)
    bot, *people = await everybody(server)
    copies = [await Copy.of(client) for client in people]
    await notify(bot, *people, text="new", key="new")
    for copy in copies:
        await copy.check()
        assert copy.items[0]["text"] == "new"
    ana = people[0]
    await mark(ana, "read", upto=copies[0].at)
    found = await agree(copies[:1])
    items, first = await pages(ana, "inbox.list", "items", limit=3)
    assert first["counts"] == counted(items) == counted(found)
    await delete(ana, upto=copies[0].at)
    assert await agree(copies[:1]) == []
    before = await looks(*people)
    server = await ended(home, "stop", flags)
    assert await looks(*(await everybody(server))[1:]) == before
