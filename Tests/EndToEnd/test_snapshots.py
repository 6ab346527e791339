"""What a hub leaves in its data directory when it stops or is killed, and finds there again."""

import asyncio
import itertools
import os
import signal

import pytest

from client import Client, HubError, refused
from hub import CRASHES, DEADLINE, STOP_DEADLINE, Server, binary, run_hub
from stage import fill, run, say, seqs, summary_of

ANNOUNCEMENT = r"hub listening on http://127\.0\.0\.1:(\d+)"
DEV = ["--dev", "--port=0", "--durability=none", "--rate-limit=off"]
ENOUGH = 400  # acknowledged messages before a hub is stopped under load
MEMBERS = 120


class Home:
    """A data directory, and the hubs that were started on it one after the other."""

    def __init__(self, path):
        self.path = path
        self.hubs = []

    def start(self, *flags):
        command = [binary("hub"), "serve", *DEV, f"--data-dir={self.path}", *flags]
        self.hubs.append(Server(command, ANNOUNCEMENT))
        return self.hubs[-1]

    def refuses(self, *flags):
        """Starts a hub that must not start; what it says, and the files as they were."""
        before = self.snapshots()
        finished = run_hub(*DEV, f"--data-dir={self.path}", *flags)
        assert finished.returncode == 78, finished.stderr
        assert finished.stdout == "" and not any(word in finished.stderr for word in CRASHES)
        assert self.snapshots() == before
        return finished.stderr.replace("\\/", "/")

    def snapshots(self):
        return sorted(name for name in os.listdir(self.path) if name.startswith("snapshot-"))

    def file(self, name):
        return self.path / name

    def damage(self, name):
        """Flips a bit in the middle of a file."""
        data = bytearray(self.file(name).read_bytes())
        data[len(data) // 2] ^= 1
        self.file(name).write_bytes(data)


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path / "data")
    yield home
    for server in home.hubs:
        server.kill()


async def signed_in(server, token, check=True):
    client = await Client.connect(server, check=check)
    await client.hello(token)
    return client


async def snapshot(admin):
    return await admin.request("admin.snapshot")


async def until(client, condition):
    """Asks the hub, which lets time pass, until something outside the connection has happened."""
    async with asyncio.timeout(DEADLINE):
        while not condition():
            await client.ping()


async def stop(server):
    """Stops a hub in order without keeping this process's clients from hearing of it."""
    await asyncio.to_thread(server.stop)


async def room_with(server, *texts, kind="public", name="room"):
    owner = await signed_in(server, "dev:owner")
    await owner.request("channel.create", channel=name, kind=kind)
    await say(owner, name, *texts)
    return owner


class Publisher:
    """Sends all the time, several at once, and remembers what was acknowledged."""

    def __init__(self, client, channels, heard):
        self.client, self.channels, self.heard = client, channels, heard
        self.acknowledged = {}
        self.numbers = itertools.count(1)

    async def work(self):
        try:
            while True:
                await asyncio.gather(*(self.one() for _ in range(4)))
        except (AssertionError, OSError, HubError) as end:
            assert self.client.socket.close_code is not None, end
        except Exception as end:  # websockets' ConnectionClosed, whichever of the two
            assert self.client.socket.close_code is not None, end

    async def one(self):
        number = next(self.numbers)
        channel = self.channels[number % len(self.channels)]
        text, key = f"{self.client.user} {number}", f"key-{number}"
        ok = await self.client.request("message.send", channel=channel, text=text, key=key)
        self.acknowledged[channel, ok["seq"]] = (text, key)
        self.heard(len(self.acknowledged))


async def messages_of(client, summary):
    """All messages that are in memory, by seq."""
    since = {"epoch": summary["epoch"], "seq": max(0, summary["seq"] - 1000)}
    ok = await client.request("subscribe", channel=summary["channel"], since=since)
    assert ok["recovered"] and seqs(ok["messages"]) == list(
        range(since["seq"] + 1, summary["seq"] + 1))
    return {message["seq"]: message["text"] for message in ok["messages"]}


async def assert_kept(server, publisher, before):
    """What one publisher was told has happened, has."""
    client = await signed_in(server, f"dev:{publisher.client.user}")
    for channel in publisher.channels:
        summary = await summary_of(client, channel)
        for key in ("epoch", "rev", "member_count", "kind", "name", "role"):
            assert summary[key] == before[channel][key], (key, summary)
        own = {seq: each for (name, seq), each in publisher.acknowledged.items() if name == channel}
        assert summary["seq"] >= summary["read"] >= max(own)
        messages = await messages_of(client, summary)
        for seq, (text, key) in own.items():
            if seq not in messages:
                assert seq <= summary["seq"] - 1000
                continue
            assert messages[seq] == text
            again = await client.request("message.send", channel=channel, text="x", key=key)
            assert (again["seq"], again.get("duplicate")) == (seq, True)
        assert (await summary_of(client, channel))["seq"] == summary["seq"]
    await client.close()


@run
async def test_a_stop_under_load_loses_nothing(home):
    first = home.start()
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
        Publisher(person, channels, lambda count: count >= ENOUGH // 4 and enough.set())
        for person in people[1:5]]
    work = [asyncio.create_task(publisher.work()) for publisher in publishers]
    await asyncio.wait_for(enough.wait(), DEADLINE)
    await stop(first)
    await asyncio.gather(*work)
    heard = seqs(reader.events("message", channel="room:public"))
    assert heard == list(range(1, len(heard) + 1))

    second = home.start()
    for publisher in publishers:
        publisher.client.user = names[publishers.index(publisher) + 1]
        await assert_kept(second, publisher, before)
    client = await signed_in(second, f"dev:{names[1]}")
    after = await summary_of(client, direct)
    assert after == quiet | {"present_count": 1}
    assert {each["channel"] for each in (await client.request("channel.list"))["channels"]} == {
        *channels, direct}
    await client.close()
    await stop(second)


