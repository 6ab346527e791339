"""A data directory with everything in it, ways to damage its files, and what may come of it."""

import asyncio
import hashlib
import os
import re
import shutil

from chat import open_direct
from home import Home, signed_in, stop
from hub import CRASHES
from inboxes import counted
from stage import say
from survey import UNREADABLE, differences, found_by, survey

COMMIT = "--durability=commit"
USERS = ("ana", "ben", "cy")
BLOB = 12_000
PARTS = (100, 40, 260)  # large messages before, between and behind the snapshots
FEWEST = 40  # of the newest large messages, with history lost


class Scene:
    """A directory as a hub left it, and what people saw of it before it was damaged."""

    def __init__(self, home, seen):
        self.path, self.seen = home.path, seen

    def files(self):
        """All files, by their path inside the directory, with their sizes."""
        return {name: len(data) for name, data in contents(self.path).items()}

    def end_of(self, name):
        """Where the last byte that is not zero ends: segments are longer than what they hold."""
        return len((self.path / name).read_bytes().rstrip(b"\0"))

    def segments(self):
        """The journal's segments that something was written to, oldest first."""
        return [name for name in self.files() if "segment" in name and self.end_of(name) > 4096]

    def copy(self, path):
        """Another directory with the same in it."""
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.path, path)
        return Home(path)


def contents(path):
    """The bytes of all files, by their path inside the directory."""
    found = {}
    for folder, _, names in os.walk(path):
        for name in names:
            file = os.path.join(folder, name)
            with open(file, "rb") as opened:
                found[os.path.relpath(file, path)] = opened.read()
    return dict(sorted(found.items()))


def fingerprint(path):
    """What must not change; SQLite's shared memory is made anew whenever a database is opened."""
    return {name: hashlib.blake2b(data).hexdigest() for name, data in contents(path).items()
            if not name.endswith("-shm")}


# Making one

