"""A hub that is killed again and again, while many write to it, loses nothing it acknowledged.

Its hubs run with `commit` or `interval`, which promise the same to those who are only killed.
Longer with HUB_SOAK_KILLS, the number of kills."""

import asyncio
import os
import signal

import pytest

from chat import all_messages, profile, without
from hands import all_of, listener
from home import home_fixture, signed_in  # the fixture is `home`
from stage import run
from survey import found_by
from trial import READERS, ROOMS, SENDERS, Trial, every_item

KILLS = int(os.environ.get("HUB_SOAK_KILLS", 20))


class Killings(Trial):
    """The same, with an end for every hub, and a look at the next one."""

    async def kill_at_some_moment(self):
        moment = self.rng.choice(
            ["at once", "amid the load", "in a snapshot", "in a stop"])
        if moment == "at once":
            await self.let_work(self.rng.uniform(0, 0.1))
        else:
            await self.let_work(self.rng.uniform(0.2, 1.2))
        if moment == "in a snapshot":
            self.server.process.send_signal(signal.SIGUSR1)
            await self.let_work(self.rng.uniform(0, 0.05))
        self.server.assert_alive()
        if moment == "in a stop":
            self.server.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(self.rng.uniform(0, 0.2))  # clock: how far it comes
        self.server.process.kill()
        await all_of([*self.tasks, *(device.reader for device in self.devices.values())])
        self.server.kill()

    async def start(self):
        """Starts a hub, sometimes after others that were killed before they served."""
        while self.rng.random() < 0.3:
            await asyncio.to_thread(
                self.home.interrupt, self.rng.uniform(0, 0.5), *self.flags())
        self.server = await asyncio.to_thread(self.home.start, *self.flags())
        self.devices = {user: await listener(self.server, user, device)
                        for user, device in self.devices.items()}

    async def check(self):
        """All that was acknowledged is there, and those who listen have all of it."""
        for user in [*READERS, SENDERS[0]]:
            client = await signed_in(self.server, f"dev:{user}", check=False)
            for summary in (await client.request("channel.list"))["channels"]:
                channel = summary["channel"]
                messages = await all_messages(client, channel)
                self.ledger.check_channel(summary, messages)
                if user in READERS:
                    self.ledger.check_reader(user, summary, messages)
                    self.check_replica(self.devices[user].replicas[channel], summary, messages)
                else:
                    self.ledger.check_sender(user, summary, messages)
            if user in READERS:
                listed = await every_item(client)
                self.ledger.check_inbox(user, listed)
            else:
                await self.check_keys(client)
            await client.close()
        await self.check_people()

    def check_replica(self, replica, summary, messages):
        assert {key: summary[key] for key in ("epoch", "seq", "rev")} == replica.at
        kept = replica.messages
        assert len(kept) == len(messages)
        for mine, message in zip(kept, messages, strict=True):
            assert mine == without(message, "reply_count")

    async def check_keys(self, client):
        """Keys that were used are known."""
        own = [(at, sent) for at, sent in self.ledger.sent.items() if sent.user == client.user]
        for (channel, seq), sent in self.rng.sample(own, min(len(own), 10)):
            ok = await client.request("message.send", **(sent.arguments | {"data": None}))
            assert (ok["seq"], ok.get("duplicate")) == (seq, True), (channel, seq, sent.key)

    async def check_people(self):
        guest = await signed_in(self.server, "dev:guest", check=False)
        joined = (await guest.request("channel.list"))["channels"]
        inside = "square" in [each["channel"] for each in joined]
        assert self.ledger.allows(("member", "guest", "square"), inside, False)
        name = (await profile(guest))["name"]
        assert self.ledger.allows(("name", "guest"), name, "guest"), name
        await guest.close()


async def kill_again_and_again(home, rng):
    trial = Killings(home, rng)
    await trial.begin()
    for _ in range(KILLS):
        trial.put_to_work()
        await trial.kill_at_some_moment()
        await trial.start()
        await trial.check()
    trial.put_to_work()
    await trial.finish()
    await trial.check()
    reader = await signed_in(trial.server, f"dev:{READERS[0]}", check=False)
    unchanged = [at for at, sent in trial.ledger.sent.items()
                 if trial.ledger.cells["text", *at] == sent.text]
    assert await found_by(reader, "said") == (sorted(unchanged), True)
    await reader.close()
    sizes = [len(trial.ledger.seqs_of(channel)) for channel in ROOMS]
    assert all(size > KILLS for size in sizes), f"only {sizes} were sent"


@pytest.mark.timeout(120 + KILLS * 10)
def test_what_was_acknowledged_survives_being_killed_at_any_moment(home, rng):
    asyncio.run(kill_again_and_again(home, rng))


@run
async def test_a_hub_killed_while_it_makes_its_directory_leaves_nothing_in_the_way(home, rng):
    for _ in range(10):
        home.interrupt(rng.uniform(0, 0.15), "--durability=commit")
    epochs = set()
    for text in ("one", "two"):
        server = home.start("--durability=commit")
        client = await signed_in(server, "dev:owner")
        if text == "one":
            await client.request("channel.create", channel="room", kind="group")
        await client.request("message.send", channel="room", text=text)
        summary = (await client.request("channel.get", channel="room"))["channel"]
        epochs.add(summary["epoch"])
        server.kill()
    assert summary["seq"] == 2 and len(epochs) == 1
