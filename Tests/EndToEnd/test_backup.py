"""A copy of a running hub, from which another hub starts: one moment, not before the request."""

import asyncio
import json
import os
import shutil
import subprocess

import pytest

from chat import all_messages
from client import refused
from home import Home, home_fixture, signed_in, snapshot  # the fixture is `home`
from hub import binary, environment
from ledger import DELETED, Ledger
from stage import run, say, summary_of
from survey import differences, found_by, survey
from trial import READERS, SENDERS, Trial, every_item
from wreck import COMMIT, USERS, contents, make

MODES = ("commit", "interval", "none")


class Moment(Ledger):
    """What a copy may hold that was made between now and the end of the request."""

    def __init__(self, ledger):
        super().__init__()
        self.ledger = ledger
        self.from_when = next(ledger.moments)
        self.known = dict(ledger.cells)
        self.newest = {channel: max(ledger.seqs_of(channel)) for channel in ("group", "bulk")}
        self.told = {user: len(items) for user, items in ledger.notified.items()}

    def close(self):
        """The request was answered, and all work has ended."""
        self.reacted = self.ledger.reacted
        self.doubted = {cell: [value for when, value in values if when > self.from_when]
                        for cell, values in self.ledger.values.items()}
        for cell, values in self.ledger.values.items():
            before = [value for when, value in values if when <= self.from_when]
            self.doubted[cell] += before[-1:]  # it may have been under way

    def allows(self, cell, value, otherwise=None):
        return value == self.known.get(cell, otherwise) or value in self.doubted.get(cell, [])

    def take_up_to(self, seqs):
        """The sends that a copy holds, whose channels end at these."""
        self.sent = {at: sent for at, sent in self.ledger.sent.items() if at[1] <= seqs[at[0]]}
        for channel, newest in self.newest.items():
            assert seqs[channel] >= newest, f"{channel} ends before what was acknowledged"

    def check_one_moment(self):
        """Whatever was answered before something in the copy was begun is in the copy."""
        last = max(sent.begun for sent in self.sent.values())
        for at, sent in self.ledger.sent.items():
            assert at in self.sent or sent.answered > last, f"{at} is missing, later ones are not"


async def copy_under_load(trial, path):
    """Asks for a copy amid the load; what the copy may hold."""
    trial.put_to_work()
    await trial.let_work(trial.rng.uniform(0.5, 1.5))
    admin = await signed_in(trial.server, "dev-admin:root")
    moment = Moment(trial.ledger)
    report = await admin.request("admin.backup", dir=str(path))
    assert report["dir"] == str(path) and report["lsn"] > 0
    sizes = [os.path.getsize(path / name) for name in contents(path)]
    assert 0 < report["bytes"] <= sum(sizes) and report["took_ms"] >= 0
    await trial.let_work(0.2)
    await trial.finish()
    await admin.close()
    moment.close()
    return moment


async def check_copy(trial, moment, copy):
    """Compares a hub on the copy with what the moment may hold."""
    for user in [*READERS, SENDERS[0]]:
        client = await signed_in(copy, f"dev:{user}", check=False)
        listed = {each["channel"]: each for each in (
            await client.request("channel.list"))["channels"]}
        moment.take_up_to({channel: each["seq"] for channel, each in listed.items()})
        moment.check_one_moment()
        found = set()
        for channel, summary in listed.items():
            messages = await all_messages(client, channel)
            moment.check_channel(summary, messages)
            found |= {(channel, each["seq"]) for each in messages
                      if each.get("text", DELETED).endswith("said")}
            if user in READERS:
                moment.check_reader(user, summary, messages)
        assert await found_by(client, "said") == (sorted(found), True)
        if user in READERS:
            items = await every_item(client)
            told = trial.ledger.notified[user]
            newest = told.index(items[0]["text"]) + 1
            assert newest >= moment.told.get(user, 0)
            assert [each["text"] for each in reversed(items)] == told[max(0, newest - 250):newest]
        await client.close()


