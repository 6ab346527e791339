"""Transport: plain HTTP and the upgrade."""

import http.client

import pytest

from hub import DEADLINE
from wire import ACCEPT, Wire, frame, upgrade_request, upgraded


def http_answer(hub, method, path):
    """The status of a plain request."""
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=DEADLINE)
    connection.request(method, path)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


@pytest.mark.parametrize("method, path, status", [
    ("GET", "/healthz", 200), ("HEAD", "/healthz", 200), ("GET", "/nowhere", 404),
    ("HEAD", "/nowhere", 404), ("GET", "/v1/nowhere", 404),
])
def test_plain_http_gets_an_http_answer(hub, method, path, status):
    assert http_answer(hub, method, path) == status


def test_the_answer_to_head_has_no_body(hub):
    with Wire(hub.port) as wire:
        wire.send(b"HEAD /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert wire.read_head()[0] == 200
        assert wire.rest() == b""


def test_the_socket_path_without_an_upgrade_is_a_client_error(hub):
    assert 400 <= http_answer(hub, "GET", "/v1/ws") < 500


@pytest.mark.parametrize("changes", [
    {"Upgrade": "WebSocket"},
    {"Connection": "keep-alive, upgrade"},
    {"Connection": "UPGRADE , close"},
    {"Upgrade": "h2c, websocket"},
    {"Origin": "http://localhost:3000"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "http://[::1]:8080"},
    {"Host": "localhost:8080"},
    {"Host": "localhost"},
    {"Host": "[::1]:8080"},
], ids=str)
def test_a_valid_upgrade_is_accepted(hub, changes):
    with Wire(hub.port) as wire:
        status, headers = wire.upgrade(**changes)
        assert status == 101
        assert headers["sec-websocket-accept"] == ACCEPT
        assert headers["upgrade"].lower() == "websocket"
        assert "upgrade" in headers["connection"].lower()
        wire.ask("hello", token="dev:upgrader")


@pytest.mark.parametrize("changes, statuses", [
    ({"Sec_WebSocket_Key": "c2hvcnQ="}, [400]),
    ({"Sec_WebSocket_Key": "c2V2ZW50ZWVuIGJ5dGVzISE="}, [400]),
    ({"Sec_WebSocket_Key": "!!!!!!!!!!!!!!!!!!!!!!=="}, [400]),
    ({"Sec_WebSocket_Key": ""}, [400]),
    ({"Sec_WebSocket_Key": None}, [400]),
    ({"Origin": "http://evil.example"}, [403]),
    ({"Origin": "http://localhost.evil.example"}, [403]),
    ({"Origin": "https://127.0.0.1.evil.example"}, [403]),
    ({"Origin": "http://localhost@evil.example"}, [403]),
    ({"Origin": "null"}, [403]),
    ({"Host": "evil.example"}, [403]),
    ({"Host": "evil.example:80"}, [403]),
    ({"Host": "127.0.0.1.evil.example"}, [403]),
    ({"Host": "192.168.1.7:8080"}, [403]),
    ({"path": "/v1/elsewhere"}, [400, 404]),
    ({"method": "POST"}, [400, 404, 405, 426]),
], ids=str)
def test_a_bad_upgrade_is_refused(hub, changes, statuses):
    with Wire(hub.port) as wire:
        status, _ = wire.upgrade(**changes)
        assert status in statuses


@pytest.mark.parametrize("version", ["8", "0", "14", "x"])
def test_another_version_is_told_which_one_is_spoken(hub, version):
    with Wire(hub.port) as wire:
        status, headers = wire.upgrade(Sec_WebSocket_Version=version)
        assert (status, headers["sec-websocket-version"]) == (426, "13")


@pytest.mark.parametrize("offered, chosen", [
    (None, None), ("hub.v1.json", "hub.v1.json"), ("chat, hub.v1.json", "hub.v1.json"),
    ("chat", None), ("chat, superchat", None), ("hub.v2.json", None),
])
def test_the_subprotocol_is_chosen_only_when_offered(hub, offered, chosen):
    with Wire(hub.port) as wire:
        status, headers = wire.upgrade(Sec_WebSocket_Protocol=offered)
        assert (status, headers.get("sec-websocket-protocol")) == (101, chosen)


@pytest.mark.parametrize("garbage", [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64) + b"\r\n\r\n",
    b"GET\r\n\r\n",
    b"\x00" * 1000 + b"\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Pad: " + b"a" * 1_000_000 + b"\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
], ids=["tls", "no target", "zeros", "huge header", "negative length"])
def test_bytes_that_are_no_sound_request_get_an_error_or_the_door(hub, garbage):
    with Wire(hub.port) as wire:
        try:
            wire.send(garbage)
            status, _ = wire.read_head()
            assert 400 <= status < 500 or status == 505
        except (EOFError, ConnectionError):
            pass
    assert http_answer(hub, "GET", "/healthz") == 200


def test_an_upgrade_request_may_arrive_cut_at_any_byte(hub):
    request = upgrade_request(hub.port)
    with upgraded(hub.port) as neighbour:
        neighbour.ask("hello", token="dev:neighbour")
        for cut in range(1, len(request)):
            with Wire(hub.port) as wire:
                wire.send(request[:cut])
                neighbour.ask("ping")
                wire.send(request[cut:])
                assert wire.read_head()[0] == 101, f"cut at {cut}"


def test_requests_in_one_segment_with_the_upgrade_are_answered_in_order(hub):
    frames = frame('{"id":1,"op":"hello","token":"dev:eager"}')
    for number in range(2, 102):
        frames += frame(f'{{"id":{number},"op":"ping"}}')
    with Wire(hub.port) as wire:
        wire.send(upgrade_request(hub.port) + frames)
        assert wire.read_head()[0] == 101
        replies = [wire.read_json() for _ in range(101)]
        assert [reply["id"] for reply in replies] == list(range(1, 102))
        assert all("ok" in reply for reply in replies)
