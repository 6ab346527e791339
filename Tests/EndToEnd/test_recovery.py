"""Subscribing and recovery: every message exactly once, in order."""

import asyncio

import pytest

import shapes
from client import refused
from stage import fill, run, say, seqs

ROUNDS = 40


def since(epoch, seq):
    return {"epoch": epoch, "seq": seq}


async def subscribe(client, channel, **arguments):
    reply = await client.request("subscribe", channel=channel, **arguments)
    shapes.assert_shape(reply, shapes.SUBSCRIBED)
    return reply


@run
async def test_a_first_subscription_brings_the_newest_messages_oldest_first(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    assert (await subscribe(ana, room))["seq"] == 0
    await fill(ana, room, 310)
    for arguments, first in (({}, 311), ({"limit": 0}, 311), ({"limit": 1}, 310),
                             ({"limit": 7}, 304), ({"limit": 300}, 11)):
        reply = await subscribe(ana, room, **arguments)
        assert (reply["seq"], reply["recovered"], reply["rev"]) == (310, False, 0)
        assert seqs(reply["messages"]) == list(range(first, 311))


@run
async def test_with_a_position_exactly_the_rest_comes(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    epoch = (await subscribe(ana, room))["epoch"]
    await fill(ana, room, 50)
    for seq in (0, 1, 25, 49, 50):
        reply = await subscribe(ana, room, since=since(epoch, seq))
        assert (reply["recovered"], reply["epoch"], reply["seq"]) == (True, epoch, 50)
        assert seqs(reply["messages"]) == list(range(seq + 1, 51))


@run
async def test_all_of_1000_messages_are_recovered_and_none_of_1001(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    epoch = (await subscribe(ana, room))["epoch"]
    await fill(ana, room, 1001)
    reply = await subscribe(ana, room, since=since(epoch, 1))
    assert reply["recovered"] and seqs(reply["messages"]) == list(range(2, 1002))
    reply = await subscribe(ana, room, since=since(epoch, 0))
    assert (reply["recovered"], reply["messages"], reply["seq"]) == (False, [], 1001)


@run
async def test_an_impossible_position_recovers_nothing_but_subscribes(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    epoch = (await subscribe(ana, room))["epoch"]
    last = (await fill(ana, room, 3))[-1]
    for wrong, ahead in (("another", -1), ("another", 0), ("", -3), (epoch, 1), (epoch, 2**50)):
        again = await stage.again(ana)
        reply = await subscribe(again, room, since=since(wrong, last + ahead))
        assert (reply["recovered"], reply["messages"], reply["epoch"]) == (False, [], epoch)
        [last] = await say(ana, room, "x")
        assert (await again.expect("message"))["seq"] == last


@run
async def test_a_lost_connection_goes_on_where_it_was(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    position = await subscribe(ben, room)
    await say(ana, room, "one", "two")
    await ben.expect("message", seq=2)
    await ben.abort()
    await say(ana, room, "three", "four")
    back = await stage.again(ben)
    reply = await subscribe(back, room, since=since(position["epoch"], 2))
    assert [message["text"] for message in reply["messages"]] == ["three", "four"]
    await say(ana, room, "five")
    assert (await back.expect("message"))["text"] == "five"


@run
async def test_subscribing_again_delivers_nothing_twice(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await subscribe(ben, room)
    await say(ana, room, "once")
    await ben.expect("message")
    await ben.nothing("message")


@run
async def test_after_unsubscribing_nothing_comes(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    for _ in range(2):
        assert await ben.request("unsubscribe", channel=room) == {}
    await say(ana, room, "x")
    await ana.request("typing", channel=room, on=True)
    for ev in ("message", "typing", "unsubscribed"):
        await ben.nothing(ev, channel=room)


@run
async def test_a_subscription_belongs_to_one_connection(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    elsewhere = await stage.again(ben)
    await subscribe(elsewhere, room)
    await say(ana, room, "x")
    await elsewhere.expect("message")
    await ben.nothing("message")


@pytest.mark.parametrize("kind", ["public", "broadcast"])
@run
async def test_anybody_may_follow_an_open_channel(stage, kind):
    ana, stranger = await stage.people("ana", "stranger")
    channel = await stage.room(ana, kind=kind)
    await subscribe(stranger, channel)
    await say(ana, channel, "x")
    assert (await stranger.expect("message"))["text"] == "x"


@run
async def test_a_subscription_to_what_does_not_exist_is_not_found(stage):
    ana = await stage.person()
    for op in ("subscribe", "unsubscribe"):
        codes = ("not_found",) if op == "subscribe" else ("not_found", "not_member")
        try:
            await refused(ana.request(op, channel=stage.name("missing")), *codes)
        except AssertionError:
            assert op == "unsubscribe", "repeated unsubscribe may be ok"


class Follower:
    """Comes and goes, remembers its position, and must miss nothing and see nothing twice."""

    def __init__(self, client, channel, rng):
        self.client, self.channel, self.rng = client, channel, rng
        self.epoch, self.seen, self.texts = None, 0, {}

    def take(self, messages, source):
        for message in messages:
            assert message["seq"] == self.seen + 1, f"after {self.seen} in {source}: {message}"
            self.seen = message["seq"]
            self.texts[self.seen] = (message["user"], message["text"])

    def take_events(self):
        events, self.client.pending = self.client.pending, []
        self.take([e for e in events if e["ev"] == "message"], "events")

    async def follow_for_a_while(self):
        arguments = {"since": since(self.epoch, self.seen)} if self.epoch else {"limit": 300}
        reply = await self.client.request("subscribe", channel=self.channel, **arguments)
        if self.epoch:
            assert reply["recovered"], f"from {self.seen} of {reply['seq']}"
        self.epoch = reply["epoch"]
        self.take(reply["messages"], "reply")
        assert self.seen == reply["seq"]
        for _ in range(self.rng.randrange(4)):
            await self.client.ping()
        await self.client.request("unsubscribe", channel=self.channel)
        self.take_events()
        before = len(self.client.events("message"))
        await self.client.ping()
        assert len(self.client.events("message")) == before, "a message after unsubscribing"

    async def follow(self, rounds):
        for _ in range(rounds):
            await self.follow_for_a_while()


async def chatter(client, channel, rng, count):
    """Sends messages in small bursts; what was sent where."""
    sent = {}
    while count > 0:
        burst = min(count, rng.randrange(1, 6))
        texts = [f"{client.user} {count - index}" for index in range(burst)]
        for seq, text in zip(await say(client, channel, *texts), texts, strict=True):
            sent[seq] = (client.user, text)
        count -= burst
    return sent


@run
async def test_who_comes_and_goes_among_senders_sees_every_message_exactly_once(stage, rng):
    people = await stage.people(*["sender"] * 3, *["follower"] * 6)
    room = await stage.room(*people, kind="public")
    followers = [Follower(client, room, rng) for client in people[3:]]
    for follower in followers:
        await follower.follow(1)
    senders = [chatter(client, room, rng, 300) for client in people[:3]]
    *sent, _ = await asyncio.gather(
        *senders, asyncio.gather(*(follower.follow(ROUNDS) for follower in followers)))
    everything = sent[0] | sent[1] | sent[2]
    for follower in followers:
        await follower.follow(1)
        assert follower.texts == everything
    assert sorted(everything) == list(range(1, 901))
