"""Transport: frames (RFC 6455) and what a message must be. Whatever one connection does wrong
ends that connection with the right code, and its neighbour does not notice."""

import json

import pytest

from wire import (BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, close_frame, frame, signed_in,
                  upgraded)

PING_REQUEST = '{"id":7,"op":"ping"}'
LIMIT = 256 * 1024


@pytest.fixture(scope="module")
def quiet_neighbour(hub):
    with signed_in(hub.port, "neighbour") as wire:
        yield wire


@pytest.fixture
def neighbour(quiet_neighbour, hub):
    """A signed-in connection that is still served when the test is over."""
    yield quiet_neighbour
    quiet_neighbour.ask("ping")
    hub.assert_alive()


@pytest.fixture
def wire(hub, neighbour):
    with signed_in(hub.port, "offender") as wire:
        yield wire


NOT_AN_OBJECT = ["hello", "[]", "1", "null", '"x"', "true", "", " ", "{", '{"id":1,}', "{'id':1}",
                 '{"id":1}x', '{"id":1}{"id":2}', '{"id":01}', '{"op":"\x01"}', '{"op":"\\x"}',
                 "[" * 100_000, '{"a":' * 50_000]


@pytest.mark.parametrize("text", NOT_AN_OBJECT, ids=lambda text: repr(text[:12]))
def test_text_that_is_no_json_object_closes_4501(wire, text):
    wire.send(frame(text))
    assert wire.close_code() == 4501


@pytest.mark.parametrize("opcode, payload, code", [
    (BINARY, PING_REQUEST, 1003), (BINARY, b"", 1003), (TEXT, "nonsense", 4501),
])
def test_the_same_holds_before_hello(hub, neighbour, opcode, payload, code):
    with upgraded(hub.port) as wire:
        wire.send(frame(payload, opcode))
        assert wire.close_code() == code


def test_a_binary_message_closes_1003(wire):
    wire.send(frame(PING_REQUEST, BINARY))
    assert wire.close_code() == 1003


def padded_request(size):
    empty = json.dumps({"id": 7, "op": "ping", "pad": ""})
    return json.dumps({"id": 7, "op": "ping", "pad": "x" * (size - len(empty))})


def test_a_message_of_exactly_256_kib_is_answered(wire):
    wire.send(frame(padded_request(LIMIT)))
    assert wire.read_json()["id"] == 7


@pytest.mark.parametrize("pieces", [1, 2, 9])
def test_a_message_over_256_kib_closes_1009_however_it_is_cut(wire, pieces):
    payload = padded_request(LIMIT + 1).encode()
    size = -(-len(payload) // pieces)
    for index in range(pieces):
        part = payload[index * size:(index + 1) * size]
        opcode = CONTINUATION if index else TEXT
        wire.send(frame(part, opcode, fin=index == pieces - 1))
    assert wire.close_code() == 1009


INVALID_UTF8 = {
    "lone continuation": b'{"a":"\x80"}', "never a byte": b'{"a":"\xff"}',
    "overlong": b'{"a":"\xc0\xaf"}', "surrogate": b'{"a":"\xed\xa0\x80"}',
    "above U+10FFFF": b'{"a":"\xf4\x90\x80\x80"}', "cut at the end": b'{"a":"\xe2\x82',
}


@pytest.mark.parametrize("payload", INVALID_UTF8.values(), ids=INVALID_UTF8.keys())
def test_invalid_utf8_closes_1007(wire, payload):
    wire.send(frame(payload))
    assert wire.close_code() == 1007


def test_invalid_utf8_is_found_before_the_message_is_complete(wire):
    wire.send(frame(b'{"a":"\xce\xba\xe1\xbd', fin=False))
    wire.send(frame(b"\xb9\xed\xa0", CONTINUATION, fin=False))
    assert wire.close_code() == 1007


VIOLATIONS = {
    "unmasked": frame(PING_REQUEST, mask=False),
    "unmasked ping": frame(b"", PING, mask=False),
    "continuation of nothing": frame("x", CONTINUATION),
    "text inside a message": frame("{", fin=False) + frame("}"),
    "fragmented ping": frame(b"", PING, fin=False),
    "fragmented close": frame(b"", CLOSE, fin=False),
    "long ping": frame(b"x" * 126, PING),
    "length 5 in 16 bits": frame("hello", form=126),
    "length 200 in 64 bits": frame("x" * 200, form=127),
    "close of one byte": frame(b"\x03", CLOSE),
} | {f"rsv {rsv}": frame(PING_REQUEST, rsv=rsv) for rsv in (1, 2, 4, 7)} \
  | {f"opcode {opcode:x}": frame(b"", opcode) for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)} \
  | {f"close code {code}": close_frame(code)
     for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535)}


