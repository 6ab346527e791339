"""Five hundred connections at once, each doing as it likes, against a model."""

import asyncio
import collections
import random

from client import Client, refused
from hub import DEADLINE
from stage import run

PEOPLE = 500
CHANNELS = 40
STEPS = 24
FAVOURITES = 6  # the channels that one person cares for
ACTIONS = ["join"] * 3 + ["leave"] * 2 + ["follow"] * 4 + ["unfollow"] + ["say"] * 6


class Sent:
    """What was said where, as the replies tell it; what is received is held against it."""

    def __init__(self):
        self.messages = {}

    def add(self, channel, seq, user, text):
        assert (channel, seq) not in self.messages, f"{channel} {seq} was given out twice"
        self.messages[channel, seq] = (user, text)

    def last(self, channel):
        """The channel's newest seq; there must be no holes below it."""
        found = {seq for name, seq in self.messages if name == channel}
        assert found == set(range(1, len(found) + 1)), f"holes in {channel}"
        return len(found)


class Period:
    """One subscription, from its reply to its end."""

    def __init__(self, channel, start):
        self.channel, self.start, self.last = channel, start, start
        self.received = []

    def take(self, event):
        assert event["seq"] == self.last + 1, f"{self.channel}: {event} after {self.last}"
        self.last = event["seq"]
        self.received.append((event["user"], event["text"]))


class Person(Client):
    """A client without a log: its own model takes each frame in the order of arrival. It has one
    request in flight, whose reply goes to `replied` before anything that comes behind it."""

    def prepare(self, number, rng, channels, sent):
        self.number, self.rng, self.sent = number, rng, sent
        self.channels = rng.sample(channels, FAVOURITES)
        self.read, self.unread = {}, {}
        self.periods, self.finished = {}, []
        self.replied = None

    def received(self, frame):
        match frame.get("ev"):
            case None:
                replied, self.replied = self.replied, None
                if replied:
                    replied(frame["ok"])
                self.waiting.pop(frame["id"]).set_result(frame)
            case "message":
                assert frame["channel"] in self.periods, f"not subscribed: {frame}"
                self.periods[frame["channel"]].take(frame)
            case "unsubscribed":
                self.end(frame["channel"])
            case "unread":
                self.unread[frame["channel"]] = frame["unread"]
            case "error" | "gap":
                raise AssertionError(frame)

    def begin_period(self, channel, ok):
        if channel in self.periods:
            assert self.periods[channel].last == ok["seq"]
        else:
            self.periods[channel] = Period(channel, ok["seq"])

    def end(self, channel):
        if period := self.periods.pop(channel, None):
            self.finished.append(period)

    async def join(self, channel):
        summary = (await self.request("channel.join", channel=channel))["channel"]
        if channel not in self.read:
            assert (summary["read"], summary["unread"]) == (summary["seq"], 0)
            self.read[channel] = summary["read"]

    async def leave(self, channel):
        if channel in self.read:
            await self.request("channel.leave", channel=channel)
            assert channel not in self.periods, "unsubscribed comes before the reply"
            del self.read[channel]
            self.unread.pop(channel, None)

    async def follow(self, channel):
        self.replied = lambda ok: self.begin_period(channel, ok)
        await self.request("subscribe", channel=channel)

    async def unfollow(self, channel):
        self.replied = lambda ok: self.end(channel)
        await self.request("unsubscribe", channel=channel)

    async def say(self, channel):
        text = f"{self.number}.{next(self.ids)}"
        sending = self.request("message.send", channel=channel, text=text)
        if channel not in self.read:
            await refused(sending, "not_member")
            return
        reply = await sending
        self.sent.add(channel, reply["seq"], self.user, text)
        self.read[channel] = reply["seq"]

    async def live(self):
        for _ in range(STEPS):
            await getattr(self, self.rng.choice(ACTIONS))(self.rng.choice(self.channels))

    async def finish(self, last):
        """Once all is quiet: what is still followed has been received to the end."""
        await self.ping()
        for channel in list(self.periods):
            assert self.periods[channel].last == last[channel], f"{self.user} lacks messages"
            self.end(channel)

    async def until(self, condition):
        async with asyncio.timeout(DEADLINE * 2):
            while not condition():
                self.arrived.clear()
                await self.arrived.wait()


async def arrive(stage, number, rng, channels, sent, door):
    """Lets a person in; the door keeps the listener's queue short."""
    async with door:
        person = await Person.connect(stage.hub, check=False)
        stage.clients.append(person)
        person.prepare(number, random.Random(f"{rng.random()}"), channels, sent)
        await person.hello(f"dev:crowd-{number}")
    return person


def assert_received_what_was_sent(person, sent):
    for period in person.finished:
        expected = [sent.messages[period.channel, seq]
                    for seq in range(period.start + 1, period.last + 1)]
        assert period.received == expected, (person.user, period.channel)


async def channels_of(person):
    listed, cursor = {}, None
    while True:
        page = await person.request("channel.list", limit=100, cursor=cursor)
        listed |= {summary["channel"]: summary for summary in page["channels"]}
        if not (cursor := page.get("cursor")):
            return listed


async def assert_agrees(person, last, counts):
    """The hub's view of a person is the model's: membership, pointers, unread numbers."""
    listed = await channels_of(person)
    assert set(listed) == set(person.read)
    unread = {}
    for channel, summary in listed.items():
        read = person.read[channel]
        unread[channel] = min(1000, last[channel] - read)
        shown = [summary[key] for key in ("seq", "read", "unread", "member_count")]
        assert shown == [last[channel], read, unread[channel], counts[channel]], person.user
    await person.until(lambda: all(
        person.unread.get(channel, 0) == number for channel, number in unread.items()))


@run
async def test_a_crowd_that_comes_and_goes_agrees_with_the_model(stage, rng):
    owner = await stage.person("owner")
    channels = [await stage.room(owner, kind="public") for _ in range(CHANNELS)]
    sent, door = Sent(), asyncio.Semaphore(50)
    people = await asyncio.gather(*(
        arrive(stage, number, rng, channels, sent, door) for number in range(PEOPLE)))
    await asyncio.gather(*(person.live() for person in people))
    last = {channel: sent.last(channel) for channel in channels}
    counts = collections.Counter(owner_and_members(channels, people))
    await asyncio.gather(*(person.finish(last) for person in people))
    for person in people:
        assert_received_what_was_sent(person, sent)
    assert len(sent.messages) > PEOPLE // 2, "too little happened"
    await asyncio.gather(*(assert_agrees(person, last, counts) for person in people))


def owner_and_members(channels, people):
    yield from channels
    for person in people:
        yield from person.read
