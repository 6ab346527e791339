"""What a test plays on: fresh people and channels on a hub that several tests share."""

import asyncio
import functools
import itertools

from client import Client

TEST_DEADLINE = 120


def run(test):
    """Runs an asynchronous test; its `stage`, if it has one, is cleared at the end."""

    @functools.wraps(test)
    def wrapper(**fixtures):
        asyncio.run(asyncio.wait_for(play(test, fixtures), TEST_DEADLINE))

    return wrapper


async def play(test, fixtures):
    stage = fixtures.get("stage")
    if stage is None:
        await test(**fixtures)
        return
    try:
        await test(**fixtures)
    finally:
        await stage.clear()


class Stage:
    """Makes connections, people and channels with names of their own, and closes them again."""

    numbers = itertools.count(1)

    def __init__(self, hub):
        self.hub = hub
        self.clients = []

    def name(self, stem="x"):
        """A name that no other test uses."""
        return f"{stem}-{next(self.numbers)}"

    async def connect(self, **options):
        """A connection that has not said hello."""
        client = await Client.connect(self.hub, **options)
        self.clients.append(client)
        return client

    async def signed_in(self, token, **options):
        client = await self.connect(**options)
        await client.hello(token)
        return client

    async def people(self, *stems):
        return [await self.signed_in(f"dev:{self.name(stem)}") for stem in stems]

    async def person(self, stem="ana"):
        return (await self.people(stem))[0]

    async def bot(self):
        return await self.signed_in(f"dev-bot:{self.name('bot')}")

    async def admin(self):
        return await self.signed_in(f"dev-admin:{self.name('admin')}")

    async def again(self, client):
        """Another connection of the same (ordinary) person."""
        return await self.signed_in(f"dev:{client.user}")

    async def room(self, owner, *members, kind="group"):
        """A new channel; everybody in it, nobody subscribed, and all quiet."""
        channel = self.name(f"room:{kind}")
        added = [member.user for member in members] if kind == "group" else []
        await owner.request("channel.create", channel=channel, kind=kind, members=added)
        if kind != "group":
            for member in members:
                await member.request("channel.join", channel=channel)
        for client in (owner, *members):
            await client.settle()
        return channel

    async def shared_room(self, *clients, kind="group"):
        """The same with everybody subscribed."""
        channel = await self.room(*clients, kind=kind)
        for client in clients:
            await client.request("subscribe", channel=channel)
        return channel

    async def clear(self):
        """Closes what the test opened; what a reader found wrong counts as the test's failure."""
        await asyncio.gather(*(client.close() for client in self.clients))
        self.hub.assert_alive()


async def say(client, channel, *texts):
    """Sends texts, all in flight at once; the sequence numbers."""
    replies = await client.many("message.send", [{"channel": channel, "text": t} for t in texts])
    return [reply["seq"] for reply in replies]


async def fill(client, channel, count):
    """Sends a number of small messages without waiting in between."""
    return await say(client, channel, *(f"message {index}" for index in range(1, count + 1)))


async def summary_of(client, channel):
    return (await client.request("channel.get", channel=channel))["channel"]


def seqs(messages):
    return [message["seq"] for message in messages]
