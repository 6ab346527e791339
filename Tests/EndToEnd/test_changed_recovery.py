"""Recovery with a `rev`: what changed of what one already has, and never a part of it."""

import asyncio

import pytest

from chat import history, without
from replica import Replica
from stage import fill, run, say, seqs


async def subscribe(client, channel, **since):
    arguments = {"since": since} if since else {}
    return await client.request("subscribe", channel=channel, **arguments)


async def position(client, channel):
    reply = await subscribe(client, channel)
    return {"epoch": reply["epoch"], "seq": reply["seq"], "rev": reply["rev"]}


async def edit(client, channel, *which):
    await client.many("message.edit", [
        {"channel": channel, "seq": seq, "text": f"edited {seq}"} for seq in which])


@run
async def test_changed_holds_what_was_edited_deleted_or_reacted_to(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await fill(ana, channel, 8)
    await edit(ana, channel, 8)
    await ana.request("reaction.add", channel=channel, seq=5, reaction="x")
    at = await position(ben, channel)
    await edit(ana, channel, 2)
    await ana.request("message.delete", channel=channel, seq=3)
    await ana.request("reaction.add", channel=channel, seq=4, reaction="y")
    await ana.request("reaction.remove", channel=channel, seq=5, reaction="x")
    await say(ana, channel, "new", "newer")
    await edit(ana, channel, 9)
    reply = await subscribe(ben, channel, **at)
    assert (reply["recovered"], reply["seq"], reply["rev"]) == (True, 10, at["rev"] + 5)
    everything = {message["seq"]: message for message in await history(ben, channel)}
    assert sorted(seqs(reply["changed"])) == [2, 3, 4, 5]
    assert all(message == everything[message["seq"]] for message in reply["changed"])
    assert reply["messages"] == [everything[9], everything[10]]
    assert everything[9]["text"] == "edited 9"


@run
async def test_changed_is_there_only_when_a_rev_is_given(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    await fill(ana, channel, 3)
    at = await position(ana, channel)
    await edit(ana, channel, 1)
    assert "changed" not in await subscribe(ana, channel, **without(at, "rev"))
    assert seqs((await subscribe(ana, channel, **at))["changed"]) == [1]
    now = await position(ana, channel)
    assert (await subscribe(ana, channel, **now))["changed"] == []
    assert "changed" not in await subscribe(ana, channel, **at | {"epoch": "another"})


@run
async def test_each_changed_message_comes_once_in_its_present_state(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    await fill(ana, channel, 3)
    at = await position(ana, channel)
    for _ in range(5):
        await edit(ana, channel, 1, 2)
        await ana.request("reaction.add", channel=channel, seq=2, reaction="x")
    await ana.request("message.delete", channel=channel, seq=1)
    reply = await subscribe(ana, channel, **at)
    assert sorted(seqs(reply["changed"])) == [1, 2]
    for message in reply["changed"]:
        assert ("deleted_ts" in message) is (message["seq"] == 1)


# Limits: 1,000 messages altogether, or 384 KiB

@pytest.mark.parametrize("new, changed, recovered", [
    (600, 400, True), (600, 401, False), (0, 1000, True), (999, 1, True), (1000, 1, False)])
@run
async def test_no_more_than_1000_messages_are_recovered_altogether(stage, new, changed, recovered):
    ana = await stage.signed_in(f"dev:{stage.name()}", check=False)
    channel = await stage.room(ana)
    await fill(ana, channel, changed)
    at = await position(ana, channel)
    await edit(ana, channel, *range(1, changed + 1))
    await fill(ana, channel, new)
    reply = await subscribe(ana, channel, **at)
    assert reply["recovered"] is recovered
    if recovered:
        assert sorted(seqs(reply["changed"])) == list(range(1, changed + 1))
        assert seqs(reply["messages"]) == list(range(changed + 1, changed + new + 1))
    else:
        assert reply["messages"] == [] and "changed" not in reply


@run
async def test_large_changes_are_recovered_whole_or_not_at_all(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    await fill(ana, channel, 6)
    at = await position(ana, channel)
    for seq in range(1, 7):
        await ana.request("message.edit", channel=channel, seq=seq, data="x" * 100_000)
        reply = await subscribe(ana, channel, **at)
        assert reply["recovered"] is (seq <= 3)
        assert sorted(seqs(reply.get("changed", []))) == [1, 2, 3][:seq] * (seq <= 3)


@run
async def test_a_change_of_what_has_left_the_memory_is_recovered(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    await fill(ana, channel, 300)
    at = await position(ana, channel)
    await edit(ana, channel, 5)
    await fill(ana, channel, 1200)
    for seq in (300, 500, 501, 1400, 1500):
        reply = await subscribe(ana, channel, **at | {"seq": seq})
        assert reply["recovered"] is (seq > 500), f"since {seq}"
        assert seqs(reply.get("changed", [])) == [5] * (seq > 500)
        assert seqs(reply["messages"]) == list(range(seq + 1, 1501)) * (seq > 500)
    later = await position(ana, channel)
    reply = await subscribe(ana, channel, **later | {"seq": 1400})
    assert (reply["recovered"], reply["changed"]) == (True, [])


# Coming and going among changes

class Reader:
    """Comes and goes, and keeps a copy of the channel."""

    def __init__(self, client, channel, rng):
        self.client, self.rng = client, rng
        self.copy = Replica(channel, client.user)

    async def read(self, rounds):
        for _ in range(rounds):
            self.copy.begin(await self.client.request("subscribe", **self.copy.subscription()))
            for _ in range(self.rng.randrange(4)):
                await self.client.ping()
            await self.client.request("unsubscribe", channel=self.copy.channel)
            events, self.client.pending = self.client.pending, []
            for event in events:
                self.copy.take(event)


async def meddle(client, channel, rng, steps):
    """Sends, edits, deletes and reacts at random, in bursts; refusals do not matter."""
    for _ in range(steps):
        for _ in range(rng.randrange(1, 5)):
            at = {"channel": channel, "seq": rng.randrange(1, 60)}
            text = f"{client.user} {rng.random()}"
            op, more = rng.choice([
                ("message.send", {"text": text}), ("message.edit", {"text": text}),
                ("message.edit", {"data": text}), ("message.delete", {}),
                *[("reaction.add", {"reaction": rng.choice("👍🎉x")})] * 3,
                ("reaction.remove", {"reaction": rng.choice("👍🎉x")})])
            await client.begin(op, **at | more)
        await client.ping()


@run
async def test_who_comes_and_goes_among_changes_has_every_one_of_them(stage, rng):
    people = await stage.people(*["meddler"] * 3, *["reader"] * 5)
    channel = await stage.room(*people, kind="public")
    for person in people[:3]:
        await fill(person, channel, 10)
    readers = [Reader(client, channel, rng) for client in people[3:]]
    own = [Reader(await stage.again(client), channel, rng) for client in people[:2]]
    for reader in readers + own:
        await reader.read(1)
    await asyncio.gather(
        *(meddle(client, channel, rng, 60) for client in people),
        *(reader.read(30) for reader in readers + own))
    for reader in readers + own:
        await reader.read(1)
        newest = await reader.client.request("subscribe", channel=channel, limit=300)
        assert newest["rev"] == reader.copy.at["rev"] > 100
        assert [without(each, "reply_count") for each in newest["messages"]] == \
            reader.copy.messages
