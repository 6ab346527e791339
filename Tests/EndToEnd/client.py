"""A chat client that remembers everything it received, in the order in which it came."""

import asyncio
import collections
import itertools
import json

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

import shapes
from hub import DEADLINE


class HubError(Exception):
    """An error reply."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error.get('message')}")
        self.code = error["code"]
        self.message = error.get("message")
        self.retry_after_ms = error.get("retry_after_ms")


class Frame(dict):
    """A received JSON object, or a reply's `ok`, with the raw text of the frame it came in."""

    def __init__(self, value, raw):
        super().__init__(value)
        self.raw = raw


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Client:
    """One connection. `log` holds every frame; `pending` the events nobody has expected yet.

    Every frame received must have the shape that the protocol gives it, and every request that
    was answered with ok too; with `check=False` a sample of them."""

    def __init__(self, socket, check=True):
        self.socket = socket
        self.check = check
        self.user = None
        self.welcome = None
        self.log = []
        self.pending = []
        self.ids = itertools.count(1)
        self.waiting = {}
        self.asked = collections.defaultdict(collections.deque)
        self.arrived = asyncio.Event()
        self.reader = asyncio.create_task(self._read())

    @classmethod
    async def connect(cls, hub, path="/v1/ws", headers=None, check=True, **options):
        socket = await connect(
            hub.url + path, additional_headers=headers, compression=None, proxy=None,
            max_size=2 * 1024 * 1024, ping_interval=None, open_timeout=DEADLINE * 3,
            close_timeout=2, **options)
        return cls(socket, check)

    async def close(self):
        await self.socket.close()
        await self.reader

    async def abort(self):
        """Drops the TCP connection without a closing handshake."""
        self.socket.transport.abort()
        await self.reader

    # Sending

    async def send(self, frame):
        """Sends an object, or a string as it stands."""
        if self.reader.done():
            self.reader.result()  # what the reader found wrong; no answer would be read
        self._remember(frame)
        await self.socket.send(frame if isinstance(frame, str) else compact(frame))

    async def begin(self, op, /, **arguments):
        """Sends a request and returns the future of its reply."""
        number = next(self.ids)
        reply = asyncio.get_running_loop().create_future()
        self.waiting[number] = reply
        await self.send({"id": number, "op": op} | arguments)
        return reply

    async def begin_raw(self, op, members):
        """The same with members given as JSON text, so that every byte is the test's own."""
        number = next(self.ids)
        reply = asyncio.get_running_loop().create_future()
        self.waiting[number] = reply
        await self.send(f'{{"id":{number},"op":"{op}",{members}}}')
        return reply

    async def request(self, op, /, **arguments):
        return await answer(await self.begin(op, **arguments))

    async def request_raw(self, op, members):
        return await answer(await self.begin_raw(op, members))

    async def many(self, op, arguments):
        """Has one request for each set of arguments in flight at once; the replies in order."""
        replies = [await self.begin(op, **each) for each in arguments]
        return [await answer(reply) for reply in replies]

    async def hello(self, token, **arguments):
        self.welcome = await self.request("hello", token=token, **arguments)
        self.user = self.welcome["user"]["id"]
        return self.welcome

    async def ping(self):
        return (await self.request("ping"))["server_ts"]

    async def tick(self):
        """Returns once the hub's clock shows a later millisecond."""
        start = await self.ping()
        while await self.ping() <= start:
            pass

    # Receiving

    async def expect(self, ev, /, within=DEADLINE, **match):
        """Takes the first matching event that no earlier call took, waiting for it if need be."""
        try:
            async with asyncio.timeout(within):
                while (event := self._take(ev, match)) is None:
                    self._assert_open(f"waiting for {ev} {match}")
                    self.arrived.clear()
                    await self.arrived.wait()
                return event
        except TimeoutError:
            raise AssertionError(f"no {ev} {match} in {within} s; {self._tail()}") from None

    async def nothing(self, ev, /, **match):
        """Asserts that no matching event has come: what was sent before a ping's reply is here."""
        await self.ping()
        event = self._take(ev, match)
        assert event is None, f"unexpected {event}"

    async def settle(self):
        """Forgets the events so far."""
        await self.ping()
        self.pending.clear()

    async def closed(self, within=DEADLINE):
        """The close code, once the connection has ended."""
        try:
            await asyncio.wait_for(asyncio.shield(self.reader), within)
        except TimeoutError:
            raise AssertionError(f"not closed in {within} s; {self._tail()}") from None
        return self.socket.close_code

    async def logged(self, **match):
        """Waits until a matching frame, reply or event, is in the log."""
        try:
            async with asyncio.timeout(DEADLINE):
                while not (found := [each for each in self.log if matches(each, match)]):
                    self._assert_open(f"waiting for {match}")
                    self.arrived.clear()
                    await self.arrived.wait()
                return found[0]
        except TimeoutError:
            raise AssertionError(f"no frame {match}; {self._tail()}") from None

    def events(self, ev, **match):
        """All events of a kind so far, taken or not."""
        return [each for each in self.log if each.get("ev") == ev and matches(each, match)]

    def received(self, frame):
        """Called with every frame in order of arrival."""
        self.log.append(frame)
        if "ev" in frame:
            self.pending.append(frame)
        elif (reply := self.waiting.pop(frame["id"], None)) and not reply.done():
            reply.set_result(frame)

    def _take(self, ev, match):
        for index, event in enumerate(self.pending):
            if event["ev"] == ev and matches(event, match):
                return self.pending.pop(index)
        return None

    async def _read(self):
        failure = None
        try:
            async for raw in self.socket:
                frame = Frame(json.loads(raw), raw)
                self._validate(frame)
                self.received(frame)
                self.arrived.set()
        except ConnectionClosed:
            pass
        except Exception as error:
            failure = error
            raise
        finally:
            self.arrived.set()
            failure = failure or AssertionError(f"closed {self.socket.close_code}")
            for reply in self.waiting.values():
                if not reply.done():
                    reply.set_exception(failure)
                    reply.exception()

    def _remember(self, frame):
        """Keeps a request, if it is one, until its reply comes. Ids may repeat."""
        if isinstance(frame, str):
            try:
                frame = json.loads(frame)
            except (ValueError, RecursionError):
                return
        if isinstance(frame, dict) and type(frame.get("id")) is int:
            self.asked[frame["id"]].append(frame)

    def _validate(self, frame):
        request = self._answered(frame)
        op = request and request.get("op")
        kind = frame.get("ev", op)
        if self.check or shapes.is_due(kind):
            shapes.validate(frame, op)
            if "ok" in frame:
                assert request, f"an answer to what nobody asked: {frame.raw[:300]}"
                shapes.validate_request(request)

    def _answered(self, frame):
        """The request that a reply answers; None where it could not be read, and for events."""
        requests = self.asked.get(frame.get("id"))
        if not requests:
            return None
        request = requests.popleft()
        if not requests:
            del self.asked[frame["id"]]
        return request

    def _assert_open(self, while_doing):
        if self.reader.done():
            self.reader.result()
            raise AssertionError(f"closed {self.socket.close_code} {while_doing}; {self._tail()}")

    def _tail(self):
        return "the last frames: " + "\n".join(each.raw[:300] for each in self.log[-12:])


def matches(frame, match):
    return all(
        want(frame.get(key)) if callable(want) else frame.get(key) == want
        for key, want in match.items())


async def answer(reply):
    """The `ok` of a reply, or its error raised."""
    frame = await asyncio.wait_for(reply, DEADLINE * 3)
    if "error" in frame:
        raise HubError(frame["error"])
    return Frame(frame["ok"], frame.raw)


async def refused(request, *codes):
    """Asserts that a request fails with one of the codes."""
    try:
        ok = await request
    except HubError as error:
        assert error.code in codes, f"expected {' or '.join(codes)}, got {error}"
        return error
    raise AssertionError(f"expected {' or '.join(codes)}, got ok {ok}")
