"""Channels that are longer than memory, and what tests ask of them."""

import asyncio

from home import signed_in
from hub import DEADLINE
from stage import fill, say

OUTBOUND_LIMIT = 512 * 1024

# Little memory, so that messages leave it soon; what is acknowledged survives a kill.
LITTLE_MEMORY = ("--durability=commit", "--window-memory=1MiB")
MEMORY_AND_MORE = 5 << 19
OLD = 1500  # messages that lie above those of an old room


async def author(stage, stem="ana"):
    """Somebody who sends and reads much; of the frames only some are held against the schema."""
    return await stage.signed_in(f"dev:{stage.name(stem)}", check=False)


async def pages(client, channel, backwards=False, limit=100, seq=None):
    """The whole history, oldest first, read page by page in one direction from a seq."""
    found, at = [], seq if seq is not None else 2**53 - 1 if backwards else 0
    direction = "before" if backwards else "after"
    while True:
        page = await client.request(
            "message.history", channel=channel, limit=limit, **{direction: at})
        assert len(page["messages"]) <= limit and len(page.raw.encode()) <= OUTBOUND_LIMIT
        found = page["messages"] + found if backwards else found + page["messages"]
        if not page["has_more"]:
            return found
        assert page["messages"], f"an empty page with more behind it, {direction} {at}"
        at = page["messages"][0 if backwards else -1]["seq"]


async def listed(client, op, limit=100, **arguments):
    """All messages of a list with a cursor, and how many pages they were."""
    found, count, cursor = [], 0, None
    while True:
        page = await client.request(op, limit=limit, cursor=cursor, **arguments)
        assert len(page["messages"]) <= limit and len(page.raw.encode()) <= OUTBOUND_LIMIT
        found, count = found + page["messages"], count + 1
        if not (cursor := page.get("cursor")):
            return found, count


async def found(client, q, **arguments):
    """Where a search finds something, newest first: pairs of channel and seq."""
    messages, _ = await listed(client, "message.search", q=q, **arguments)
    places = [(message["channel"], message["seq"]) for message in messages]
    assert len(set(places)) == len(places), f"found twice: {places}"
    return places


async def displace(stage, size=3 << 20):
    """Has everything of other tests' and this one's channels leave memory."""
    other, admin = await author(stage, "other"), await stage.admin()
    await drive_out(other, admin, [await stage.room(other) for _ in range(max(size >> 20, 1))])


async def drive_out(other, admin, channels):
    """Fills channels until what was quiet before has left memory, as a snapshot's size tells: it
    holds all that is in memory."""
    for channel in channels:
        await load(other, channel)
    async with asyncio.timeout(DEADLINE):
        while (await admin.request("admin.snapshot"))["bytes"] > MEMORY_AND_MORE:
            await fill(other, channels[-1], 400)


async def drive_all_out(server, name):
    """The same on a hub of the test's own; `name` is for new channels."""
    stranger = await signed_in(server, "dev:stranger", check=False)
    admin = await signed_in(server, "dev-admin:root")
    channels = [f"other:{name}:{number}" for number in range(3)]
    for channel in channels:
        await stranger.request("channel.create", channel=channel, kind="group")
    await drive_out(stranger, admin, channels)
    for client in (stranger, admin):
        await client.close()


async def load(client, channel):
    """A MiB of messages."""
    await client.many("message.send", [{"channel": channel, "data": "x" * 8000}] * 130)


async def old_room(stage, *people, texts=("one", "two", "three"), kind="group"):
    """A channel of the first one's messages, much older than all that is in memory."""
    room = await stage.room(*people, kind=kind)
    await say(people[0], room, *texts)
    await fill(people[0], room, OLD)
    await displace(stage)
    for client in people:
        await client.settle()
    return room


async def subscribed(channel, *clients):
    for client in clients:
        await client.request("subscribe", channel=channel)
        await client.settle()


def span(first, last):
    return list(range(first, last + 1))


async def reopened(home, how, *flags):
    """The next hub on the same directory, after an orderly stop or a kill of the one before."""
    if how == "stop":
        await asyncio.to_thread(home.hubs[-1].stop)
    else:
        home.hubs[-1].kill()
    return home.start(*LITTLE_MEMORY, *flags)
