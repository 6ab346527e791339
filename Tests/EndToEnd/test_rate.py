"""Over the rate: `rate_limited`, not executed; 4429 after ten seconds of excess."""

import asyncio
import time

from websockets.exceptions import ConnectionClosed

from client import HubError, answer
from stage import run

HUB_FLAGS = {"rate-limit": 5}


async def outcomes(client, op, arguments):
    """For each of many requests at once: None when it was carried out, else its error."""
    results = []
    for reply in [await client.begin(op, **each) for each in arguments]:
        try:
            await answer(reply)
            results.append(None)
        except HubError as error:
            results.append(error)
    return results


@run
async def test_hello_tells_the_rate(stage):
    ana = await stage.person()
    assert ana.welcome["limits"]["requests_per_s"] == 5


@run
async def test_what_is_over_the_rate_is_refused_and_not_carried_out(stage):
    ana, watcher = await stage.people("ana", "watcher")
    room = stage.name("room")
    await ana.request("channel.create", channel=room, kind="public")
    await watcher.request("subscribe", channel=room)
    results = await outcomes(
        ana, "message.send", [{"channel": room, "text": f"{n}"} for n in range(60)])
    errors = [error for error in results if error]
    done = [f"{n}" for n, error in enumerate(results) if error is None]
    assert done and len(errors) >= 40
    assert {error.code for error in errors} == {"rate_limited"}
    assert all(error.retry_after_ms > 0 for error in errors)
    await watcher.expect("message", seq=len(done))
    await watcher.nothing("message", seq=lambda seq: seq > len(done))
    assert [event["text"] for event in watcher.events("message")] == done


@run
async def test_a_neighbour_has_a_rate_of_its_own(stage):
    ana, ben = await stage.people("ana", "ben")
    assert any(await outcomes(ana, "ping", [{}] * 60))
    assert await outcomes(ben, "ping", [{}] * 3) == [None] * 3


@run
async def test_ten_seconds_of_excess_close_4429(stage):
    ana = await stage.person()
    start = time.monotonic()
    while not ana.reader.done() and time.monotonic() - start < 60:
        try:
            await outcomes(ana, "ping", [{}] * 10)
        except (AssertionError, ConnectionClosed):
            break
        await asyncio.sleep(0.1)  # clock: the excess has to last
    assert await ana.closed() == 4429
    assert time.monotonic() - start > 6
