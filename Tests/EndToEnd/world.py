"""A random world: people who do everything that can be done in a few channels, and devices that
keep copies of what they see."""

import collections
import random

from chat import code_of, open_direct
from client import Client
from replica import Replica

BLOCKER, BLOCKED = 2, 3  # of the people, in their order

# What a request may be refused with when others have been quicker: `unavailable` where an old
# message changed or left memory while it was being looked up.
REFUSALS = {
    "ok", "conflict", "not_found", "forbidden", "not_member", "blocked", "too_large", "unavailable"}


class Device(Client):
    """A connection that keeps copies of what it subscribes to, frame by frame."""

    def prepare(self):
        self.replicas, self.subscribing, self.live, self.unread = {}, {}, set(), {}

    async def send(self, frame):
        if isinstance(frame, dict) and frame["op"] == "subscribe":
            self.subscribing[frame["id"]] = frame["channel"]
        await super().send(frame)

    def received(self, frame):
        super().received(frame)
        channel = frame.get("channel")
        if (begun := self.subscribing.pop(frame.get("id"), None)) and "ok" in frame:
            self.replicas[begun].begin(frame["ok"])
            self.live.add(begun)
        elif frame.get("ev") == "unsubscribed":
            self.live.discard(channel)
        elif frame.get("ev") == "unread":
            self.unread[channel] = frame["unread"]
        elif frame.get("change") == "left" and frame["user"] == self.user:
            self.unread.pop(channel, None)
        elif frame.get("ev") in ("message", "message.updated", "message.deleted", "reaction"):
            assert channel in self.live, f"not subscribed: {frame}"
            self.replicas[channel].take(frame)
        assert frame.get("ev") not in ("gap", "error"), frame

    async def subscribe(self, channel):
        replica = self.replicas.setdefault(channel, Replica(channel, self.user))
        return await code_of(self.request("subscribe", **replica.subscription()))

    async def unsubscribe(self, channel):
        await self.request("unsubscribe", channel=channel)
        self.live.discard(channel)


class World:
    """The channels, and what was done to them as far as replies tell."""

    def __init__(self):
        self.kinds, self.members = {}, collections.defaultdict(set)
        self.said, self.reacted = {}, collections.defaultdict(set)
        self.ever_said = collections.defaultdict(set)
        self.done = collections.Counter()


