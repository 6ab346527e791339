"""Envelope: ids, operations, arguments."""

import pytest

from client import refused
from stage import fill, run

LARGEST = 2**53 - 1


@pytest.mark.parametrize("number", [1, 2**31, 2**32 + 1, LARGEST])
@run
async def test_an_id_is_echoed(stage, number):
    ana = await stage.person()
    await ana.send({"id": number, "op": "ping"})
    assert "ok" in await ana.logged(id=number, ok=lambda ok: ok and "server_ts" in ok)


@run
async def test_ids_need_not_be_unique(stage):
    ana = await stage.person()
    for op in ("ping", "nonsense", "ping"):
        await ana.send({"id": 77, "op": op})
    await ana.ping()
    replies = [frame for frame in ana.log if frame.get("id") == 77]
    assert ["ok" in reply for reply in replies] == [True, False, True]


@pytest.mark.parametrize("request_text", [
    '{"op":"ping"}', '{"id":null,"op":"ping"}',
])
@run
async def test_without_an_id_success_is_silent(stage, request_text):
    ana = await stage.person()
    await ana.settle()
    before = len(ana.log)
    await ana.send(request_text)
    await ana.ping()
    assert len(ana.log) == before + 1


@run
async def test_without_an_id_the_request_is_carried_out(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await ana.request("subscribe", channel=room)
    await ana.send({"op": "message.send", "channel": room, "text": "fire and forget"})
    assert (await ana.expect("message"))["text"] == "fire and forget"


@run
async def test_without_an_id_an_error_is_pushed_with_its_op(stage):
    ana = await stage.person()
    await ana.send({"op": "channel.get", "channel": "no-such-channel"})
    event = await ana.expect("error")
    assert (event["op"], event["error"]["code"]) == ("channel.get", "not_found")
    await ana.send({"op": "no.such.op"})
    assert (await ana.expect("error"))["error"]["code"] == "unknown_op"


@pytest.mark.parametrize("number", ["0", "-1", "1.5", str(LARGEST + 1), "1e400", '"7"', "true",
                                    "[]", "{}", "9" * 400])
@run
async def test_a_bad_id_is_a_bad_request_pushed_and_nothing_is_done(stage, number):
    ana = await stage.person()
    channel = stage.name("room")
    await ana.send(
        f'{{"id":{number},"op":"channel.create","channel":"{channel}","kind":"group"}}')
    assert (await ana.expect("error"))["error"]["code"] == "bad_request"
    await refused(ana.request("channel.get", channel=channel), "not_found")


@pytest.mark.parametrize("members", ['"id":7', '"id":7,"op":null', '"id":7,"op":5'])
@run
async def test_a_valid_id_without_op_is_a_bad_request_as_a_reply(stage, members):
    ana = await stage.person()
    await ana.send(f"{{{members}}}")
    reply = await ana.logged(id=7)
    assert reply["error"]["code"] == "bad_request"


@run
async def test_neither_id_nor_op_is_a_bad_request_pushed(stage):
    ana = await stage.person()
    await ana.send("{}")
    assert (await ana.expect("error"))["error"]["code"] == "bad_request"


@run
async def test_an_unknown_op_is_named_so(stage):
    ana = await stage.person()
    for op in ("nonsense", "message.send ", "Ping", "message", "x" * 1000):
        await refused(ana.request(op, channel="x"), "unknown_op")


@run
async def test_unknown_arguments_are_ignored_and_null_means_absent(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await ana.request("ping", colour="blue", deep=[{"er": [1]}])
    await ana.request("channel.list", limit=None, cursor=None, scope=None, sort=None, kind=None)
    await ana.request("message.send", channel=room, text=None, data=1, key=None, mentions=None,
                      reply_to=None, attachments=None, hops=None)
    await refused(ana.request("message.send", channel=room, text=None), "bad_request")
    await refused(ana.request("message.send", channel=None, text="x"), "bad_request")


OUT_OF_RANGE = [
    ("channel.list", {"limit": 101}), ("channel.list", {"limit": -1}),
    ("channel.list", {"limit": 1.5}), ("channel.list", {"limit": "5"}),
    ("subscribe", {"limit": 301}), ("subscribe", {"limit": -1}),
    ("message.history", {"before": 10, "limit": 101}),
    ("message.history", {"before": 10, "limit": -1}),
    ("inbox.list", {"limit": 101}), ("inbox.list", {"limit": -1}),
    ("message.send", {"text": "x", "mentions": ["u"] * 101}),
    ("message.send", {"text": "x", "attachments": [
        {"kind": "link", "url": "http://example.com"}] * 101}),
    ("member.add", {"users": ["u"] * 101}),
]

WRONG = [
    ("channel.create", {"channel": 7, "kind": "group"}),
    ("channel.create", {"kind": "weird"}), ("channel.create", {}),
    ("channel.create", {"kind": "group", "members": "ana"}),
    ("channel.get", {"channel": ["x"]}), ("channel.list", {"scope": "everything"}),
    ("channel.list", {"sort": "colour"}), ("channel.list", {"kind": "weird"}),
    ("subscribe", {"since": {"epoch": 5, "seq": 0}}), ("subscribe", {"since": 5}),
    ("subscribe", {"since": {"epoch": "x", "seq": -1}}),
    ("message.send", {"text": 5}), ("message.send", {"text": ""}), ("message.send", {}),
    ("message.send", {"text": "x", "key": 5}), ("message.send", {"text": "x", "reply_to": "1"}),
    ("message.send", {"text": "x", "mentions": "ana"}),
    ("message.history", {"before": "1"}), ("message.history", {"before": 1.5}),
    ("typing", {"on": "yes"}), ("typing", {}), ("read", {"seq": "1"}), ("read", {}),
    ("read", {"seq": -1}), ("delivered", {"seq": 1.5}), ("member.add", {"users": "ana"}),
    ("member.add", {}), ("dm.open", {"user": 5}), ("dm.open", {}),
    ("inbox.list", {"types": "like"}), ("inbox.list", {"states": ["lost"]}),
]


@run
async def test_what_is_out_of_range_or_of_the_wrong_type_is_a_bad_request(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    for op, arguments in OUT_OF_RANGE + WRONG:
        channel = stage.name("room") if op == "channel.create" else room
        try:
            await refused(ana.request(op, **{"channel": channel} | arguments), "bad_request")
        except AssertionError as failure:
            raise AssertionError(f"{op} {str(arguments)[:200]}: {failure}") from None
    assert (await ana.request("channel.get", channel=room))["channel"]["seq"] == 0


@run
async def test_the_bounds_of_a_limit_are_in_range(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    for limit in (1, 100):
        await ana.request("channel.list", limit=limit)
        await ana.request("inbox.list", limit=limit)
        await ana.request("message.history", channel=room, before=1, limit=limit)
    for limit in (0, 300):
        await ana.request("subscribe", channel=room, limit=limit)


@run
async def test_more_than_256_requests_in_flight_are_all_answered_in_order(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await ana.request("subscribe", channel=room)
    assert await fill(ana, room, 1500) == list(range(1, 1501))
    await ana.expect("message", seq=1500)
    assert [event["seq"] for event in ana.events("message")] == list(range(1, 1501))
