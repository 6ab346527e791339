"""websocket-echo: the WebSocket implementation alone, with messages up to 16 MiB."""

import os

import pytest
from websockets.asyncio.client import connect

import hub as programs
from stage import run
from wire import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Wire, close_frame, frame

LARGEST = 16 * 1024 * 1024


@pytest.fixture(scope="module")
def echo():
    with programs.running_echo() as server:
        yield server


@pytest.fixture
def wire(echo):
    with Wire(echo.port) as wire:
        assert wire.upgrade(path="/")[0] == 101
        yield wire


def connected(echo):
    return connect(echo.url, max_size=None, compression=None, proxy=None, ping_interval=None)


SIZES = [0, 1, 125, 126, 127, 128, 65_535, 65_536, 65_537, 1_000_003]


@pytest.mark.parametrize("size", SIZES)
@run
async def test_messages_of_every_length_form_come_back(echo, size):
    async with connected(echo) as socket:
        for message in ("é" * (size // 2) + "x" * (size % 2), os.urandom(size)):
            await socket.send(message)
            assert await socket.recv() == message


@run
async def test_messages_of_16_mib_come_back(echo):
    async with connected(echo) as socket:
        for message in ("é" * (LARGEST // 2), os.urandom(LARGEST)):
            await socket.send(message)
            assert await socket.recv() == message


def test_a_message_over_16_mib_closes_1009_before_its_bytes_arrive(wire):
    wire.send(b"\x82\xff" + (LARGEST + 1).to_bytes(8, "big") + bytes(4))
    assert wire.close_code() == 1009


def test_fragments_of_more_than_16_mib_together_close_1009(wire):
    wire.send(frame(bytes(LARGEST), BINARY, fin=False))
    wire.send(frame(b"x", CONTINUATION))
    assert wire.close_code() == 1009


@run
async def test_many_messages_come_back_in_order(echo):
    async with connected(echo) as socket:
        for number in range(1000):
            await socket.send(f"message {number}")
        assert [await socket.recv() for _ in range(1000)] == \
            [f"message {number}" for number in range(1000)]


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_fragments_with_pings_between_come_back_as_one_message(wire, opcode):
    parts = [b"one ", b"", "zwei é ".encode(), b"tres"]
    for index, part in enumerate(parts):
        wire.send(frame(part, CONTINUATION if index else opcode, fin=index == len(parts) - 1))
        if index < len(parts) - 1:
            wire.send(frame(b"%d" % index, PING))
            assert wire.read_data(also=[PONG]) == (PONG, b"%d" % index)
    assert wire.read_data() == (opcode, b"".join(parts))


def test_a_message_may_come_in_frames_of_one_byte(wire):
    payload = "κόσμε 👩‍👩‍👧".encode() * 20
    for index in range(len(payload)):
        opcode = CONTINUATION if index else TEXT
        wire.send(frame(payload[index:index + 1], opcode, fin=index == len(payload) - 1))
    assert wire.read_data() == (TEXT, payload)


VALID = ["κόσμε", "\u0000", "\u0080", "\u0800", "\U00010000", "\ud7ff", "\ue000", "\ufffd",
         "\U0010ffff", "\ufffe\uffff", "👩‍👩‍👧‍👦" * 100]


@pytest.mark.parametrize("text", VALID, ids=ascii)
def test_valid_utf8_comes_back_however_it_is_cut(wire, text):
    payload = text.encode()
    for cut in range(min(len(payload), 60) + 1):
        wire.send(frame(payload[:cut], fin=False) + frame(payload[cut:], CONTINUATION))
        assert wire.read_data() == (TEXT, payload)


# The last byte of each is the first at which the text cannot be UTF-8 any more.
INVALID = [b"\x80", b"\xbf", b"a\xc0", b"\xc1", b"\xe0\x9f", b"\xed\xa0", b"\xf0\x8f", b"\xf4\x90",
           b"\xf5", b"\xff", b"\xe2\x82A", b"\xce\xba\xe1\xbd\xb9\xed\xa0", b"\xc3("]


@pytest.mark.parametrize("payload", INVALID, ids=bytes.hex)
@pytest.mark.parametrize("pieces", ["one frame", "a frame each", "no end in sight"])
def test_invalid_utf8_closes_1007_at_its_first_wrong_byte(wire, payload, pieces):
    if pieces == "a frame each":
        for index in range(len(payload)):
            wire.send(frame(payload[index:index + 1], CONTINUATION if index else TEXT, fin=False))
    else:
        wire.send(frame(payload, fin=pieces == "one frame"))
    assert wire.close_code() == 1007


def test_invalid_utf8_is_found_inside_an_unfinished_frame(wire):
    wire.send(frame(b"valid \xff" + b"x" * 100_000)[:20_000])
    assert wire.close_code() == 1007


def test_a_text_that_ends_inside_a_character_closes_1007(wire):
    wire.send(frame(b"\xe2\x82", fin=False) + frame(b"", CONTINUATION))
    assert wire.close_code() == 1007


@pytest.mark.parametrize("code", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013,
                                  1014, 3000, 3999, 4000, 4999])
def test_a_close_code_is_given_back(wire, code):
    wire.send(close_frame(code))
    assert wire.close_code() == code


@pytest.mark.parametrize("payload, code", [
    (b"\x03\xe8" + b"r" * 123, 1000), (b"", None), (b"\x03\xe8\xff", 1007), (b"\x03", 1002),
    (b"\x03\xed", 1002), (b"\x00\x00", 1002),
], ids=str)
def test_the_payload_of_a_close_is_checked(wire, payload, code):
    wire.send(frame(payload, CLOSE))
    assert wire.close_code() in ((code, 1000) if code is None else (code,))


def test_nothing_follows_a_close(wire):
    wire.send(frame("before") + close_frame(1000) + frame("after"))
    assert wire.read_data() == (TEXT, b"before")
    assert wire.read_data()[0] == CLOSE
    assert wire.rest() == b""