class Person:
    """Does one thing after another, each on one of their devices."""

    def __init__(self, world, devices, seed):
        self.world, self.devices, self.rng = world, devices, random.Random(seed)
        self.user, self.own = devices[0].user, []

    async def act(self):
        """One random deed, if it can be done."""
        deed, weight = zip(*DEEDS, strict=True)
        [chosen] = self.rng.choices(deed, weight)
        mine = sorted(c for c, users in self.world.members.items() if self.user in users)
        code = await chosen(self, self.rng.choice(self.devices), self.rng.choice(mine))
        assert code is None or code in REFUSALS, (chosen.__name__, code)
        self.world.done[chosen.__name__, code] += 1

    def some_seq(self, device, channel):
        newest = device.replicas[channel].at["seq"]
        return self.rng.randrange(1, newest + 1) if newest else None

    async def say(self, device, channel):
        rng, more = self.rng, {}
        if rng.random() < 0.3 and (seq := self.some_seq(device, channel)):
            more["reply_to"] = seq
        if rng.random() < 0.3:
            more["mentions"] = rng.sample(sorted(self.world.members[channel]), 1)
        if rng.random() < 0.3:
            more["data"] = {"n": [rng.random(), None]}
        if rng.random() < 0.3:
            more["key"] = f"{rng.randrange(2**40)}"
        text = f"{self.user}: {rng.random()}"
        reply = await (await device.begin("message.send", channel=channel, text=text, **more))
        if "ok" not in reply:
            return reply["error"]["code"]
        at = channel, reply["ok"]["seq"]
        assert at not in self.world.said, f"{at} was given out twice"
        self.note(at, text)
        self.own.append(at)

    def note(self, at, text):
        self.world.said[at] = text
        self.world.ever_said[at].add(text)

    async def edit(self, device, _):
        if self.own:
            at = self.rng.choice(self.own)
            text = f"{self.user} again: {self.rng.random()}"
            code = await code_of(device.request(
                "message.edit", channel=at[0], seq=at[1], text=text))
            if code == "ok":
                self.note(at, text)
            return code

    async def delete(self, device, channel):
        at = self.rng.choice(self.own) if self.own else (channel, 1)
        return await code_of(device.request("message.delete", channel=at[0], seq=at[1]))

    async def react(self, device, channel):
        if seq := self.some_seq(device, channel):
            reaction, on = self.rng.choice("👍🎉x"), self.rng.random() < 0.7
            op = "reaction.add" if on else "reaction.remove"
            code = await code_of(device.request(op, channel=channel, seq=seq, reaction=reaction))
            if code == "ok":
                users = self.world.reacted[channel, seq, reaction]
                (users.add if on else users.discard)(self.user)
            return code

    async def point(self, device, channel):
        if seq := self.some_seq(device, channel):
            op = self.rng.choice(["read", "read", "delivered", "read.unread"])
            return await code_of(device.request(op, channel=channel, seq=seq))

    async def fidget(self, device, channel):
        op, arguments = self.rng.choice([
            ("typing", {"on": True}), ("typing", {"on": False}),
            ("signal", {"name": "x", "data": [1]}), ("presence.set", {"status": "away"}),
            ("presence.set", {"status": "dnd"}), ("focus", {"screen": "channel"}),
            ("channel.mute", {}), ("channel.unmute", {}), ("member.list", {"limit": 3}),
            ("member.update", {"custom": {"mood": self.rng.random()}}),
            ("user.update", {"name": f"{self.user} {self.rng.random()}"}), ("feed.list", {}),
            ("message.history", {"before": 20, "limit": 5}), ("channel.list", {"limit": 2})])
        return await code_of(device.request(op, channel=channel, **arguments))

    async def doze(self, device, channel):
        if channel in device.live:
            await device.unsubscribe(channel)
            for _ in range(self.rng.randrange(4)):
                await device.ping()
        return await device.subscribe(channel)

    async def come_and_go(self, device, _):
        for channel, users in self.world.members.items():
            if self.world.kinds[channel] == "public" and self.user != "p0":
                users.discard(self.user)
                await device.request("channel.leave", channel=channel)
                await device.request("channel.join", channel=channel)
                users.add(self.user)
                for each in self.devices:
                    await each.subscribe(channel)

    async def live(self, steps):
        for _ in range(steps):
            await self.act()


DEEDS = [(Person.say, 8), (Person.edit, 3), (Person.delete, 1), (Person.react, 6),
         (Person.point, 4), (Person.fidget, 4), (Person.doze, 3), (Person.come_and_go, 0.3)]


async def device_of(server, user):
    device = await Device.connect(server, check=False)
    device.prepare()
    await device.hello(f"dev:{user}")
    return device


async def settle_in(world, people):
    """Makes the channels and puts everybody's devices into them."""
    clients = [person.devices[0] for person in people]
    first, rest = clients[0], clients[1:]
    made = [("group", "group", rest), ("small", "group", rest[:4]), ("public", "public", rest),
            ("news", "broadcast", rest)]
    for channel, kind, others in made:
        world.kinds[channel] = kind
        world.members[channel] = {first.user} | {other.user for other in others}
        await first.request("channel.create", channel=channel, kind=kind)
        await first.request(
            "member.add", channel=channel, users=[other.user for other in others])
    direct = await open_direct(clients[0], clients[1])
    world.kinds[direct] = "direct"
    world.members[direct] = {clients[0].user, clients[1].user}
    await first.request("member.role", channel="group", user="p1", role="moderator")
    await clients[BLOCKER].request("user.block", user=clients[BLOCKED].user)
    for person in people:
        for device in person.devices:
            for channel, users in world.members.items():
                if person.user in users:
                    await device.subscribe(channel)