async def fill_bulk(client, rng, count):
    for start in range(0, count, 30):
        await client.many("message.send", [
            {"channel": "bulk", "text": f"needle {start + number}", "key": f"{rng.random()}",
             "data": f"{rng.getrandbits(64):016x}" * (BLOB // 16)}
            for number in range(min(30, count - start))])


async def small_things(ana, ben, cy, bot, number):
    """A little of everything."""
    [seq] = await say(ana, "room", f"needle {number}")
    await ben.request("message.send", channel="room", text="yes", reply_to=seq, mentions=["ana"])
    await say(cy, "open", "one", "two", "needle three")
    await ana.request("message.edit", channel="room", seq=seq, text=f"needle, edited {number}")
    for client in (ben, cy):
        await client.request("reaction.add", channel="room", seq=seq, reaction="👍")
    await ben.request("message.delete", channel="room", seq=seq + 1)
    await ana.request("message.edit", channel="bulk", seq=number, text=f"old, edited {number}")
    await ben.request("reaction.add", channel="bulk", seq=number + 1, reaction="x")
    await say(ana, await open_direct(ana, ben), f"dear ben, needle {number}")
    await bot.request("notify", to=["ana", "cy"], type="like", text=f"note {number}")
    await cy.request("read", channel="room", seq=seq)
    await ben.request("user.update", name=f"Ben {number}")
    await cy.request("channel.update", channel="open", name=f"Open {number}")


async def make(path, rng, end):
    """A directory of a hub that wrote two snapshots, two segments, and records behind them.
    `end` says what came then: it was "stopped" in order, "killed" right after its last answer,
    or killed when history had been "asked" for what came last."""
    home = Home(path / "data")
    server = await asyncio.to_thread(home.start, COMMIT)
    ana, ben, cy = clients = [await signed_in(server, f"dev:{user}") for user in USERS]
    bot = await signed_in(server, "dev-bot:bot")
    admin = await signed_in(server, "dev-admin:root")
    await ana.request("channel.create", channel="room", kind="group", members=["ben", "cy"])
    await ana.request("channel.create", channel="bulk", kind="group", members=["ben"])
    await cy.request("channel.create", channel="open", kind="public")
    for part, number in zip(PARTS, (1, 3, 5), strict=True):
        await fill_bulk(ana, rng, part)
        await small_things(*clients, bot, number)
        if number < 5:
            await admin.request("admin.snapshot")
    for number in range(7, 40, 2):
        await small_things(*clients, bot, number)
    last = await say(ana, "room", "the last of all")
    if end == "asked":
        assert ("room", last[0]) in (await found_by(ana, "last"))[0]
    if end == "stopped":
        await stop(server)
    server.kill()
    scene = Scene(home, None)
    scene.seen = await look(scene.copy(path / "control"))
    assert scene.seen[0]["summary", "ana", "room"]["seq"] == last[0]
    assert len(scene.segments()) == 2
    assert not any(is_gone for _, is_gone in scene.seen[1].values())
    return scene


async def look(home):
    """What people see of a hub started there."""
    server = await asyncio.to_thread(home.start, COMMIT)
    seen = await survey(server, USERS)
    server.kill()
    return seen


# Damage: each takes the bytes of a file and answers what is there instead, None for no file

def flipped(data, position, bit=0):
    return data[:position] + bytes([data[position] ^ 1 << bit]) + data[position + 1:]


class Damage:
    """One thing done to one file; `position` where it is about bytes at a place. A hub that
    refuses names what is `named`."""

    def __init__(self, name, what, data, position=None, named=None):
        self.name, self.what, self.data, self.position = name, what, data, position
        self.named = named or name

    def __str__(self):
        return f"{self.name} {self.what}"

    @classmethod
    def flip(cls, scene, name, position, bit=0):
        data = flipped((scene.path / name).read_bytes(), position, bit)
        return cls(name, f"flipped at byte {position}, bit {bit}", data, position)

    @classmethod
    def cut(cls, scene, name, length):
        data = (scene.path / name).read_bytes()[:length]
        return cls(name, f"truncated to {length} bytes", data)

    @classmethod
    def lost(cls, name):
        return cls(name, "deleted", None)

    def inflict(self, path):
        if self.data is None:
            (path / self.name).unlink()
        else:
            (path / self.name).write_bytes(self.data)


# What may come of it

async def outcome(scene, damage, work):
    """Starts a hub on a damaged copy: "same", "gone" or "refused", and fails on anything else."""
    home = scene.copy(work)
    damage.inflict(work)
    before = fingerprint(work)
    server = await asyncio.to_thread(home.attempt, COMMIT)
    try:
        if server.port is None:
            assert_refused(server, damage, work)
            after = fingerprint(work)
            changed = {name for name in before.keys() | after.keys()
                       if before.get(name) != after.get(name)}
            assert not changed, f"{damage}: refused, but changed {changed}"
            await assert_starts_with_loss(scene, damage, home)
            return "refused"
        after = await survey(server, USERS)
        assert_same(scene, damage, server, after)
        if damage.name.startswith(("journal", "history")):
            await assert_lives_on(scene, damage, home)
        return "gone" if any(is_gone for _, is_gone in after[1].values()) else "same"
    finally:
        for each in home.hubs:
            if each.process.poll() is None:
                each.kill()
            assert not any(word in each.stderr() for word in CRASHES), each.stderr()[-4000:]


def assert_refused(server, damage, work):
    said, code = server.said(), server.process.returncode
    assert code == 78, f"{damage}: exit {code}: {said[-3000:]}"
    assert str(work / damage.named) in said, f"{damage}: not named: {said[-3000:]}"
    if damage.position is not None:
        offsets = [int(each) for each in re.findall(r"\bbyte (\d+)", said)]
        assert offsets and min(offsets) <= damage.position, f"{damage}: {said[-3000:]}"
    assert "--accept-data-loss" in said or "newer" in said or "format" in said, said[-3000:]


def ignored(damage, server):
    """What may be other than it was: nobody vouches for epochs when it is lost how the hub before
    ran; an index that was built anew has what it was built from in another order; a search that
    meets a damaged row says that it cannot be answered, and the log says why. What notifications
    say is in history alone: see `assert_inboxes`."""
    said = server.said()
    renewed = damage.name == "running" and "epochs_renewed" in said
    is_history = damage.name.startswith("history")
    is_told = is_history and "damaged" in said and "history.sqlite" in said
    return (["epoch"] * renewed + ["newest first", "inbox"] * is_history
            + [UNREADABLE] * is_told)


def assert_inboxes(scene, damage, seen):
    """Where history is damaged an inbox may have lost items; all that is said of it agrees."""
    for user in USERS:
        items, counts, at = seen["inbox", user]
        before, _, at_before = scene.seen[0]["inbox", user]
        assert items == [item for item in before if item in items], f"{damage}: {user}"
        assert counts == counted(items) and at >= at_before, f"{damage}: {user} {counts}"


def assert_same(scene, damage, server, after):
    differ = differences(scene.seen, after, ignored(damage, server))
    assert not differ, f"{damage}: {len(differ)} differ: " + "\n".join(
        differ[:4]) + "\n" + server.said()[-3000:]
    assert_inboxes(scene, damage, after[0])
    lost = [place for place, (_, is_gone) in after[1].items() if is_gone]
    assert all(channel == "bulk" for _, channel in lost), f"{damage}: memory lost {lost}"
    messages, is_gone = after[1]["ana", "bulk"]
    assert not is_gone or len(messages) >= FEWEST, f"{damage}: only {len(messages)} kept"


async def assert_lives_on(scene, damage, home):
    """What is written behind the damage outlives the next kill, and so does all that was there."""
    client = await signed_in(home.hubs[-1], "dev:cy")
    await client.request("user.settings", dnd_until_ts=1)
    home.hubs[-1].kill()
    server = await asyncio.to_thread(home.attempt, COMMIT)
    assert server.port, f"{damage}: started once, then refused: {server.said()[-3000:]}"
    again = await survey(server, USERS)
    assert again[0]["person", "cy"][1].pop("dnd_until_ts") == 1, damage
    differ = differences(scene.seen, again, ignored(damage, server))
    assert not differ, f"{damage}, second start: {differ[:4]}"


async def assert_starts_with_loss(scene, damage, home):
    """Told to, it starts, says what it lost, with new epochs, and keeps what was damaged."""
    server = await asyncio.to_thread(home.attempt, COMMIT, "--accept-data-loss")
    said = server.said()
    assert server.port, f"{damage}: refused even so: {said[-3000:]}"
    assert str(home.path / damage.named) in said, f"{damage}: silent: {said[-3000:]}"
    assert damage.data in (None, b"") or damage.data in contents(home.path).values(), (
        f"{damage}: the damaged file is not kept")
    clients = {user: await signed_in(server, f"dev:{user}", check=False) for user in USERS}
    for (kind, user, channel), summary in summaries(scene.seen).items():
        listed = (await clients[user].request("channel.list"))["channels"]
        epochs = {each["channel"]: each["epoch"] for each in listed}
        assert epochs.get(channel) != summary["epoch"], f"{damage}: {channel} keeps its epoch"
    await clients["ana"].request("channel.create", channel="anew", kind="public")
    assert await say(clients["ana"], "anew", "on we go") == [1]
    server.kill()
    server = await asyncio.to_thread(home.attempt, COMMIT)
    assert server.port, f"{damage}: refused after a loss was accepted: {server.said()[-3000:]}"
    again = await signed_in(server, "dev:ana")
    assert (await again.request("channel.get", channel="anew"))["channel"]["seq"] == 1


def summaries(seen):
    return {key: value for key, value in seen[0].items() if key[0] == "summary"}
