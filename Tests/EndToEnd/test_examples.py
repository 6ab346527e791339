"""scripts/examples: the bots do what they are to show, whatever happens to the hub."""

import asyncio
import contextlib
import signal
import sys

import pytest

from client import refused
from home import home_fixture, signed_in, stop  # the fixture is `home`
from hub import CRASHES, DEADLINE, REPOSITORY, binary, environment, taken_port
from stage import run

KINDS = ["swift", "python"]
EACH = pytest.mark.parametrize("kind", KINDS)


async def started(kind, url, token, channel):
    script = str(REPOSITORY / "scripts" / "examples" / "python_bot.py")
    program = [binary("example-bot")] if kind == "swift" else [sys.executable, script]
    return await asyncio.create_subprocess_exec(
        *program, "--url", url, "--token", token, "--channel", channel, env=environment(),
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE)


async def ended(process):
    """How it ended, and what it said."""
    try:
        _, err = await asyncio.wait_for(process.communicate(), DEADLINE)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    err = err.decode()
    assert not any(word in err for word in (*CRASHES, "Traceback")), err
    return process.returncode, err


@contextlib.asynccontextmanager
async def bot_in(channel, kind, server, name, complains=False):
    """A bot that listens to the channel by now; it must end in order, without a complaint."""
    process = await started(kind, server.url, f"dev-bot:{name}", channel)
    try:
        async with asyncio.timeout(DEADLINE):
            while "is in" not in (line := (await process.stderr.readline()).decode()):
                assert line, "the bot ended"
        yield process
        assert process.returncode is None
        process.send_signal(signal.SIGTERM)
    except BaseException:
        process.kill()
        raise
    finally:
        status, err = await ended(process)
    assert status == 0 and (complains or not err), (status, err)


async def room_of(stage, kind="public"):
    """Somebody who follows a channel of their own, and a name for a bot in it."""
    ana = await stage.person()
    return ana, await stage.shared_room(ana, kind=kind), stage.name("bot")


async def asked(client, channel, text):
    """Says something; the event of the first answer to it."""
    sent = await client.request("message.send", channel=channel, text=text)
    return await client.expect("message", reply_to=sent["seq"])


@EACH
@run
async def test_who_joins_is_greeted_by_name_each_time(stage, kind):
    ana, room, name = await room_of(stage)
    ben = await stage.person("ben")
    await ben.request("user.update", name="Ben Smith")
    async with bot_in(room, kind, stage.hub, name):
        for _ in range(2):
            await ben.request("channel.join", channel=room)
            greeting = await ana.expect("message", user=name)
            assert (greeting["text"], greeting["bot"]) == ("Welcome, Ben Smith!", True)
            await ben.request("channel.leave", channel=room)
        await asked(ana, room, "!ping")
        assert [each["user"] for each in ana.events("message")] == [name, name, ana.user, name]


@EACH
@run
async def test_commands_are_answered_and_nothing_else(stage, kind):
    ana, room, name = await room_of(stage)
    async with bot_in(room, kind, stage.hub, name):
        for text in ("hello", "ping", "!unknown", "!pingpong", "! ping", "!", "say !ping"):
            await ana.request("message.send", channel=room, text=text)
        await ana.request("message.send", channel=room, data={"text": "!ping"})
        pong = await asked(ana, room, "!ping")
        assert (pong["user"], pong["text"], pong["bot"]) == (name, "pong", True)
        assert "!remind" in (await asked(ana, room, "!help"))["text"]
        assert len(ana.events("message", user=name)) == 2


@EACH
@run
async def test_a_reminder_comes_into_the_inbox_of_who_asked(stage, kind):
    ana, room, name = await room_of(stage)
    async with bot_in(room, kind, stage.hub, name):
        answer = await asked(ana, room, "!remind water the plants 🌱 at 8")
        item = (await ana.expect("inbox.added"))["item"]
        assert (item["type"], item["by"], item["text"]) == (
            "reminder", name, "water the plants 🌱 at 8")
        assert item["target"] == {"kind": "message", "id": f"{room}/{answer['reply_to']}"}
        assert "!remind TEXT" in (await asked(ana, room, "!remind"))["text"]
        await ana.nothing("inbox.added", item=lambda item: item["type"] == "reminder")


@run
async def test_two_bots_answer_each_other_until_8_hops_are_behind(stage):
    ana, room, swift = await room_of(stage)
    python = stage.name("bot")
    async with (bot_in(room, "swift", stage.hub, swift), bot_in(room, "python", stage.hub, python)):
        await ana.request("message.send", channel=room, text="!rally")
        for hops in range(9):
            for name in (swift, python):
                await ana.expect("message", user=name, text="!rally", data={"hops": hops})
        await ana.request("message.send", channel=room, text="!ping")
        for name in (swift, python):
            await ana.expect("message", user=name, text="pong")
        assert len(ana.events("message", text="!rally", bot=True)) == 18


