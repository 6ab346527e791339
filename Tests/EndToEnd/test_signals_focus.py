"""Signals, which are never stored, and what a person looks at."""

import pytest

from chat import history, nothing_changes, nothing_told, open_direct
from client import refused
from stage import run, say, summary_of
from text import raw_at

DATA = '{ "b" : 1.0,"a":[1e400 , "\\u00e9\\/" ],"a":-0 }'


@pytest.mark.parametrize("kind", ["group", "public", "broadcast", "direct"])
@run
async def test_a_signal_reaches_subscribers_and_is_not_kept(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await open_direct(ana, ben) if kind == "direct" else \
        await stage.room(ana, ben, kind=kind)
    idle = await stage.again(ana)
    for client in (ana, ben):
        await client.request("subscribe", channel=channel)
    before = await summary_of(ana, channel)
    data = {"x": 1, "y": [2]}
    assert await ben.request("signal", channel=channel, name="cursor", data=data) == {}
    for client in (ana, ben):
        assert await client.expect("signal") == {
            "ev": "signal", "channel": channel, "user": ben.user, "name": "cursor", "data": data}
    await idle.nothing("signal")
    await ana.request("signal", channel=channel, name="cursor")
    assert await ben.expect("signal") == {
        "ev": "signal", "channel": channel, "user": ana.user, "name": "cursor"}
    assert await summary_of(ana, channel) == before
    assert await history(ana, channel) == []


@run
async def test_strangers_hear_the_signals_of_an_open_channel_and_send_none(stage):
    ana, stranger = await stage.people("ana", "stranger")
    channel = await stage.shared_room(ana, kind="public")
    await stranger.request("subscribe", channel=channel)
    await ana.request("signal", channel=channel, name="x")
    await stranger.expect("signal")
    await refused(stranger.request("signal", channel=channel, name="x"), "not_member")
    await ana.expect("signal")
    await ana.nothing("signal")


@run
async def test_the_data_of_a_signal_comes_byte_for_byte(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    for data in (DATA, "0", '""', "[]", "{}", "false", "[" * 32 + "]" * 32):
        await ben.request_raw("signal", f'"channel":"{channel}","name":"é👍","data" : {data} ')
        event = await ana.expect("signal")
        assert (raw_at(event.raw, "data"), event["name"]) == (data, "é👍")


@run
async def test_signals_and_messages_arrive_in_the_order_sent(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    for number in range(30):
        await ben.begin("signal", channel=channel, name="x", data=number)
        await ben.begin("message.send", channel=channel, data=number)
    await ana.expect("message", seq=30)
    told = [event["data"] for event in ana.log if event.get("ev") in ("signal", "message")]
    assert told == [number for number in range(30) for _ in range(2)]


@run
async def test_a_focus_is_nobody_elses_business(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    async with nothing_changes(channel, ana, ben), nothing_told(ana, ben):
        for focus in ({"screen": "channel", "channel": channel}, {"screen": "list"},
                      {"screen": "away"}, {"screen": "list", "channel": channel},
                      {"screen": "channel", "channel": channel}):
            assert await ben.request("focus", **focus) == {}


@run
async def test_looking_at_a_channel_does_not_read_it(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await ben.request("focus", screen="channel", channel=channel)
    await say(ana, channel, "x")
    assert (await summary_of(ben, channel))["unread"] == 1
