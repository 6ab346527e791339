"""Payloads: `data` comes back byte for byte, wherever a message can stand."""

import json

import pytest

from client import refused
from stage import run
from text import raw_at

OUTBOUND_LIMIT = 512 * 1024

PAYLOADS = {
    "odd spacing": '{"a" : 1 ,\t"b":[ ], "c":{ } }',
    "lines": '[1,\r\n  2,\n3 ]',
    "escapes": r'"\u00e9\/\ud83d\ude00\u000A\n\"\\"',
    "unicode": '"é 👩‍👩‍👧 שלום \u2028\u2029\ufeff"',
    "big integer": "123456789012345678901234567890",
    "many digits": "0.1000000000000000055511151231257827021181583404541015625000",
    "beyond a double": "[1e400,-1E-400,1E+2,1.0e+05]",
    "minus zero": "[-0,-0.0,0.0]",
    "duplicate members": '{"a":1,"a":2,"":3}',
    "member order": '{"z":1,"a":2,"m":3}',
    "look-alikes": '{"id":1,"op":"x","ev":"message","seq":9,"data":"{}"}',
    "false": "false", "zero": "0", "empty text": '""', "empty array": "[]", "empty object": "{}",
    "inner null": '{"a":null,"b":[null]}',
    "depth 32": "[" * 32 + "]" * 32,
    "depth 32 in objects": '{"a":' * 31 + "{}" + "}" * 31,
    "many siblings": "[" + ",".join(["[[]]"] * 5000) + "]",
    "100 KiB": '"' + "é" * 51_200 + '"',
    "brackets in text": '"' + "[{" * 100 + '"',
}

TOO_DEEP = ["[" * 33 + "]" * 33, '{"a":' * 32 + "{}" + "}" * 32, "[" * 1000 + "]" * 1000,
            "[" * 100_000 + "]" * 100_000]


async def send_data(client, room, payload):
    return await client.request_raw("message.send", f'"channel":"{room}","data" : {payload} ')


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
@run
async def test_data_comes_back_byte_for_byte(stage, payload):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    started = await ana.request("subscribe", channel=room)
    await send_data(ana, room, payload)
    for client in (ana, ben):
        assert raw_at((await client.expect("message")).raw, "data") == payload
    history = await ben.request("message.history", channel=room, before=2)
    newest = await ben.request("subscribe", channel=room, limit=1)
    rest = await ben.request(
        "subscribe", channel=room, since={"epoch": started["epoch"], "seq": 0})
    for reply in (history, newest, rest):
        assert raw_at(reply.raw, "ok", "messages", 0, "data") == payload


@pytest.mark.parametrize("payload", TOO_DEEP, ids=len)
@run
async def test_data_deeper_than_32_is_a_bad_request(stage, payload):
    ana = await stage.person()
    room = await stage.shared_room(ana)
    await refused(send_data(ana, room, payload), "bad_request")
    await ana.nothing("message")


@run
async def test_null_data_is_no_data(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await refused(send_data(ana, room, "null"), "bad_request")


@run
async def test_data_beside_text_and_attachments_is_kept_too(stage):
    ana = await stage.person()
    room = await stage.shared_room(ana)
    link = '[{"kind":"link","url":"http://example.com/"}]'
    await ana.request_raw(
        "message.send",
        f'"data":{{"a" :1}},"text":"t","channel":"{room}","attachments":{link}')
    event = await ana.expect("message")
    assert (event["text"], raw_at(event.raw, "data")) == ("t", '{"a" :1}')


async def eight_large(client, room):
    """800 KB of messages: within the window, more than one reply may carry."""
    for index in range(8):
        await send_data(client, room, json.dumps(f"{index}" * 100_000))


@run
async def test_no_reply_exceeds_512_kib_and_pages_still_reach_everything(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await eight_large(ana, room)
    found, before = [], 100
    while True:
        page = await ana.request("message.history", channel=room, before=before, limit=100)
        assert len(page.raw.encode()) <= OUTBOUND_LIMIT
        found = page["messages"] + found
        if not page["has_more"]:
            break
        before = page["messages"][0]["seq"]
    assert [message["data"][0] for message in found] == list("01234567")


@run
async def test_subscribing_to_large_messages_brings_the_newest_that_fit(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await eight_large(ana, room)
    reply = await ana.request("subscribe", channel=room, limit=300)
    assert len(reply.raw.encode()) <= OUTBOUND_LIMIT
    got = [message["seq"] for message in reply["messages"]]
    assert got and got == list(range(9 - len(got), 9))


@run
async def test_recovery_never_needs_more_than_384_kib(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    epoch = (await ana.request("subscribe", channel=room))["epoch"]
    await eight_large(ana, room)
    for seq, recovered in ((0, False), (3, False), (6, True), (8, True)):
        reply = await ana.request("subscribe", channel=room, since={"epoch": epoch, "seq": seq})
        assert reply["recovered"] is recovered
        assert len(reply["messages"]) == (8 - seq if recovered else 0)