@pytest.mark.parametrize("data", VIOLATIONS.values(), ids=VIOLATIONS.keys())
def test_a_violation_of_the_protocol_closes_1002(wire, data):
    wire.send(data)
    assert wire.close_code() == 1002


@pytest.mark.parametrize("length", [b"\xff" * 8, b"\x80" + bytes(7)], ids=["all ones", "2^63"])
def test_a_64_bit_length_closes_the_connection(wire, length):
    wire.send(b"\x81\xff" + length + bytes(4))
    assert wire.close_code() in (1002, 1009)


def test_a_huge_63_bit_length_closes_1009_before_its_bytes_arrive(wire):
    wire.send(b"\x81\xff\x7f" + b"\xff" * 7 + bytes(4))
    assert wire.close_code() == 1009


def test_a_close_reason_that_is_not_utf8_closes_1007(wire):
    wire.send(close_frame(1000, b"\xff\xfe"))
    assert wire.close_code() in (1002, 1007)


@pytest.mark.parametrize("code", [1000, 1001, 1003, 1007, 1011, 3000, 3999, 4000, 4999])
def test_a_valid_close_is_answered(wire, code):
    wire.send(close_frame(code, "until tomorrow 👋".encode()))
    assert wire.close_code() in (code, 1000)


def test_an_empty_close_is_answered(wire):
    wire.send(frame(b"", CLOSE))
    assert wire.close_code() in (None, 1000)


def test_nothing_is_answered_after_a_close(wire):
    wire.send(frame(PING_REQUEST) + close_frame(1000) + frame(PING_REQUEST))
    answered = 0
    while wire.read_data()[0] != CLOSE:
        answered += 1
    assert answered <= 1
    assert wire.rest() == b""


@pytest.mark.parametrize("payload", [b"", b"x", bytes(range(125))], ids=len)
def test_a_ping_is_answered_with_its_payload(wire, payload):
    wire.send(frame(payload, PING))
    assert wire.read_data(also=[PONG]) == (PONG, payload)


def test_an_unasked_pong_is_ignored(wire):
    wire.send(frame(b"nobody asked", PONG) + frame(PING_REQUEST))
    assert wire.read_json()["id"] == 7


def test_a_ping_inside_a_fragmented_message_is_answered_at_once(wire):
    wire.send(frame(PING_REQUEST[:5], fin=False) + frame(b"now", PING))
    assert wire.read_data(also=[PONG]) == (PONG, b"now")
    wire.send(frame(b"", CONTINUATION, fin=False) + frame(PING_REQUEST[5:], CONTINUATION))
    assert wire.read_json()["id"] == 7


def test_frames_may_arrive_cut_at_any_byte(wire, neighbour):
    whole = frame('{"id":7,"op":"ping","pad":"é👩‍👩‍👧"}') + frame(b"p", PING)
    for cut in range(1, len(whole)):
        wire.send(whole[:cut])
        neighbour.ask("ping")
        wire.send(whole[cut:])
        answers = dict(wire.read_data(also=[PONG]) for _ in range(2))
        assert json.loads(answers[TEXT])["id"] == 7, f"cut at {cut}"
        assert answers[PONG] == b"p", f"cut at {cut}"


def test_a_character_may_be_cut_by_fragments(wire):
    payload = '{"id":7,"op":"ping","pad":"é👩‍👩‍👧"}'.encode()
    for cut in range(1, len(payload)):
        wire.send(frame(payload[:cut], fin=False) + frame(payload[cut:], CONTINUATION))
        assert wire.read_json()["id"] == 7, f"cut at {cut}"


def test_each_byte_may_come_in_a_frame_of_its_own(wire):
    for index, byte in enumerate(PING_REQUEST.encode()):
        last = index == len(PING_REQUEST) - 1
        wire.send(frame(bytes([byte]), CONTINUATION if index else TEXT, fin=last))
    assert wire.read_json()["id"] == 7


def test_a_connection_dropped_in_the_middle_of_a_frame_harms_nobody(hub, neighbour):
    for cut in (1, 2, 5, 9):
        with signed_in(hub.port, "vanishing") as wire:
            wire.send(frame(PING_REQUEST)[:cut])
