"""Readers that do not keep up: what waits for them is bounded, what they miss they are told, and
only who takes nothing for ten seconds is closed. Nobody else suffers."""

import asyncio
import itertools
import json
import pathlib
import re
import time

from stage import run, say, seqs
from wire import CLOSE, Wire, frame

MESSAGES = 400
SIZE = 100_000
GROWTH = 24 * 1024 * 1024  # far below the 40 MB that were sent, far above any bounded queue
SHORT, LONG = "x" * 200, "x" * 2000
STALL = 10  # seconds after which a reader that takes nothing is given up


def follow(hub, user, channel, receive_buffer=4096):
    """A connection that has subscribed and is not read from by itself; and the answer."""
    wire = Wire(hub.port, receive_buffer=receive_buffer)
    assert wire.upgrade()[0] == 101
    wire.ask("hello", token=f"dev:{user}")
    return wire, wire.ask("subscribe", channel=channel)


def read_to_the_end(wire):
    """The messages that still came, and the code of the close behind them."""
    received = []
    while True:
        opcode, payload = wire.read_data()
        if opcode == CLOSE:
            return received, int.from_bytes(payload[:2], "big")
        received.append(json.loads(payload))


def unsent(wire):
    """Bytes that the system still holds for the hub, because the reader has not taken them."""
    ends = rf": \w+:{wire.port:04X} \w+:{wire.socket.getsockname()[1]:04X} \w\w (\w+):"
    return int(re.search(ends, pathlib.Path("/proc/net/tcp").read_text()).group(1), 16)


async def fill(client, channel, wire):
    """Sends long messages until the system takes no more of them for the reader; how many."""
    sent, before = 0, 0
    for count in itertools.cycle(range(15, 25)):  # so that what goes does not equal what comes
        sent = (await say(client, channel, *[LONG] * count))[-1]
        before, same = unsent(wire), before
        if before == same > 0:
            return sent


async def publish(client, channel):
    for number in range(1, MESSAGES + 1):
        reply = await client.request("message.send", channel=channel, data=f"{number:x<{SIZE}}")
        assert reply["seq"] == number


class Follower:
    """Keeps its picture of a channel whole: takes events in order, and asks for what a gap says
    that it missed."""

    def __init__(self, wire, channel, position):
        self.wire, self.channel, self.epoch = wire, channel, position["epoch"]
        self.seq, self.rev = position["seq"], position["rev"]
        self.texts = {}
        self.gaps = []
        self.asked = {}
        self.number = 1000

    def read_until(self, text):
        """Reads until the message with that text has come and nothing asked is unanswered."""
        while text not in self.texts.values() or self.asked:
            self.take(self.wire.read_json())

    def take(self, frame):
        ev = frame.get("ev")
        if frame.get("id") in self.asked:
            self.recover(frame["ok"], self.asked.pop(frame["id"]))
        elif ev == "message":
            assert frame["seq"] == self.seq + 1, f"after {self.seq}: {frame}"
            self.seq = frame["seq"]
            self.texts[self.seq] = frame["text"]
        elif ev == "message.updated":
            assert self.rev in (None, frame["rev"] - 1), f"after rev {self.rev}: {frame}"
            self.rev = frame["rev"]
            self.texts[frame["seq"]] = frame["text"]
        elif ev == "gap" and frame.get("channel") == self.channel:
            self.miss(frame)

    def miss(self, gap):
        assert gap["from"] == self.seq + 1 and gap["to"] >= self.seq, f"after {self.seq}: {gap}"
        assert self.rev in (None, gap["rev"]), f"after rev {self.rev}: {gap}"
        self.gaps.append(gap)
        self.seq, self.rev = gap["to"], None
        self.number += 1
        self.asked[self.number] = gap
        since = {"epoch": self.epoch, "seq": gap["from"] - 1, "rev": gap["rev"]}
        ask = {"id": self.number, "op": "subscribe", "channel": self.channel, "since": since}
        self.wire.send(frame(json.dumps(ask)))

    def recover(self, reply, gap):
        assert reply["recovered"], f"{gap}: {reply['seq']}"
        assert reply["seq"] == self.seq, f"at {self.seq}: {reply['seq']}"
        assert seqs(reply["messages"]) == list(range(gap["from"], self.seq + 1))
        for message in reply["messages"] + reply["changed"]:
            self.texts[message["seq"]] = message["text"]
        self.rev = reply["rev"]


@run
async def test_a_stalled_reader_costs_little_and_is_told_what_it_missed(stage):
    ana, ben = await stage.people("ana", "ben")
    await publish(ana, await stage.room(ana))  # so that what history takes is taken already
    channel = await stage.room(ana, ben, kind="public")
    await ben.request("subscribe", channel=channel)
    before = stage.hub.resident_bytes()
    slow, _ = follow(stage.hub, stage.name("slow"), channel)
    with slow:
        await publish(ana, channel)
        grown = stage.hub.resident_bytes() - before
        events = []
        while not events or events[-1]["ev"] != "gap":
            events.append(slow.read_json())
    got = seqs(event for event in events if event["ev"] == "message")
    assert got == list(range(1, len(got) + 1))
    gap = {"ev": "gap", "channel": channel, "from": len(got) + 1, "to": MESSAGES, "rev": 0}
    assert events[-1] == gap
    await ben.expect("message", seq=MESSAGES)
    assert seqs(ben.events("message")) == list(range(1, MESSAGES + 1))
    assert grown < GROWTH, f"{grown >> 20} MiB"