@run
async def test_a_copy_under_load_is_one_moment_and_holds_what_was_acknowledged(home, tmp_path, rng):
    trial = Trial(home, rng)
    await trial.begin()
    moments = []
    for number in range(3):
        path = tmp_path / "copies" / f"{number}"
        moments.append((await copy_under_load(trial, path), Home(path)))
        for hand in trial.hands:
            hand.is_done = False
    people = await signed_in(trial.server, f"dev:{READERS[0]}")
    listed = (await people.request("channel.list"))["channels"]
    epochs = {each["channel"]: each["epoch"] for each in listed}
    for moment, copied in moments:
        copy = await asyncio.to_thread(copied.start, COMMIT)
        try:
            await check_copy(trial, moment, copy)
            assert moment.epochs.keys() == epochs.keys()
            assert not set(moment.epochs.values()) & set(epochs.values())
        finally:
            copy.kill()
    trial.server.assert_alive()


@run
async def test_a_copy_shows_everything_and_lives_a_life_of_its_own(tmp_path, rng):
    scene = await make(tmp_path, rng, "killed")
    original = Home(scene.path)
    server = await asyncio.to_thread(original.start, COMMIT)
    try:
        admin = await signed_in(server, "dev-admin:root")
        await admin.request("admin.backup", dir=str(tmp_path / "copy"))
        copied = Home(tmp_path / "copy")
        copy = await asyncio.to_thread(copied.start, COMMIT)
        assert differences(scene.seen, await survey(copy, USERS), ["epoch"]) == []
        ana, other = [await signed_in(each, "dev:ana") for each in (server, copy)]
        seq = (await summary_of(ana, "room"))["seq"]
        assert await say(ana, "room", "here") == await say(other, "room", "there") == [seq + 1]
        copy.kill()
        copy = await asyncio.to_thread(copied.start, COMMIT)
        other = await signed_in(copy, "dev:ana")
        messages = await all_messages(other, "room")
        assert [each["text"] for each in messages[-2:]] == ["the last of all", "there"]
    finally:
        for each in (server, copy):
            each.kill()


@run
async def test_positions_of_the_original_are_not_believed_by_a_copy_but_its_own_are(home, tmp_path):
    """The original may have gone on: what clients saw of it since is not in the copy."""
    server = home.start(COMMIT)
    owner, admin = [await signed_in(server, token) for token in ("dev:owner", "dev-admin:root")]
    await owner.request("channel.create", channel="room", kind="group")
    await say(owner, "room", "one", "two")
    await admin.request("admin.backup", dir=str(tmp_path / "copy"))
    original = await summary_of(owner, "room")
    copied = Home(tmp_path / "copy")
    copy = copied.start(COMMIT)
    try:
        owner = await signed_in(copy, "dev:owner")
        summary = await summary_of(owner, "room")
        for epoch, is_known in ((original["epoch"], False), (summary["epoch"], True)):
            reply = await owner.request(
                "subscribe", channel="room", since={"epoch": epoch, "seq": 1, "rev": 0})
            assert reply["recovered"] is is_known
            assert [each["text"] for each in reply["messages"]] == ["two"] * is_known
            assert (reply["epoch"], reply["seq"]) == (summary["epoch"], 2)
        copy.kill()
        copy = copied.start(COMMIT)
        owner = await signed_in(copy, "dev:owner")
        assert (await summary_of(owner, "room"))["epoch"] == summary["epoch"], "only once"
    finally:
        copy.kill()


@pytest.mark.parametrize("mode", MODES)
@run
async def test_every_mode_can_be_copied(home, tmp_path, mode):
    server = home.start(f"--durability={mode}")
    owner, admin = [await signed_in(server, token) for token in ("dev:owner", "dev-admin:root")]
    await owner.request("channel.create", channel="room", kind="group")
    await snapshot(admin)
    first = await owner.request("message.send", channel="room", text="one", key="k")
    await admin.request("admin.backup", dir=str(tmp_path / "copy"))
    epoch = (await summary_of(owner, "room"))["epoch"]
    copied = Home(tmp_path / "copy")
    copy = copied.start(f"--durability={mode}")
    try:
        owner = await signed_in(copy, "dev:owner")
        assert (await summary_of(owner, "room"))["epoch"] != epoch
        again = await owner.request("message.send", channel="room", text="x", key="k")
        assert (again["seq"], again["duplicate"]) == (first["seq"], True)
        assert [each["text"] for each in await all_messages(owner, "room")] == ["one"]
        assert await say(owner, "room", "two") == [2]
    finally:
        copy.kill()


