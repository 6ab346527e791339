"""Many hands at work on one hub after the other, and people who listen."""

import asyncio

from hands import Publisher, Reader, Sender, Visitor, all_of, listener
from home import signed_in
from ledger import Ledger

FLAGS = ["--snapshot-interval=1s", "--window-memory=4MiB"]
MODES = ["commit", "commit", "interval"]  # in each of them a killed hub loses nothing
ROOMS = ["group", "bulk"]
SENDERS, READERS = ["s0", "s1", "s2"], ["r0", "r1"]


class Trial:
    """The hubs of one directory, the hands that write to them, and those who listen."""

    def __init__(self, home, rng):
        self.home, self.rng, self.ledger = home, rng, Ledger()
        self.devices, self.tasks = {}, []
        self.server = None

    def flags(self):
        return [*FLAGS, f"--durability={self.rng.choice(MODES)}"]

    async def begin(self):
        self.server = await asyncio.to_thread(self.home.start, *self.flags())
        owner = await signed_in(self.server, "dev:owner")
        everybody = [*SENDERS, *READERS]
        for user in [*everybody, "guest"]:
            await (await signed_in(self.server, f"dev:{user}")).close()
        for channel in ROOMS:
            await owner.request(
                "channel.create", channel=channel, kind="group", members=everybody)
        await owner.request("channel.create", channel="square", kind="public")
        await owner.close()
        self.hands = [
            Sender(self.ledger, self.rng, user, f"{user}-{number}", ROOMS)
            for user in SENDERS for number in range(3)]
        self.hands += [Reader(self.ledger, self.rng, user, ROOMS) for user in READERS]
        self.hands += [Publisher(self.ledger, self.rng, f"bot-{user}", user) for user in READERS]
        self.hands.append(Visitor(self.ledger, self.rng, "guest"))
        for user in READERS:
            self.devices[user] = await listener(self.server, user)
            for channel in ROOMS:
                assert await self.devices[user].subscribe(channel) == "ok"

    def put_to_work(self):
        """Every hand first asks again what was not answered."""
        self.answered = asyncio.Event()
        waiting = set(self.hands)

        def again(hand):
            waiting.discard(hand)
            if not waiting:
                self.answered.set()

        self.tasks = [asyncio.create_task(hand.work(self.server, again)) for hand in self.hands]

    async def let_work(self, seconds):
        """Lets time pass, unless something goes wrong meanwhile."""
        done, _ = await asyncio.wait(  # clock: how far the hands come is left to chance
            self.tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        assert not done, f"a hand stopped; the hub says {self.server.stderr()[-2000:]}"

    async def finish(self):
        """Has every hand end when it has its answer; nothing is in doubt then."""
        await self.answered.wait()
        for hand in self.hands:
            hand.is_done = True
        await all_of(self.tasks)
        assert self.ledger.doubts == {} and self.ledger.pending == {}
        for device in self.devices.values():
            await device.ping()


async def every_item(client):
    """The whole inbox, newest first."""
    items, more = [], {}
    while True:
        page = await client.request("inbox.list", limit=100, **more)
        items += page["items"]
        if "cursor" not in page:
            return items
        more = {"cursor": page["cursor"]}
