"""What each durability promises: which ends of a hub keep epochs, and what they may cost."""

import itertools

import pytest

from chat import all_messages
from client import refused
from home import DEV, home_fixture, signed_in, snapshot, stop  # the fixture is `home`
from hub import run_hub
from stage import run, say, summary_of

MODES = ("commit", "interval", "none")
ENDS = ("stopped", "killed", "machine crashed")
OTHER_BOOT = "00000000-0000-4000-8000-000000000000"


def in_mode(mode):
    return f"--durability={mode}"


async def end(home, how):
    """Ends the last hub. A crash of the machine is a kill, and another boot since than the hub
    noted when it began."""
    if how == "stopped":
        await stop(home.hubs[-1])
        return
    home.hubs[-1].kill()
    if how == "machine crashed":
        running = home.file("running")
        boot = running.read_text().split()[-1]
        assert len(boot) == len(OTHER_BOOT) and boot != OTHER_BOOT
        running.write_text(running.read_text().replace(boot, OTHER_BOOT))


def keeps_epochs(mode, how):
    if how == "stopped" or mode == "commit":
        return True
    return mode == "interval" and how == "killed"


async def look(server):
    """Where the room stands, and what is in it."""
    owner = await signed_in(server, "dev:owner")
    summary = await summary_of(owner, "room")
    messages = await all_messages(owner, "room")
    assert [each["seq"] for each in messages] == list(range(1, summary["seq"] + 1))
    await owner.close()
    return summary["epoch"], [each["text"] for each in messages]


async def write(server, *texts):
    owner = await signed_in(server, "dev:owner")
    await say(owner, "room", *texts)
    await owner.close()


async def begun(home, *flags):
    """A first hub with a room on disk."""
    server = home.start(*flags)
    owner = await signed_in(server, "dev:owner")
    await owner.request("channel.create", channel="room", kind="group")
    admin = await signed_in(server, "dev-admin:root")
    await snapshot(admin)
    await admin.close()
    await owner.close()
    return server


async def assert_ended_well(home, mode, how, next_mode, epoch, at_start, now):
    """Starts the next hub and holds what it has against what the one before promised."""
    server = home.start(in_mode(next_mode))
    next_epoch, texts = await look(server)
    what = f"{mode}, {how}, then {next_mode}: {server.stderr()}"
    if keeps_epochs(mode, how):
        assert next_epoch == epoch, f"another epoch; {what}"
        assert texts == now, f"{texts} instead of {now}; {what}"
    else:
        assert next_epoch != epoch, f"the epoch was kept; {what}"
        assert texts == now[:len(texts)] and len(texts) >= len(at_start), f"{texts}, {what}"
    return server, next_epoch, texts


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("mode", MODES)
@run
async def test_a_mode_keeps_what_it_promises(home, mode, how):
    server = await begun(home, in_mode(mode))
    epoch, at_start = await look(server)
    await write(server, "one", "two", "three")
    _, now = await look(server)
    await end(home, how)
    await assert_ended_well(home, mode, how, mode, epoch, at_start, now)


@run
async def test_commit_is_the_default(home):
    home.flags = [flag for flag in DEV if "durability" not in flag]
    server = await begun(home)
    await write(server, "one", "two")
    before = await look(server)
    await end(home, "machine crashed")
    assert await look(home.start()) == before


def pairs_in_a_row(symbols, rng):
    """A walk in which every symbol follows every symbol once."""
    ahead = {each: rng.sample(symbols, len(symbols)) for each in symbols}
    walk, path = [], [symbols[0]]
    while path:
        if ahead[path[-1]]:
            path.append(ahead[path[-1]].pop())
        else:
            walk.append(path.pop())
    return walk[::-1]


@run
async def test_modes_follow_each_other_and_each_keeps_what_it_promised(home, rng):
    runs = list(itertools.product(MODES, ENDS))
    walk = pairs_in_a_row(runs, rng)
    assert set(itertools.pairwise(walk)) == set(itertools.product(runs, runs))
    server = await begun(home, in_mode(walk[0][0]))
    epoch, texts = await look(server)
    for (mode, how), (next_mode, _) in itertools.pairwise(walk):
        now = [*texts, f"{len(texts)} in {mode}", f"{len(texts) + 1} then {how}"]
        await write(server, *now[-2:])
        await end(home, how)
        server, epoch, texts = await assert_ended_well(
            home, mode, how, next_mode, epoch, texts, now)


@run
async def test_a_resumption_believes_an_epoch_and_only_that(home):
    server = await begun(home, in_mode("commit"))
    await write(server, "one", "two")
    epoch, _ = await look(server)
    since = {"epoch": epoch, "seq": 1, "rev": 0}
    await end(home, "machine crashed")
    owner = await signed_in(home.start(in_mode("interval")), "dev:owner")
    ok = await owner.request("subscribe", channel="room", since=since)
    assert ok["recovered"] and [each["text"] for each in ok["messages"]] == ["two"]
    await end(home, "machine crashed")
    owner = await signed_in(home.start(in_mode("commit")), "dev:owner")
    ok = await owner.request("subscribe", channel="room", since=since)
    assert (ok["recovered"], ok["messages"], ok["seq"]) == (False, [], 2)


@pytest.mark.parametrize("mode", MODES)
@run
async def test_a_second_hub_on_the_directory_refuses_and_does_no_harm(home, mode):
    server = await begun(home, in_mode("commit"))
    await write(server, "one")
    for flags in ([], ["--accept-data-loss"]):
        second = run_hub(*home.flags, f"--data-dir={home.path}", in_mode(mode), *flags)
        assert second.returncode != 0 and second.stdout == ""
        assert "another hub is running" in second.stderr and str(home.path.name) in second.stderr
    await write(server, "two")
    before = await look(server)
    await end(home, "killed")
    assert await look(home.start(in_mode("commit"))) == before


@run
async def test_a_data_directory_needs_no_write_to_keep_its_epochs(home):
    await begun(home, in_mode("commit"))
    before = await look(home.hubs[-1])
    for how in ("killed", "killed", "stopped", "stopped", "machine crashed"):
        await end(home, how)
        assert await look(home.start(in_mode("commit"))) == before
    owner = await signed_in(home.hubs[-1], "dev:owner")
    await refused(owner.request("channel.create", channel="room", kind="group"), "already_exists")
