"""Bytes on a raw socket: for what no well-behaved client would send."""

import base64
import contextlib
import hashlib
import json
import os
import socket
import struct

import shapes
from hub import DEADLINE

KEY = base64.b64encode(b"sixteen bytes ok").decode()
ACCEPT = base64.b64encode(
    hashlib.sha1(f"{KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


def upgrade_request(port, path="/v1/ws", method="GET", **changes):
    """The head of an upgrade. `changes` are headers, `_` for `-`; None leaves one out."""
    headers = {"Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
               "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": KEY}
    headers |= {name.replace("_", "-"): value for name, value in changes.items()}
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode()


def length_field(length, form):
    """The 7-bit length and the extended one; `form` 126 or 127 forces a longer encoding."""
    form = form or (length if length < 126 else 126 if length < 65536 else 127)
    extended = {126: ">H", 127: ">Q"}.get(form)
    return form, struct.pack(extended, length) if extended else b""


def masked_by(mask, payload):
    whole = int.from_bytes(payload, "big")
    pattern = (mask * (len(payload) // 4 + 1))[:len(payload)]
    return (whole ^ int.from_bytes(pattern, "big")).to_bytes(len(payload), "big")


def frame(payload=b"", opcode=TEXT, fin=True, rsv=0, mask=True, form=None):
    """One frame as a client sends it, unless told to break a rule."""
    payload = payload.encode() if isinstance(payload, str) else payload
    short, extended = length_field(len(payload), form)
    head = bytes([fin << 7 | rsv << 4 | opcode, mask << 7 | short]) + extended
    if not mask:
        return head + payload
    key = os.urandom(4)
    return head + key + masked_by(key, payload)


def close_frame(code, reason=b""):
    return frame(struct.pack(">H", code) + reason, CLOSE)


class Wire:
    """A socket that speaks just enough WebSocket to be asked and to be closed."""

    def __init__(self, port, receive_buffer=None):
        self.port = port
        self.socket = socket.socket()
        self.socket.settimeout(DEADLINE)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.number = 0
        self.asked = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def upgrade(self, **changes):
        """Sends an upgrade request; status and headers of the answer."""
        self.send(upgrade_request(self.port, **changes))
        return self.read_head()

    def read_head(self):
        while b"\r\n\r\n" not in self.buffer:
            self._receive()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, value = line.split(":", 1)
            headers[name.strip().lower()] = value.strip()
        return int(first.split()[1]), headers

    def read_frame(self):
        """The next frame's opcode and payload."""
        first, second = self._take(2)
        length = second & 0x7F
        if length > 125:
            length = int.from_bytes(self._take(2 if length == 126 else 8), "big")
        assert second < 128, "a server must not mask"
        return first & 0x0F, self._take(length)

    def read_data(self, also=()):
        """The next frame that is not a ping, which is answered, nor a pong."""
        while True:
            opcode, payload = self.read_frame()
            if opcode == PING:
                self.send(frame(payload, PONG))
            elif opcode != PONG or PONG in also:
                return opcode, payload

    def read_json(self):
        opcode, payload = self.read_data()
        assert opcode == TEXT, (opcode, payload[:200])
        message = json.loads(payload)
        request = self.asked.pop(message.get("id"), None)
        shapes.validate(message, request and request["op"])
        if request and "ok" in message:
            shapes.validate_request(request)
        return message

    def ask(self, op, **arguments):
        """Sends a request and returns the `ok` of its reply."""
        self.number += 1
        self.asked[self.number] = {"id": self.number, "op": op} | arguments
        self.send(frame(json.dumps(self.asked[self.number])))
        while (reply := self.read_json()).get("id") != self.number:
            pass
        return reply["ok"]

    def close_code(self):
        """Reads to the close frame, answers it, and to the end; None for a close without code."""
        while True:
            opcode, payload = self.read_data()
            if opcode == CLOSE:
                break
        self.finish(payload)
        return int.from_bytes(payload[:2], "big") if payload else None

    def finish(self, payload=b""):
        """Answers a close and asserts that the server then ends the connection."""
        with contextlib.suppress(ConnectionError):
            self.send(frame(payload, CLOSE))
        self.rest()

    def rest(self):
        """Whatever still comes until the server ends the connection, as it must."""
        with contextlib.suppress(ConnectionError, EOFError):
            while True:
                self._receive()
        return self.buffer

    def _take(self, count):
        while len(self.buffer) < count:
            self._receive()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def _receive(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise EOFError("the server ended the connection")
        self.buffer += data


def upgraded(port, **changes):
    """A socket behind a successful upgrade."""
    wire = Wire(port)
    status, _ = wire.upgrade(**changes)
    assert status == 101, status
    return wire


def signed_in(port, user):
    wire = upgraded(port)
    wire.ask("hello", token=f"dev:{user}")
    return wire