@run
async def test_a_killed_hub_comes_back_as_its_newest_snapshot_with_new_epochs(home):
    first = home.start()
    owner = await room_with(first, "one", "two")
    first.process.send_signal(signal.SIGUSR1)
    await until(owner, lambda: len(home.snapshots()) == 1)
    kept = await owner.request("message.send", channel="room", text="three", key="k3")
    admin = await signed_in(first, "dev-admin:root")
    report = await snapshot(admin)
    assert report["file"] == str(home.file(home.snapshots()[-1]))
    assert report["bytes"] == os.path.getsize(report["file"]) and report["lsn"] > 0
    await say(owner, "room", "lost", "lost too")
    before = await summary_of(owner, "room")
    first.kill()

    second = home.start()
    assert "new: the hub before this one did not stop in order" in second.stderr()
    owner = await signed_in(second, "dev:owner")
    after = await summary_of(owner, "room")
    assert (after["seq"], after["read"], after["role"]) == (3, 3, "owner")
    assert after["epoch"] != before["epoch"]
    ok = await owner.request(
        "subscribe", channel="room", since={"epoch": before["epoch"], "seq": 2})
    assert (ok["recovered"], ok["messages"], ok["seq"]) == (False, [], 3)
    again = await owner.request("message.send", channel="room", text="x", key="k3")
    assert (again["seq"], again["duplicate"]) == (kept["seq"], True)
    assert await say(owner, "room", "four") == [4]
    await owner.close()
    await stop(second)

    third = home.start()
    owner = await signed_in(third, "dev:owner")
    summary = await summary_of(owner, "room")
    assert (summary["epoch"], summary["seq"]) == (after["epoch"], 4), "an orderly stop keeps epochs"
    await owner.close()


@run
async def test_only_admins_take_snapshots(home):
    server = home.start()
    for token in ("dev:person", "dev-bot:robot"):
        client = await signed_in(server, token)
        await refused(client.request("admin.snapshot"), "forbidden")
        await client.close()
    assert home.snapshots() == []


@run
async def test_two_generations_are_kept(home):
    server = home.start()
    admin = await signed_in(server, "dev-admin:root")
    files = [(await snapshot(admin))["file"] for _ in range(4)]
    assert files == sorted(set(files))
    assert [str(home.file(name)) for name in home.snapshots()] == files[-2:]
    await admin.close()


async def two_snapshots(home):
    """One with one message, one with two, and the hub stopped; their names."""
    server = home.start()
    owner = await room_with(server, "one")
    admin = await signed_in(server, "dev-admin:root")
    await snapshot(admin)
    await say(owner, "room", "two")
    await stop(server)
    return home.snapshots()


@run
async def test_a_corrupt_newest_snapshot_is_set_aside_and_the_one_before_it_used(home):
    older, newest = await two_snapshots(home)
    home.damage(newest)
    server = home.start()
    said = server.stderr().replace("\\/", "/")
    assert "snapshot set aside" in said and f"{home.file(newest)}: damaged at byte" in said
    assert home.snapshots() == [older, f"{newest}.bad"]
    owner = await signed_in(server, "dev:owner")
    assert (await summary_of(owner, "room"))["seq"] == 1
    await owner.close()


@run
async def test_without_a_readable_snapshot_it_refuses_unless_loss_is_accepted(home):
    names = await two_snapshots(home)
    for name in names:
        home.damage(name)
    said = home.refuses()
    assert all(f"{home.file(name)}: damaged at byte" in said for name in names)
    assert "--accept-data-loss" in said
    server = home.start("--accept-data-loss")
    owner = await signed_in(server, "dev:owner")
    await refused(owner.request("channel.get", channel="room"), "not_found")
    assert home.snapshots() == [f"{name}.bad" for name in names]
    await owner.close()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


@run
async def test_a_snapshot_of_a_newer_hub_is_refused_and_left_alone(home):
    _, newest = await two_snapshots(home)
    data = bytearray(home.file(newest).read_bytes())
    data[8:12] = (7).to_bytes(4, "little")
    data[60:64] = crc32c(data[:60]).to_bytes(4, "little")
    home.file(newest).write_bytes(data)
    for flags in ([], ["--accept-data-loss"]):
        said = home.refuses(*flags)
        assert str(home.file(newest)) in said and "newer" in said


def test_a_second_hub_on_the_directory_is_refused(home):
    first = home.start()
    second = run_hub(*DEV, f"--data-dir={home.path}")
    assert second.returncode != 0 and "another hub is running" in second.stderr
    first.stop()


@run
async def test_snapshots_are_taken_by_themselves(home):
    server = home.start("--snapshot-interval=1s")
    owner = await room_with(server, "one")
    await until(owner, lambda: len(home.snapshots()) == 2)
    server.kill()
    second = home.start()
    owner = await signed_in(second, "dev:owner")
    assert (await summary_of(owner, "room"))["seq"] == 1
    await owner.close()


@run
async def test_a_left_over_temporary_file_is_no_snapshot(home):
    home.path.mkdir()
    home.file("snapshot.tmp").write_bytes(b"half")
    server = home.start()
    await room_with(server, "one")
    await stop(server)
    assert len(home.snapshots()) == 1 and not home.file("snapshot.tmp").exists()


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
