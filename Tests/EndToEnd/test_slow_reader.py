"""A subscriber that stops reading is closed; the others and the hub's memory do not suffer."""

import json

from stage import run, seqs
from wire import CLOSE, Wire, frame

MESSAGES = 600
SIZE = 100_000
GROWTH = 48 * 1024 * 1024  # far below the 60 MB that were sent, far above any bounded queue


def follow_without_reading(hub, user, channel):
    """A connection that subscribes and then lets its events pile up."""
    wire = Wire(hub.port, receive_buffer=4096)
    assert wire.upgrade()[0] == 101
    wire.ask("hello", token=f"dev:{user}")
    wire.ask("subscribe", channel=channel)
    return wire


def read_to_the_end(wire):
    """The messages that still came, and the code of the close behind them."""
    received = []
    while True:
        opcode, payload = wire.read_data()
        if opcode == CLOSE:
            return received, int.from_bytes(payload[:2], "big")
        received.append(json.loads(payload))


async def publish(client, channel):
    for number in range(1, MESSAGES + 1):
        reply = await client.request("message.send", channel=channel, data=f"{number:x<{SIZE}}")
        assert reply["seq"] == number


@run
async def test_who_stops_reading_is_closed_4413_and_others_lose_nothing(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind="public")
    await ben.request("subscribe", channel=channel)
    before = stage.hub.resident_bytes()
    with follow_without_reading(stage.hub, stage.name("slow"), channel) as slow:
        await publish(ana, channel)
        grown = stage.hub.resident_bytes() - before
        received, code = read_to_the_end(slow)
    assert code == 4413
    got = seqs(event for event in received if event.get("ev") == "message")
    assert got == list(range(1, len(got) + 1)) and len(got) < MESSAGES
    await ben.expect("message", seq=MESSAGES)
    assert seqs(ben.events("message")) == list(range(1, MESSAGES + 1))
    assert grown < GROWTH, f"{grown >> 20} MiB"


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