@run
async def test_only_admins_copy_and_only_to_where_nothing_is(home, tmp_path):
    server = home.start(COMMIT)
    admin = await signed_in(server, "dev-admin:root")
    for token in ("dev:person", "dev-bot:robot"):
        client = await signed_in(server, token)
        await refused(client.request("admin.backup", dir=str(tmp_path / "copy")), "forbidden")
    occupied = tmp_path / "occupied"
    occupied.mkdir()
    (occupied / "file").write_text("mine")
    bad = [{"dir": path} for path in (
        "copy", "./copy", "../copy", "~/copy", "", f"{occupied}", f"{occupied}/file",
        f"{occupied}/file/copy", f"{tmp_path}/nul\0", "/proc/copy", f"{tmp_path}/{'x' * 5000}",
        7, None, True, [str(tmp_path / "copy")])] + [{}]
    for arguments in bad:
        error = await refused(
            admin.request("admin.backup", **arguments), "bad_request", "too_large")
        assert error.message
    await refused(admin.request("admin.backup", dir=str(home.path)), "conflict", "bad_request")
    assert sorted(os.listdir(tmp_path)) == ["data", "occupied"]
    assert contents(occupied) == {"file": b"mine"}
    for path in (tmp_path / "new" / "deep", tmp_path / "empty"):
        if path.name == "empty":
            path.mkdir()
        assert (await admin.request("admin.backup", dir=str(path)))["dir"] == str(path)
        await refused(admin.request("admin.backup", dir=str(path)), "bad_request")


@run
async def test_a_copy_that_was_interrupted_is_not_taken_for_a_whole_one(tmp_path, rng):
    scene = await make(tmp_path, rng, "killed")
    path = tmp_path / "copy"
    for _ in range(5):
        home = Home(scene.path)
        server = await asyncio.to_thread(home.start, COMMIT)
        admin = await signed_in(server, "dev-admin:root")
        await admin.begin("admin.backup", dir=str(path))
        await asyncio.sleep(rng.uniform(0, 0.1))  # clock: the kill is to fall into the copying
        server.kill()
        files = contents(path)
        attempt = await asyncio.to_thread(Home(path).attempt, COMMIT)
        try:
            if attempt.port is None:
                assert attempt.process.returncode == 78 and str(path) in attempt.said()
            elif files.keys() - {"lock"}:
                seen = await survey(attempt, USERS)
                differ = differences(scene.seen, seen, ["epoch"])
                assert not differ, (differ[:3], sorted(files), attempt.said())
        finally:
            if attempt.process.poll() is None:
                attempt.kill()
        shutil.rmtree(path, ignore_errors=True)


def hubctl(server, *arguments, cwd):
    return subprocess.run(
        [binary("hubctl"), *arguments, f"--url={server.url}"], capture_output=True, text=True,
        timeout=60, env=environment(), cwd=cwd)


@run
async def test_hubctl_has_a_hub_copied(home, tmp_path):
    server = home.start(COMMIT)
    owner = await signed_in(server, "dev:owner")
    await owner.request("channel.create", channel="room", kind="group")
    await say(owner, "room", "one", "two")
    before = await summary_of(owner, "room")
    await owner.close()
    for directory in ("relative", str(tmp_path / "absolute")):
        done = await asyncio.to_thread(
            hubctl, server, "backup", directory, "--json", "--token=dev-admin:root", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        assert report["dir"] == str(tmp_path / directory) and report["bytes"] > 0
        copied = Home(tmp_path / directory)
        copy = copied.start(COMMIT)
        try:
            owner = await signed_in(copy, "dev:owner")
            after = await summary_of(owner, "room")
            assert after == before | {"epoch": after["epoch"]}
        finally:
            copy.kill()
    said = await asyncio.to_thread(
        hubctl, server, "backup", "again", "--token=dev-admin:root", cwd=tmp_path)
    assert said.returncode == 0 and str(tmp_path / "again") in said.stdout
    for arguments, code in ((("relative", "--token=dev-admin:root"), 1), (("x",), 1), ((), 64)):
        done = await asyncio.to_thread(hubctl, server, "backup", *arguments, cwd=tmp_path)
        assert done.returncode == code and done.stderr and done.stdout == "", (arguments, done)
    assert not (tmp_path / "x").exists()
