"""What tests of the inbox ask, and a copy of an inbox that lives by its events alone."""

import contextlib

from chat import without
from survey import apart, pages

STATES = ["unseen", "seen", "read", "archived"]
ITEMS = 250  # of one inbox at most
EMPTY = {"unseen": 0, "unread": 0, "by_type": {}}


async def notify(publisher, *people, type="like", text="x", **arguments):
    """Notifies connected people; in how many inboxes something came or grew."""
    to = [person.user for person in people]
    reply = await publisher.request("notify", to=to, type=type, text=text, **arguments)
    assert reply["unknown"] == []
    return reply["made"]


async def retract(publisher, key, *people):
    """Takes back a key; from how many inboxes."""
    to = [person.user for person in people]
    reply = await publisher.request("notify.retract", to=to, key=key)
    assert reply["unknown"] == []
    return reply["retracted"]


async def mark(client, state, *items, **arguments):
    if items:
        arguments["ids"] = [item["id"] for item in items]
    return await client.request("inbox.mark", state=state, **arguments)


async def delete(client, *items, **arguments):
    if items:
        arguments["ids"] = [item["id"] for item in items]
    return await client.request("inbox.delete", **arguments)


async def act(client, item):
    return await client.request("inbox.act", item=item["id"])


async def mute(client, **lists):
    """Has settings mute these and nothing else."""
    nothing = {"types": [], "users": [], "channels": []}
    await client.request("user.settings", mute=nothing | lists)


def counted(items):
    """The counts that belong to items."""
    unread = [item for item in items if item["state"] in ("unseen", "seen")]
    by_type = {}
    for item in unread:
        by_type[item["type"]] = by_type.get(item["type"], 0) + 1
    unseen = sum(item["state"] == "unseen" for item in unread)
    return {"unseen": unseen, "unread": len(unread), "by_type": by_type}


def texts(items):
    return [item["text"] for item in items]


def states(items):
    return [item["state"] for item in items]


async def look(client):
    """All items, archived ones too, the newest first, and the inbox's position. All that the hub
    says of them agrees."""
    items, first = await pages(client, "inbox.list", "items", limit=100, states=STATES)
    shown, _ = await pages(client, "inbox.list", "items", limit=100)
    assert shown == [item for item in items if item["state"] != "archived"]
    counts = await client.request("inbox.counts")
    told = first["counts"], without(counts, "at"), counted(items)
    assert told[0] == told[1] == told[2], (told, texts(items))
    assert first["at"] == counts["at"]
    assert len(items) <= ITEMS and len({item["id"] for item in items}) == len(items)
    return items, first["at"]


async def items_of(client):
    return (await look(client))[0]


async def only_item(client):
    [item] = await items_of(client)
    return item


def inbox_events(client, mark=0):
    return [each for each in client.log[mark:] if each.get("ev", "").startswith("inbox.")]


@contextlib.asynccontextmanager
async def nothing_happens(*clients):
    """Asserts that what is done within leaves the inboxes as they are, and tells nobody."""
    before = [await look(client) for client in clients]
    marks = [len(client.log) for client in clients]
    yield
    for client, (items, at), start in zip(clients, before, marks, strict=True):
        assert await look(client) == (items, at)
        assert inbox_events(client, start) == [], client.user


class Copy:
    """An inbox as one device knows it: by one look, and by the events since."""

    def __init__(self, client, items, at):
        self.client, self.items, self.at = client, items, at
        self.positions = {}
        self.taken = len(client.log)

    @classmethod
    async def of(cls, client):
        return cls(client, *await look(client))

    async def catch_up(self):
        """Takes the events of all that is in the hub's counts by now; they are returned."""
        await self.client.request("inbox.counts")
        events = inbox_events(self.client, self.taken)
        self.taken = len(self.client.log)
        for event in events:
            self.take(event)
        return events

    def take(self, event):
        is_overflow = event["ev"] == "inbox.removed" and len(self.items) > ITEMS
        assert event["at"] > self.at or (event["at"] == self.at and is_overflow), event
        self.at = event["at"]
        getattr(self, event["ev"].removeprefix("inbox."))(event)
        # An inbox that overflows says first what came, and as of the same moment what had to go.
        assert event["counts"] == counted(self.items[:ITEMS]), (event, counted(self.items))

    def added(self, event):
        assert self.place(event["item"]["id"]) is None, event
        self.put(event)

    def put(self, event):
        self.items.insert(0, event["item"])
        self.positions[event["item"]["id"]] = event["at"]

    def updated(self, event):
        if "item" not in event:
            assert len(event["ids"]) == len(set(event["ids"])) > 1, event
            for one in event["ids"]:
                at = self.place(one)
                assert self.items[at]["state"] != event["state"], event
                self.items[at] = self.items[at] | {"state": event["state"]}
            return
        at = self.place(event["item"]["id"])
        assert self.items[at] != event["item"] and "ids" not in event, event
        if event["item"]["count"] > self.items[at]["count"]:
            del self.items[at]
            self.put(event)
        else:
            self.items[at] = event["item"]

    def removed(self, event):
        assert ("item" in event) == (len(event["ids"]) == 1), event
        if "item" in event:
            known = self.items[self.place(event["ids"][0])]
            assert event["item"] == known, (event["item"], known)
        for one in event["ids"]:
            del self.items[self.place(one)]

    def cleared(self, event):
        assert self.items, event
        self.items = []

    def place(self, one):
        return next((at for at, item in enumerate(self.items) if item["id"] == one), None)

    async def check(self):
        """What events told is what the hub has."""
        await self.catch_up()
        items, at = await look(self.client)
        assert self.items == items, f"told {apart(self.items, items)}"
        assert self.at == at


async def reader_of(stage, devices=2):
    """Somebody with several devices, each with a copy of the inbox."""
    ana = await stage.person()
    clients = [ana] + [await stage.again(ana) for _ in range(devices - 1)]
    return ana, [await Copy.of(client) for client in clients]


async def agree(copies):
    """All devices have been told all of it; the items, newest first."""
    for copy in copies:
        await copy.check()
    return copies[0].items


async def filled(stage, *types, **arguments):
    """Somebody with two devices and an item of each type; the items, oldest first."""
    bot = await stage.bot()
    ana, copies = await reader_of(stage)
    for number, name in enumerate(types):
        await notify(bot, ana, type=name, text=f"{number}", **arguments)
    await agree(copies)
    return bot, ana, copies, copies[0].items[::-1]