@EACH
@run
async def test_bots_that_do_not_count_or_counted_to_8_get_no_answer(stage, kind):
    ana, room, name = await room_of(stage)
    other = await stage.bot()
    await other.request("channel.join", channel=room)
    await refused(other.request("message.send", channel=room, text="!ping", hops=9), "forbidden")
    async with bot_in(room, kind, stage.hub, name):
        for data in (None, {"hops": 8}, {"hops": "1"}, {"hops": 1.5}, {"hops": 10**15}, [1], "x"):
            await other.request("message.send", channel=room, text="!ping", data=data)
        assert (await asked(ana, room, "!ping"))["data"] == {"hops": 0}
        sent = await other.request("message.send", channel=room, text="!ping", data={"hops": 7})
        last = await ana.expect("message", user=name, data={"hops": 8})
        assert last["reply_to"] == sent["seq"]
        assert len(ana.events("message", user=name)) == 2


@EACH
@run
async def test_a_refusal_of_the_hub_is_no_end(stage, kind):
    """In a broadcast channel a follower may answer, but not greet."""
    ana, room, name = await room_of(stage, "broadcast")
    ben = await stage.person("ben")
    async with bot_in(room, kind, stage.hub, name) as process:
        await ben.request("channel.join", channel=room)
        said = await asyncio.wait_for(process.stderr.readline(), DEADLINE)
        assert b"forbidden" in said
        assert (await asked(ana, room, "!ping"))["user"] == name
        assert len(ana.events("message", user=name)) == 1


@EACH
@run
async def test_a_restart_in_the_middle_costs_no_answer_and_makes_none_twice(home, kind):
    first = home.start("--durability=commit")
    ana = await signed_in(first, "dev:ana")
    await ana.request("channel.create", channel="room", kind="public")
    await ana.request("subscribe", channel="room")
    async with bot_in("room", kind, first, "helper"):
        await asked(ana, "room", "!ping")
        for end in (first.kill, None):
            pings = [await ana.begin("message.send", channel="room", text="!ping")
                     for _ in range(30)]
            await asyncio.wait_for(pings[-1], DEADLINE)
            port = home.hubs[-1].port
            await (stop(home.hubs[-1]) if end is None else asyncio.to_thread(end))
            ana = await signed_in(home.start("--durability=commit", f"--port={port}"), "dev:ana")
            await ana.request("subscribe", channel="room")
            await asked(ana, "room", "!ping")
        page = await ana.request("message.history", channel="room", before=2**40, limit=100)
        more = await ana.request(
            "message.history", channel="room", before=page["messages"][0]["seq"], limit=100)
        messages = more["messages"] + page["messages"]
        pings = [each["seq"] for each in messages if each["user"] == "ana"]
        pongs = [each["reply_to"] for each in messages if each["user"] == "helper"]
        assert len(pings) == 63 and sorted(pongs) == pings


@EACH
@run
async def test_a_bot_that_stood_still_goes_on_and_answers_nothing_twice(stage, kind):
    """More was said meanwhile than the hub keeps for it, or brings it afterwards."""
    ana, room, name = await room_of(stage)
    async with bot_in(room, kind, stage.hub, name, complains=True) as process:
        await asked(ana, room, "!ping")
        process.send_signal(signal.SIGSTOP)
        for _ in range(20):
            await ana.many("message.send", [{"channel": room, "data": "y" * 100_000}] * 9)
            await ana.request("message.send", channel=room, text="!ping")
        process.send_signal(signal.SIGCONT)
        await until_answered(ana, room)
        answered = [each["reply_to"] for each in ana.events("message", user=name)]
        assert len(set(answered)) == len(answered)


async def until_answered(client, channel):
    for _ in range(100):
        sent = await client.request("message.send", channel=channel, text="!ping")
        with contextlib.suppress(AssertionError):
            return await client.expect("message", within=0.3, reply_to=sent["seq"])
    raise AssertionError("the bot answers no more")


@EACH
@run
async def test_what_is_wrong_is_said(stage, kind):
    _, room, name = await room_of(stage)
    with taken_port() as port:
        pass
    nowhere = f"ws://127.0.0.1:{port}"
    for url, token, channel, status, word in (
            (nowhere, f"dev-bot:{name}", room, 69, str(port)),
            (stage.hub.url, "dev-bot:two words", room, 77, "unauthenticated"),
            (stage.hub.url, f"dev-bot:{name}", stage.name("missing"), 1, "not_found")):
        found, err = await ended(await started(kind, url, token, channel))
        assert found == status and word in err and len(err.split()) > 3, (found, err)
