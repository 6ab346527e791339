"""Inbox: what the hub makes by itself and what it is made of live and die together, whenever the
hub is killed. HUB_SOAK_KILLS is how often, for more."""

import asyncio
import contextlib
import os

import pytest
from websockets.exceptions import ConnectionClosed

from archive import LITTLE_MEMORY, pages
from client import HubError
from home import home_fixture, signed_in  # the fixture is `home`
from inboxes import items_of
from stage import run

ERAS = int(os.environ.get("HUB_SOAK_KILLS", 5))
MESSAGES = 160  # fewer than fall out of an inbox
PEOPLE = ("ana", "ben", "cy")
NEVER = pytest.mark.parametrize("flags", [
    ("--durability=commit",), ("--durability=interval",), LITTLE_MEMORY], ids=lambda each: each[-1])


async def people_of(server):
    return [await signed_in(server, f"dev:{name}", check=False) for name in PEOPLE]


async def set_up(ana, ben, cy):
    await ana.request("channel.create", channel="room", kind="group", members=["ben", "cy"])
    await ana.request("channel.create", channel="feed:ana", kind="broadcast")
    for number in range(10):
        await ana.request("message.send", channel="room", text=f"of ana {number}")


def deed(rng, sent):
    """Something to do; `sent` is how many messages there may be."""
    seq = rng.randrange(1, sent + 1)
    reaction = {"channel": "room", "seq": rng.randrange(1, 11), "reaction": rng.choice("ab")}
    some = rng.choice([[], ["ana"], ["ana", "cy"], ["cy"]])
    found = rng.choices([
        ("message.send", {"channel": "room", "text": "x", "mentions": some}),
        ("message.send", {"channel": "room", "text": "x", "reply_to": rng.randrange(1, 11)}),
        ("message.edit", {"channel": "room", "seq": seq, "mentions": some}),
        ("message.delete", {"channel": "room", "seq": seq}), ("reaction.add", reaction),
        ("reaction.remove", reaction), ("channel.join", {"channel": "feed:ana"}),
        ("channel.leave", {"channel": "feed:ana"})], [4, 2, 6, 1, 6, 6, 2, 2])[0]
    return found if sent < MESSAGES or found[0] != "message.send" else ("ping", {})


async def work(rng, client, sent):
    """Does one thing after another, several at once, until the hub is gone."""
    with contextlib.suppress(ConnectionClosed, AssertionError):
        while True:
            asked = [deed(rng, sent[0]) for _ in range(rng.randint(1, 12))]
            sent[0] += sum(op == "message.send" for op, _ in asked)
            for reply in [await client.begin(op, **arguments) for op, arguments in asked]:
                with contextlib.suppress(HubError):
                    await reply


async def due(ana, reader):
    """What must be in somebody's inbox by what the channels hold now."""
    messages = {message["seq"]: message for message in await pages(ana, "room")}
    found = []
    for seq, message in messages.items():
        answered = messages.get(message.get("reply_to"), {})
        if "deleted_ts" in message:
            continue
        if message["user"] != reader and answered.get("user") == reader:
            found.append(("reply", f"room/{seq}"))
        elif message["user"] != reader and reader in message.get("mentions", []):
            found.append(("mention", f"room/{seq}"))
        if message["user"] == reader and "reactions" in message:
            found.append(("like", f"room/{seq}"))
    feed = (await ana.request("member.list", channel="feed:ana"))["members"]
    followed = reader == "ana" and any(member["user"] == "ben" for member in feed)
    return sorted(found + [("follow", "ben")] * followed)


@pytest.mark.timeout(60 + ERAS * 10)
@NEVER
@run
async def test_items_and_what_they_tell_of_survive_a_kill_together(home, flags, rng):
    server, sent = await asyncio.to_thread(home.start, *flags), [10]
    people, seen = await people_of(server), set()
    await set_up(*people)
    for _ in range(ERAS):
        tasks = [asyncio.create_task(work(rng, people[1], sent))]
        await asyncio.sleep(rng.uniform(0.02, 0.3))  # clock: how far it comes is left to chance
        server.kill()
        await asyncio.gather(*tasks)
        server = await asyncio.to_thread(home.start, *flags)
        people = await people_of(server)
        for client in (people[0], people[2]):
            items = await items_of(client)
            assert sorted((item["type"], item["target"]["id"]) for item in items) == \
                await due(people[0], client.user)
            assert {item["actor"] for item in items} <= {"ben"}
            seen |= {item["type"] for item in items}
    assert seen >= {"like", "mention", "reply"}
