"""Snapshots of a hub that is busy."""

import asyncio
import itertools

import pytest
from websockets.exceptions import ConnectionClosed

from chat import all_messages
from client import Client
from home import home_fixture, room_with, signed_in, snapshot, stop  # the fixture is `home`
from hub import DEADLINE, STOP_DEADLINE
from stage import fill, run, seqs, summary_of

GOING_AWAY = 1001
ENOUGH = 100  # messages acknowledged to one of the publishers before a hub is stopped
MEMBERS = 120


class Publisher:
    """Sends all the time, several at once, and remembers what was acknowledged."""

    def __init__(self, client, channels, heard):
        # `heard` is told how many were acknowledged, each time.
        self.client, self.channels, self.heard = client, channels, heard
        self.acknowledged = {}
        self.numbers = itertools.count(1)

    async def work(self):
        try:
            while True:
                await asyncio.gather(*(self.one() for _ in range(4)))
        except (AssertionError, ConnectionClosed) as end:
            assert self.client.socket.close_code == GOING_AWAY, end

    async def one(self):
        number = next(self.numbers)
        channel = self.channels[number % len(self.channels)]
        text, key = f"{self.client.user} {number}", f"key-{number}"
        ok = await self.client.request("message.send", channel=channel, text=text, key=key)
        self.acknowledged[channel, ok["seq"]] = (text, key)
        self.heard(len(self.acknowledged))


async def assert_kept(server, publisher, before):
    """What one publisher was told has happened, has."""
    client = await signed_in(server, f"dev:{publisher.client.user}")
    for channel in publisher.channels:
        summary = await summary_of(client, channel)
        for key in ("epoch", "rev", "member_count", "kind", "name", "role"):
            assert summary[key] == before[channel][key], (key, summary)
        own = {seq: each for (name, seq), each in publisher.acknowledged.items() if name == channel}
        assert summary["seq"] >= summary["read"] >= max(own)
        messages = {each["seq"]: each for each in await all_messages(client, channel)}
        assert sorted(messages) == list(range(1, summary["seq"] + 1))
        for seq, (text, key) in own.items():
            assert messages[seq]["text"] == text
            again = await client.request("message.send", channel=channel, text="x", key=key)
            assert (again["seq"], again.get("duplicate")) == (seq, True)
        assert (await summary_of(client, channel))["seq"] == summary["seq"]
    await client.close()


@pytest.mark.parametrize("durability", ["commit", "none"])
@run
async def test_a_stop_under_load_loses_nothing(home, durability):
    first = home.start(f"--durability={durability}")
    people = [await signed_in(first, f"dev:person-{number}") for number in range(6)]
    names = [person.user for person in people]
    channels = ["room:group", "room:public"]
    await people[0].request(
        "channel.create", channel="room:group", kind="group", members=names[1:], name="Gruppe")
    await people[0].request("channel.create", channel="room:public", kind="public")
    for person in people[1:]:
        await person.request("channel.join", channel="room:public")
    reader = await signed_in(first, "dev:reader")
    for channel in channels[1:]:
        await reader.request("channel.join", channel=channel)
        await reader.request("subscribe", channel=channel)
    direct = (await people[0].request("dm.open", user=names[1]))["channel"]["channel"]
    await fill(people[0], direct, 5)
    await people[1].request("read", channel=direct, seq=3)
    quiet = await summary_of(people[1], direct)
    before = {name: await summary_of(people[1], name) for name in channels}

    enough = asyncio.Event()
    publishers = [
        Publisher(person, channels, lambda count: count >= ENOUGH and enough.set())
        for person in people[1:5]]
    work = [asyncio.create_task(publisher.work()) for publisher in publishers]
    await asyncio.wait_for(enough.wait(), DEADLINE)
    await stop(first)
    await asyncio.gather(*work)
    heard = seqs(reader.events("message", channel="room:public"))
    assert heard == list(range(1, len(heard) + 1))

    second = home.start(f"--durability={durability}")
    for publisher in publishers:
        await assert_kept(second, publisher, before)
    client = await signed_in(second, f"dev:{names[1]}")
    after = await summary_of(client, direct)
    assert after == quiet | {"present_count": 1}
    assert {each["channel"] for each in (await client.request("channel.list"))["channels"]} == {
        *channels, direct}
    await client.close()
    await stop(second)


class Listener(Client):
    """Takes a large room's messages in order, each once, and nothing else."""

    seq = 0

    def received(self, frame):
        if frame.get("ev") == "message":
            assert frame["seq"] == self.seq + 1, f"{frame['seq']} after {self.seq}"
            self.seq = frame["seq"]
        elif "id" in frame:
            super().received(frame)


@run
async def test_a_large_room_is_served_in_order_while_snapshots_are_taken(home):
    server = home.start()
    owner = await room_with(server)
    listeners = []
    for number in range(MEMBERS):
        listener = await Listener.connect(server, check=False)
        await listener.hello(f"dev:listener-{number}")
        await listener.request("channel.join", channel="room")
        await listener.request("subscribe", channel="room")
        listeners.append(listener)
    admin = await signed_in(server, "dev-admin:root")
    taken = 0
    sending = asyncio.create_task(fill(owner, "room", 300))
    while not sending.done():
        await snapshot(admin)
        taken += 1
    assert await sending == list(range(1, 301)) and taken > 1
    async with asyncio.timeout(STOP_DEADLINE):
        for listener in listeners:
            await listener.ping()
            assert listener.seq == 300, f"{listener.user} lacks messages"
    server.kill()
    second = home.start()
    owner = await signed_in(second, "dev:owner")
    summary = await summary_of(owner, "room")
    assert summary["member_count"] == MEMBERS + 1 and summary["seq"] <= 300
    await owner.close()
