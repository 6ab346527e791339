"""Hands that write without rest, through the death of one hub after the other. What a hand asked
and was not told the end of, it asks again of the next hub, word for word."""

import asyncio
import contextlib

from websockets.exceptions import ConnectionClosed, WebSocketException

from client import Client, HubError
from ledger import DELETED, Sent
from world import Device

SMALL, LARGE = 2, 900  # times 20 bytes


class Lost(Exception):
    """The hub went before it answered."""


async def asked(client, op, arguments):
    """The answer to a request, asked as often as need be; `Lost` where the connection ended."""
    try:
        while True:
            try:
                return await client.request(op, **arguments)
            except HubError as error:
                if error.code != "unavailable":
                    raise
    except (AssertionError, ConnectionClosed):
        if not client.reader.done():
            raise
        client.reader.result()  # raises what was wrong with a frame, if something was
        raise Lost from None


class Hand:
    """Does one thing after another, all of them things that no other hand does."""

    def __init__(self, ledger, rng, user, token=None):
        self.ledger, self.rng, self.user, self.token = ledger, rng, user, token or f"dev:{user}"
        self.unanswered = None
        self.is_done = False
        self.count = 0

    async def work(self, server, again):
        """Works until the hub dies; calls `again` when the unanswered request has its answer."""
        with contextlib.suppress(Lost, WebSocketException, OSError):
            client = await Client.connect(server, check=False)
            await asked(client, "hello", {"token": self.token})
            if self.unanswered:
                await self.ask(client, *self.unanswered)
            again(self)
            while not self.is_done:
                await self.ask(client, *self.next())
            await client.close()

    async def ask(self, client, op, arguments, cell=None, value=None, sent=None):
        """One request whose success makes the cell the value, or the message sent."""
        self.unanswered = op, arguments, cell, value, sent
        if cell:
            self.ledger.doubt(cell, value)
        if sent:
            self.ledger.begin(sent)
        try:
            ok = await asked(client, op, arguments)
        except HubError as error:
            assert error.code == "conflict" and op.startswith("reaction"), (op, error)
            self.ledger.refuse(cell)
        else:
            self.done(ok, cell, value, sent)
        self.unanswered = None

    def done(self, ok, cell, value, sent):
        if sent:
            self.ledger.take(sent, ok["seq"])
        if cell:
            self.ledger.settle(cell)


class Sender(Hand):
    """Sends, edits and deletes what is its own, and reacts to what anybody sent."""

    def __init__(self, ledger, rng, user, name, channels):
        super().__init__(ledger, rng, user)
        self.name, self.channels, self.own = name, channels, []

    def next(self):
        kind = self.rng.choices(["send", "edit", "delete", "react"], [10, 3, 1, 4])
        return getattr(self, kind[0])() or self.send()

    def send(self):
        self.count += 1
        channel = self.rng.choice(self.channels)
        size = self.rng.choice([SMALL, SMALL, LARGE]) if channel == "bulk" else SMALL
        key = f"{self.name}-{self.count}"
        sent = Sent(channel, self.user, key, f"{key} said", f"{self.rng.getrandbits(64)}" * size)
        return "message.send", sent.arguments, None, None, sent

    def done(self, ok, cell, value, sent):
        super().done(ok, cell, value, sent)
        if sent:
            self.own.append((sent.channel, ok["seq"]))

    def edit(self):
        if self.own:
            self.count += 1
            channel, seq = self.rng.choice(self.own[-50:])
            text = f"{self.name} edited {self.count}"
            arguments = {"channel": channel, "seq": seq, "text": text}
            return "message.edit", arguments, ("text", channel, seq), text

    def delete(self):
        if self.own:
            channel, seq = self.own.pop(self.rng.randrange(len(self.own)))
            arguments = {"channel": channel, "seq": seq}
            return "message.delete", arguments, ("text", channel, seq), DELETED

    def react(self):
        if self.ledger.sent:
            channel, seq = self.rng.choice(list(self.ledger.sent)[-200:])
            if channel in self.channels:
                on = self.rng.random() < 0.7
                op = "reaction.add" if on else "reaction.remove"
                arguments = {"channel": channel, "seq": seq, "reaction": self.name}
                return op, arguments, ("reaction", channel, seq, self.name), on


class Visitor(Hand):
    """Comes and goes, now and then under another name."""

    def next(self):
        if self.rng.random() < 0.3:
            self.count += 1
            name = f"guest {self.count}"
            return "user.update", {"name": name}, ("name", self.user), name
        cell = "member", self.user, "square"
        inside = not self.ledger.cells.get(cell, False)
        op = "channel.join" if inside else "channel.leave"
        return op, {"channel": "square"}, cell, inside


class Reader(Hand):
    """Moves its pointers forwards and back."""

    def __init__(self, ledger, rng, user, channels):
        super().__init__(ledger, rng, user)
        self.channels = channels

    def next(self):
        channel = self.rng.choice(self.channels)
        cell = "read", self.user, channel
        at = self.ledger.cells.get(cell, 0)
        newest = max(self.ledger.seqs_of(channel), default=0)
        if at and self.rng.random() < 0.3:
            seq = self.rng.randrange(max(1, at - 20), at + 1)
            return "read.unread", {"channel": channel, "seq": seq}, cell, seq - 1
        seq = self.rng.randrange(max(0, newest - 200), newest + 1)
        return "read", {"channel": channel, "seq": seq}, cell, max(at, seq)


class Publisher(Hand):
    """A bot that notifies one person."""

    def __init__(self, ledger, rng, bot, recipient):
        super().__init__(ledger, rng, bot, f"dev-bot:{bot}")
        self.recipient = recipient

    def next(self):
        self.count += 1
        text = f"note {self.count}"
        arguments = {"to": [self.recipient], "type": "system", "text": text, "key": text}
        return "notify", arguments, ("notified", self.recipient), text

    def done(self, ok, cell, value, sent):
        assert ok["unknown"] == [] and ok["made"] in (0, 1), ok
        self.ledger.notified[self.recipient].append(value)
        super().done(ok, cell, value, sent)


async def listener(server, user, before=None):
    """A device subscribed to all that it was subscribed to before, which must be recovered."""
    device = await Device.connect(server, check=False)
    device.prepare()
    if before:
        device.replicas = before.replicas
    await device.hello(f"dev:{user}")
    for channel in device.replicas:
        code = await device.subscribe(channel)
        assert code == "ok", (user, channel, code)
    return device


async def all_of(tasks):
    """Waits for tasks, and raises what went wrong in one of them at once."""
    for task in asyncio.as_completed(tasks):
        await task
