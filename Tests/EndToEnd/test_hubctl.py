"""hubctl: a person at the command line, among others."""

import asyncio
import contextlib
import json

from client import compact
from conversation import LINES
from hub import CRASHES, DEADLINE, binary, environment, taken_port
from stage import run


def command(url, user, *arguments):
    """A hubctl command line, options last."""
    return [binary("hubctl"), *arguments, "--url", url, "--token", f"dev:{user}"]


async def hubctl(url, user, *arguments):
    """Runs a command to its end: exit status, standard output, standard error."""
    process = await asyncio.create_subprocess_exec(
        *command(url, user, *arguments), env=environment(),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    try:
        out, err = await asyncio.wait_for(process.communicate(), DEADLINE * 2)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    out, err = out.decode(), err.decode()
    assert not any(word in err for word in CRASHES), err
    return process.returncode, out, err


async def succeeded(url, user, *arguments):
    status, out, err = await hubctl(url, user, *arguments)
    assert status == 0, (out, err)
    return out


class Tail:
    """A running `hubctl tail`, read line by line."""

    def __init__(self, process):
        self.process = process

    @classmethod
    @contextlib.asynccontextmanager
    async def of(cls, url, user, *arguments):
        process = await asyncio.create_subprocess_exec(
            *command(url, user, "tail", *arguments), env=environment(), limit=2**21,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
        try:
            yield cls(process)
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def line(self, within=DEADLINE):
        line = await asyncio.wait_for(self.process.stdout.readline(), within)
        assert line.endswith(b"\n"), f"tail ended with {line!r}"
        return line.decode().removesuffix("\n")

    async def line_with(self, text):
        while text not in (line := await self.line()):
            pass
        return line

    async def message(self):
        """The next message event, of a tail with --json."""
        while (event := json.loads(await self.line())).get("ev") != "message":
            pass
        return event

    async def until_following(self, client, channel):
        """Knocks until the tail prints one of the knocks, then lets it print the others too."""
        knocks = 0
        while True:
            knocks += 1
            await client.request("message.send", channel=channel, text=f"knock {knocks}")
            with contextlib.suppress(TimeoutError):
                line = await self.line(within=0.3)
                break
            assert knocks < 100, "tail never printed a message"
        if f"knock {knocks}" not in line:
            await self.line_with(f"knock {knocks}")


async def room_with(stage, *users):
    """Somebody's channel with people in it who only use the command line."""
    ana = await stage.person()
    for user in users:
        await (await stage.signed_in(f"dev:{user}")).close()
    room = stage.name("room")
    await ana.request("channel.create", channel=room, kind="group", members=list(users))
    await ana.request("subscribe", channel=room)
    return ana, room


@run
async def test_what_is_sent_arrives_and_is_told_as_json(stage):
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    out = await succeeded(stage.hub.url, me, "send", room, "hello from the shell 👩‍👩‍👧", "--json")
    event = await ana.expect("message")
    assert (event["user"], event["text"]) == (me, "hello from the shell 👩‍👩‍👧")
    assert '"seq"' in compact(json.loads(out))
    await succeeded(stage.hub.url, me, "send", room, "without json")
    assert (await ana.expect("message"))["text"] == "without json"


@run
async def test_tail_prints_live_events_as_json_byte_for_byte(stage):
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    async with Tail.of(stage.hub.url, me, room, "--json") as tail:
        await tail.until_following(ana, room)
        for _, text, _ in LINES:
            if text is not None:
                await ana.request("message.send", channel=room, text=text)
                event = await tail.message()
                assert (event["channel"], event["user"]) == (room, ana.user)
                assert event["text"].encode() == text.encode()


@run
async def test_tail_prints_one_line_for_each_message(stage):
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    async with Tail.of(stage.hub.url, me, room) as tail:
        await tail.until_following(ana, room)
        for text in ("one", "two", "שלום 👋"):
            await ana.request("message.send", channel=room, text=text)
            assert ana.user in await tail.line_with(text)


@run
async def test_tail_follows_several_channels(stage):
    me = stage.name("me")
    ana, one = await room_with(stage, me)
    ben, two = await room_with(stage, me)
    async with Tail.of(stage.hub.url, me, one, two, "--json") as tail:
        await tail.until_following(ana, one)
        await tail.until_following(ben, two)
        await ana.request("message.send", channel=one, text="in the first")
        assert (await tail.message())["channel"] == one
        await ben.request("message.send", channel=two, text="in the second")
        assert (await tail.message())["channel"] == two


@run
async def test_people_at_the_command_line_hold_a_conversation(stage):
    me, you = stage.name("me"), stage.name("you")
    ana, room = await room_with(stage, me, you)
    short = [text for _, text, _ in LINES if text and len(text) < 300 and "\u0001" not in text]
    async with Tail.of(stage.hub.url, you, room, "--json") as tail:
        await tail.until_following(ana, room)
        await ana.settle()
        for text in short[:8]:
            await succeeded(stage.hub.url, me, "send", room, text)
            event = await tail.message()
            assert (event["user"], event["text"]) == (me, text)
            assert (await ana.expect("message", seq=event["seq"]))["text"] == text


@run
async def test_channels_lists_what_one_is_in(stage):
    me = stage.name("me")
    _, one = await room_with(stage, me)
    _, two = await room_with(stage, me)
    _, others = await room_with(stage)
    shown = await succeeded(stage.hub.url, me, "channels")
    told = await succeeded(stage.hub.url, me, "channels", "--json")
    for out in (shown, told):
        assert one in out and two in out and others not in out
    parsed_json(told)


def parsed_json(out):
    """One JSON value, or one on each line: the contract leaves it open."""
    try:
        return [json.loads(out)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in out.splitlines()]


def assert_helpful(status, err, *words):
    assert status != 0
    assert len(err.split()) >= 3, f"no sentence: {err!r}"
    assert any(word.lower() in err.lower() for word in words), err


@run
async def test_an_unknown_channel_is_explained(stage):
    me, channel = stage.name("me"), stage.name("missing")
    for arguments in (("send", channel, "x"), ("tail", channel)):
        for options in ((), ("--json",)):
            status, _, err = await hubctl(stage.hub.url, me, *arguments, *options)
            assert_helpful(status, err, channel, "not_found", "not found")


@run
async def test_a_bad_token_is_explained(stage):
    status, _, err = await hubctl(stage.hub.url, "two words", "channels")
    assert_helpful(status, err, "token", "unauthenticated")


@run
async def test_a_hub_that_is_not_running_is_explained():
    with taken_port() as port:
        pass
    for arguments in (("send", "x", "y"), ("tail", "x"), ("channels",)):
        status, _, err = await hubctl(f"ws://127.0.0.1:{port}", "me", *arguments)
        assert_helpful(status, err, str(port))