@run
async def test_who_takes_nothing_for_ten_seconds_is_closed_and_can_resume(stage):
    ana = await stage.person()
    channel = await stage.room(ana, kind="public")
    user = stage.name("slow")
    slow, position = follow(stage.hub, user, channel)
    with slow:
        await fill(ana, channel, slow)
        last = (await say(ana, channel, *[SHORT] * 100))[-1]
        # clock: the hub gives the reader ten seconds, and its close frame five to be taken
        await asyncio.sleep(STALL + 1.5)  # clock: as said above
        received, code = await asyncio.to_thread(read_to_the_end, slow)
    assert code == 4413
    got = seqs(event for event in received if event["ev"] == "message")
    assert got == list(range(1, len(got) + 1)) and len(got) < last
    back = await stage.signed_in(f"dev:{user}")
    since = {"epoch": position["epoch"], "seq": len(got)}
    reply = await back.request("subscribe", channel=channel, since=since)
    assert reply["recovered"]
    assert got + seqs(reply["messages"]) == list(range(1, last + 1))


@run
async def test_a_reader_that_pauses_ends_with_everything(stage):
    ana = await stage.person()
    channel = await stage.room(ana, kind="public")
    slow, position = follow(stage.hub, stage.name("slow"), channel)
    follower = Follower(slow, channel, position)
    expected = {}

    async def send(*texts):
        for seq, text in zip(await say(ana, channel, *texts), texts, strict=True):
            expected[seq] = text

    async def edit(text):
        seq = max(expected) - len(expected) % 7
        await ana.request("message.edit", channel=channel, seq=seq, text=text)
        expected[seq] = text

    with slow:
        for seq in range(1, await fill(ana, channel, slow) + 1):
            expected[seq] = LONG
        # More than the hub keeps, but no more than one recovery brings.
        for number in range(66):
            await send(*[f"{number} {SHORT}"] * 50)
            await edit(f"edited {number}")
        reading = asyncio.create_task(asyncio.to_thread(follower.read_until, "the last"))
        for number in range(20):
            await send(*[f"late {number} {SHORT}"] * 5)
            await edit(f"edited late {number}")
        await send("the last")
        await reading
    assert follower.gaps
    assert follower.texts == expected


@run
async def test_who_takes_a_little_at_a_time_is_never_closed(stage):
    ana = await stage.person()
    channel = await stage.room(ana, kind="public")
    slow, position = follow(stage.hub, stage.name("slow"), channel, receive_buffer=65536)
    follower = Follower(slow, channel, position)
    with slow:
        last = await fill(ana, channel, slow)
        begin = time.monotonic()
        while time.monotonic() - begin < STALL + 2.5:
            slow.buffer += slow.socket.recv(4096)
            await asyncio.sleep(0.25)  # clock: this reader is slow, and that is the point
        await asyncio.to_thread(follower.read_until, LONG)
        [last] = await say(ana, channel, "the last")
        await asyncio.to_thread(follower.read_until, "the last")
    assert sorted(follower.texts) == list(range(1, last + 1))


@run
async def test_who_asks_and_never_reads_the_answers_does_not_fill_the_memory(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    for _ in range(8):
        await ana.request("message.send", channel=channel, data="x" * 100_000)
    before = stage.hub.resident_bytes()
    asking = Wire(stage.hub.port, receive_buffer=4096)
    with asking:
        assert asking.upgrade()[0] == 101
        asking.ask("hello", token=f"dev:{ana.user}")
        history = {"id": 1, "op": "message.history", "channel": channel, "before": 9, "limit": 5}
        asking.socket.settimeout(3)
        try:
            for _ in range(2000):
                asking.send(frame(json.dumps(history)))
        except (TimeoutError, ConnectionError):
            pass  # the hub stopped reading, or ended the connection
        await ana.ping()
        assert stage.hub.resident_bytes() - before < GROWTH


@run
async def test_who_asks_for_much_at_once_and_reads_late_gets_every_answer(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    for _ in range(4):
        await ana.request("message.send", channel=channel, data="x" * 90_000)
    asking = Wire(stage.hub.port)
    with asking:
        assert asking.upgrade()[0] == 101
        asking.ask("hello", token=f"dev:{ana.user}")
        history = {"op": "message.history", "channel": channel, "before": 9}
        asks = [{**history, "id": number} for number in range(1, 61)]
        asking.send(b"".join(frame(json.dumps(ask)) for ask in asks))
        # The hub has long filled the socket when ana's pings are answered.
        for _ in range(50):
            await ana.ping()
        replies = (asking.read_json() for _ in asks)
        assert [reply["id"] for reply in replies] == [ask["id"] for ask in asks]


@run
async def test_a_burst_behind_a_refused_hello_does_not_hold_up_a_neighbour(stage):
    ana = await stage.person()
    for _ in range(3):
        with Wire(stage.hub.port) as burst:
            assert burst.upgrade()[0] == 101
            hello = frame(json.dumps({"id": 1, "op": "hello", "token": "nobody"}))
            burst.send(hello + frame("{}") * 20_000)
            await ana.ping()
            assert burst.close_code() == 4500
