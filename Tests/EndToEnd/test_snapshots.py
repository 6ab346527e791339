"""What a hub leaves in its data directory when it stops or is killed, and finds there again."""

import os
import signal

from client import refused
from home import DEV, home_fixture, room_with, signed_in, snapshot, stop, until  # `home`
from hub import run_hub
from stage import run, say, summary_of


@run
async def test_a_killed_hub_comes_back_as_its_newest_snapshot_with_new_epochs(home):
    first = home.start()
    owner = await room_with(first, "one", "two")
    before = home.snapshots()
    first.process.send_signal(signal.SIGUSR1)
    await until(owner, lambda: home.snapshots() != before)
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
    before = home.snapshots()
    for token in ("dev:person", "dev-bot:robot"):
        client = await signed_in(server, token)
        await refused(client.request("admin.snapshot"), "forbidden")
        await client.close()
    assert home.snapshots() == before


@run
async def test_two_generations_are_kept(home):
    server = home.start()
    admin = await signed_in(server, "dev-admin:root")
    files = [(await snapshot(admin))["file"] for _ in range(4)]
    assert files == sorted(set(files))
    assert [str(home.file(name)) for name in home.snapshots()] == files[-2:]
    await admin.close()


async def two_snapshots(home, *flags):
    """One with one message, one with two, and the hub stopped; their names, and the epoch."""
    server = home.start(*flags)
    owner = await room_with(server, "one")
    admin = await signed_in(server, "dev-admin:root")
    await snapshot(admin)
    await say(owner, "room", "two")
    epoch = (await summary_of(owner, "room"))["epoch"]
    await stop(server)
    return *home.snapshots(), epoch


async def owners_room(server):
    owner = await signed_in(server, "dev:owner")
    summary = await summary_of(owner, "room")
    await owner.close()
    return summary["seq"], summary["epoch"]


@run
async def test_a_corrupt_newest_snapshot_is_set_aside_and_the_journal_replayed(home):
    older, newest, epoch = await two_snapshots(home, "--durability=commit")
    home.damage(newest)
    server = home.start("--durability=commit")
    said = server.stderr().replace("\\/", "/")
    assert f"{home.file(newest)}: damaged at byte" in said
    assert older in home.snapshots() and f"{newest}.bad" in home.snapshots()
    assert await owners_room(server) == (2, epoch)


@run
async def test_without_a_journal_a_corrupt_newest_snapshot_is_refused_unless_loss_is_accepted(
        home):
    _, newest, epoch = await two_snapshots(home)
    home.damage(newest)
    said = home.refuses()
    assert "--accept-data-loss" in said
    assert f"{home.file(newest)}: damaged at byte" in said
    server = home.start("--accept-data-loss")
    assert f"{newest}.bad" in home.snapshots()
    seq, later = await owners_room(server)
    assert seq == 1 and later != epoch


@run
async def test_without_a_readable_snapshot_it_refuses_unless_loss_is_accepted(home):
    *names, _ = await two_snapshots(home)
    for name in names:
        home.damage(name)
    said = home.refuses()
    assert all(f"{home.file(name)}: damaged at byte" in said for name in names)
    assert "--accept-data-loss" in said
    server = home.start("--accept-data-loss")
    owner = await signed_in(server, "dev:owner")
    await refused(owner.request("channel.get", channel="room"), "not_found")
    assert {f"{name}.bad" for name in names} <= set(home.snapshots())
    assert not set(names) & set(home.snapshots())
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
    _, newest, _ = await two_snapshots(home)
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
    assert home.snapshots() and not home.file("snapshot.tmp").exists()
    assert all(home.file(name).read_bytes() != b"half" for name in home.snapshots())
