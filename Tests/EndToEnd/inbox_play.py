"""Two publishers and a reader who do anything with one inbox, and the model that knows better."""

from chat import past, without
from inbox_model import ORDER, Model
from inboxes import STATES, Copy, act, counted, delete, look, mark, notify, retract
from survey import pages

TYPES = ["like", "comment", "follow"]
MARGIN = 800  # ms; no step takes as long
BULK = 60  # items at once, so that the inbox overflows


class Play:
    """Two publishers, a reader on three devices, and the model of the reader's inbox."""

    def __init__(self, bots, copies, rng):
        self.bots, self.copies, self.rng, self.model = bots, copies, rng, Model()
        self.reader, self.count, self.happened = copies[0].client, 0, []
        self.keys = [f"k{number}" for number in range(12)]

    # Steps: each asks something of the hub and says which events the model expects

    async def publish(self, **more):
        rng, bot = self.rng, self.rng.choice(self.bots)
        self.count += 1
        arguments = {"type": rng.choice(TYPES), "text": f"{self.count}"} | more
        for name, values, share in [("key", self.keys, 0.4), ("actor", ["u1", "u2", "u3"], 0.7),
                                    ("collapse", ["a", "b"], 0.5)]:
            if rng.random() < share and not (name == "collapse" and "expires_ts" in more):
                arguments[name] = rng.choice(values)
        expected = self.model.notify(bot.user, arguments)
        assert await notify(bot, self.reader, **arguments) == bool(expected)
        return expected

    async def publish_many(self):
        bot, start = self.rng.choice(self.bots), self.count + 1
        self.count += BULK
        asked = [{"type": "like", "text": f"{number}"} for number in range(start, start + BULK)]
        await bot.many("notify", [each | {"to": [self.reader.user]} for each in asked])
        return [event for each in asked for event in self.model.notify(bot.user, each)]

    async def publish_passing(self):
        return await self.publish(
            expires_ts=await self.reader.ping() + MARGIN + self.rng.randint(100, 600))

    async def take_back(self):
        bot, key = self.rng.choice(self.bots), self.rng.choice(self.keys)
        expected = self.model.retract(bot.user, key)
        assert await retract(bot, key, self.reader) == bool(expected)
        return expected

    def some_items(self):
        newest = self.rng.random() < 0.8
        items = self.model.items[:12] if newest else self.model.items
        return self.rng.sample(items, min(len(items), self.rng.randint(1, 6)))

    async def mark_some(self):
        items, state = self.some_items(), self.rng.choice(STATES)
        if not items:
            return []
        expected = self.model.mark(items, state)
        reply = await mark(self.device(), state, ids=[item.id for item in items])
        self.assert_counts(reply)
        return expected

    def some_place(self):
        """A position, sometimes between those of items, and types or none."""
        types = self.rng.sample(TYPES, 2) if self.rng.random() < 0.3 else None
        near = self.rng.choice(self.model.items).position if self.model.items else 0
        return self.rng.choice([near, max(near - 1, 0), self.copies[0].at]), types

    async def mark_upto(self):
        upto, types = self.some_place()
        state = self.rng.choice(ORDER)
        expected = self.model.mark_upto(upto, state, types)
        self.assert_counts(await mark(self.device(), state, upto=upto, types=types))
        return expected

    async def delete_some(self):
        items = self.some_items()[:2]
        if not items:
            return []
        expected = self.model.delete(items)
        reply = await delete(self.device(), ids=[item.id for item in items])
        assert reply["deleted"] == len(items)
        self.assert_counts(reply)
        return expected

    async def delete_upto(self):
        upto, types = self.some_place()
        gone = self.model.upto(upto, types)
        if len(gone) > 20 and self.rng.random() < 0.9:
            return []
        expected = self.model.delete(gone, is_upto=True)
        reply = await delete(self.device(), upto=upto, types=types)
        assert reply["deleted"] == len(gone)
        self.assert_counts(reply)
        return expected

    async def act(self):
        if not self.model.items:
            return []
        item = self.rng.choice(self.model.items[:12])
        expected = self.model.act(item)
        await act(self.device(), {"id": item.id})
        return expected

    async def turn_pages(self):
        asked = {"states": self.rng.sample(STATES, self.rng.randint(1, 4)),
                 "types": self.rng.sample(TYPES, self.rng.randint(1, 3))}
        found, first = await pages(
            self.device(), "inbox.list", "items", limit=self.rng.randint(5, 100), **asked)
        assert [item["text"] for item in found] == [
            item.parts[-1].text for item in self.model.items
            if item.state in asked["states"] and item.parts[-1].type in asked["types"]], asked
        assert first["counts"] == self.counts()
        return []

    # Checking

    def device(self):
        return self.rng.choice(self.copies).client

    def counts(self):
        return counted([item.shown() for item in self.model.items])

    def assert_counts(self, reply):
        assert reply["counts"] == self.counts()

    async def check(self, expected):
        """Every device was told exactly what the model expects, and knows what it holds."""
        for device in self.copies:
            events = await device.catch_up()
            told = [event["ev"].removeprefix("inbox.") for event in events]
            assert sorted(told) == sorted(expected), events[-4:]
            assert [self.seen(item) for item in device.items] == [
                item.shown() for item in self.model.items]
            assert device.at == self.copies[0].at
        for item, known in zip(self.model.items, self.copies[0].items, strict=True):
            assert item.id in (None, known["id"])
            item.id, item.position = known["id"], self.copies[0].positions[known["id"]]

    def seen(self, item):
        return without(item, "id", "ts", "acted_ts") | {"acted": "acted_ts" in item}

    async def let_expire(self, margin=MARGIN):
        """Has time pass when an item is about to expire: no step falls together with it."""
        moments = self.model.expiries()
        if not moments or await self.reader.ping() < min(moments) - margin:
            return
        await past(self.reader, max(moments))
        gone = {item.id for item in self.model.expire(max(moments))}
        for device in self.copies:
            while gone & {item["id"] for item in device.items}:
                for event in await device.catch_up():
                    assert event["ev"] == "inbox.removed" and set(event["ids"]) <= gone
        await self.check([])

    async def step(self):
        chosen, weights = zip(*DEEDS, strict=True)
        [deed] = self.rng.choices(chosen, weights)
        await self.let_expire()
        self.happened.append(deed.__name__)
        await self.check(await deed(self))

    async def go_on(self, bots, devices):
        """The same with other connections, perhaps to another hub; all is as it was."""
        self.bots, self.reader = bots, devices[0]
        for copy, device in zip(self.copies, devices, strict=True):
            fresh = await Copy.of(device)
            assert (fresh.items, fresh.at) == (copy.items, copy.at)
            copy.client, copy.taken = device, fresh.taken

    async def play(self, steps, between=None):
        """So many steps, with a look at the whole inbox and what is done between them."""
        try:
            for number in range(1, steps + 1):
                await self.step()
                if number % 20 == 0:
                    await look(self.reader)
                if between:
                    await between(number)
            for device in self.copies:
                await device.check()
        except AssertionError as error:
            error.add_note(f"after {len(self.happened)} steps, the last: {self.happened[-6:]}")
            raise


DEEDS = [
    (Play.publish, 30), (Play.publish_many, 2.5), (Play.publish_passing, 1.5),
    (Play.take_back, 12), (Play.mark_some, 12), (Play.mark_upto, 6), (Play.delete_some, 4),
    (Play.delete_upto, 3), (Play.act, 6), (Play.turn_pages, 4)]
