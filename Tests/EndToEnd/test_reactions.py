"""Reactions: one for each user, message and reaction, counted exactly."""

import asyncio
import collections

import pytest

from chat import message_at, nothing_changes, open_direct, until, without
from client import answer, refused
from stage import run, say, summary_of

FAMILY = "👨‍👩‍👧‍👦"
CROWD = 20
STEPS = 40


async def react(client, channel, seq, reaction, on=True):
    op = "reaction.add" if on else "reaction.remove"
    assert await client.request(op, channel=channel, seq=seq, reaction=reaction) == {}


async def reactions(client, channel, seq=1):
    return (await message_at(client, channel, seq)).get("reactions", {})


@pytest.mark.parametrize("kind", ["group", "public", "broadcast", "direct"])
@run
async def test_a_reaction_is_told_to_subscribers_and_counted(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await open_direct(ana, ben) if kind == "direct" else \
        await stage.room(ana, ben, kind=kind)
    for client in (ana, ben):
        await client.request("subscribe", channel=channel)
    await say(ana, channel, "x")
    steps = [(ben, "👍", True, 1), (ana, "👍", True, 2), (ben, "🎉", True, 1),
             (ben, "👍", False, 1), (ana, "👍", False, 0)]
    for rev, (person, reaction, on, count) in enumerate(steps, 1):
        await react(person, channel, 1, reaction, on)
        for client in (ana, ben):
            assert await client.expect("reaction") == {
                "ev": "reaction", "channel": channel, "seq": 1, "user": person.user,
                "reaction": reaction, "on": on, "count": count, "rev": rev}
    assert await reactions(ben, channel) == {"🎉": {"count": 1, "mine": True}}
    assert await reactions(ana, channel) == {"🎉": {"count": 1}}
    assert (await summary_of(ana, channel))["rev"] == len(steps)


@run
async def test_repeating_a_reaction_changes_nothing(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    elsewhere = await stage.again(ben)
    await say(ana, channel, "x")
    async with nothing_changes(channel, ana, ben):
        await react(ben, channel, 1, "👍", on=False)
    await react(ben, channel, 1, "👍")
    async with nothing_changes(channel, ana, ben):
        await react(ben, channel, 1, "👍")
        await react(elsewhere, channel, 1, "👍")
        await react(ana, channel, 1, "👍", on=False)
    await react(elsewhere, channel, 1, "👍", on=False)
    async with nothing_changes(channel, ana, ben):
        await react(ben, channel, 1, "👍", on=False)
    assert "reactions" not in await message_at(ana, channel, 1)


@run
async def test_mine_is_said_in_replies_only_and_to_whom_it_belongs(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.room(ana, ben, cy)
    start = await ben.request("subscribe", channel=channel)
    since = {"epoch": start["epoch"], "seq": 0, "rev": 0}
    await say(ana, channel, "x")
    for client in (ana, ben):
        await react(client, channel, 1, "👍")
    await ana.request("message.edit", channel=channel, seq=1, text="y")
    told = await ben.expect("message.updated")
    assert told["reactions"] == {"👍": {"count": 2}}
    for client, mine in ((ana, {"mine": True}), (ben, {"mine": True}), (cy, {})):
        expected = {"👍": {"count": 2} | mine}
        recovered = await client.request("subscribe", channel=channel, since=since)
        newest = await client.request("subscribe", channel=channel, limit=5)
        summary = await summary_of(client, channel)
        thread = await client.request("message.history", channel=channel, around=1)
        for [message] in (recovered["messages"], newest["messages"], thread["messages"],
                          [summary["last_message"]]):
            assert message["reactions"] == expected


DIFFERENT = ["👍", "👍🏽", "\u2764", "\u2764\ufe0f", FAMILY, "+1", ":tada:", " ", "x" * 32, "👍" * 8,
             "a b", "\u202e", "\u00e9"]


@run
async def test_reactions_are_kept_apart_and_as_they_were_written(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await say(ana, channel, "x")
    for reaction in DIFFERENT:
        await react(ben, channel, 1, reaction)
        assert (await ana.expect("reaction"))["reaction"] == reaction
    shown = await reactions(ana, channel)
    assert shown == {reaction: {"count": 1} for reaction in DIFFERENT}
    for reaction in DIFFERENT:
        await react(ben, channel, 1, reaction, on=False)
        assert (await ana.expect("reaction", on=False))["reaction"] == reaction
    assert await reactions(ana, channel) == {}


@run
async def test_one_character_written_in_two_ways_is_the_same_in_events_and_in_history(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await say(ana, channel, "x")
    composed, decomposed = "\u00e9", "e\u0301"
    steps = [(ana, composed, True), (ben, decomposed, True), (ana, decomposed, True),
             (ben, composed, False), (ana, composed, False)]
    for person, reaction, on in steps:
        await react(person, channel, 1, reaction, on)
        await ana.ping()
        counts = {event["reaction"]: event["count"] for event in ana.events("reaction")}
        shown = await reactions(ana, channel)
        assert {name: each["count"] for name, each in shown.items()} == {
            name: count for name, count in counts.items() if count}, ascii((person.user, reaction))


@run
async def test_a_message_takes_100_different_reactions_and_no_more(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await say(ana, channel, "x")
    each = [{"channel": channel, "seq": 1, "reaction": f"r{index}"} for index in range(100)]
    await ana.many("reaction.add", each)
    more = {"channel": channel, "seq": 1, "reaction": "one more"}
    async with nothing_changes(channel, ana, ben):
        await refused(ben.request("reaction.add", **more), "too_large")
        await refused(ana.request("reaction.add", **more), "too_large")
    await react(ben, channel, 1, "r7")
    await react(ana, channel, 1, "r8", on=False)
    await react(ben, channel, 1, "one more")
    assert len(await reactions(ben, channel)) == 100


@run
async def test_who_leaves_a_channel_leaves_reactions_behind(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind="public")
    await say(ana, channel, "x")
    await react(ben, channel, 1, "👍")
    await ben.request("channel.leave", channel=channel)
    assert await reactions(ana, channel) == {"👍": {"count": 1}}
    assert await reactions(ben, channel) == {"👍": {"count": 1, "mine": True}}
    await refused(ben.request(
        "reaction.remove", channel=channel, seq=1, reaction="👍"), "not_member")
    await ben.request("channel.join", channel=channel)
    await react(ben, channel, 1, "👍", on=False)
    assert await reactions(ana, channel) == {}


async def flip(client, channel, rng, wanted):
    """Adds and removes at random, all requests in flight at once; `wanted` is what must remain."""
    replies = []
    for _ in range(STEPS):
        seq, reaction, on = rng.randrange(1, 4), rng.choice("👍🎉x"), rng.random() < 0.6
        change = set.add if on else set.discard
        change(wanted[seq, reaction], client.user)
        op = "reaction.add" if on else "reaction.remove"
        replies.append(await client.begin(op, channel=channel, seq=seq, reaction=reaction))
    for reply in replies:
        await answer(reply)


def retold(events):
    """Who has reacted how, by the events; each must say the count that results."""
    shown, rev = collections.defaultdict(set), 0
    for event in events:
        at = shown[event["seq"], event["reaction"]]
        assert (event["user"] in at) is not event["on"], f"nothing changed by {event}"
        (at.add if event["on"] else at.discard)(event["user"])
        assert (event["count"], event["rev"]) == (len(at), rev + 1), event
        rev += 1
    return {key: users for key, users in shown.items() if users}


@run
async def test_counts_are_exact_when_many_react_at_once(stage, rng):
    people = await stage.people(*["ana"] * CROWD)
    channel = await stage.shared_room(*people, kind="public")
    await say(people[0], channel, "one", "two", "three")
    wanted = collections.defaultdict(set)
    await asyncio.gather(*(flip(person, channel, rng, wanted) for person in people))
    expected = {key: users for key, users in wanted.items() if users}
    summary = await summary_of(people[0], channel)
    first = None
    for person in people:
        await until(person, lambda: len(person.events("reaction")) == summary["rev"], "reactions")
        told = person.events("reaction")
        first = first or told
        assert told == first and retold(told) == expected
    for seq in (1, 2, 3):
        shown = await reactions(people[0], channel, seq)
        counts = {reaction: each["count"] for reaction, each in shown.items()}
        assert counts == {r: len(users) for (s, r), users in expected.items() if s == seq}
        mine = {reaction for reaction, each in shown.items() if "mine" in each}
        assert mine == {r for (s, r), users in expected.items()
                        if s == seq and people[0].user in users}


@run
async def test_a_reaction_does_not_touch_the_message_otherwise(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await ana.request("message.send", channel=channel, text="x", data=[1], mentions=[ben.user])
    before = await message_at(ben, channel, 1)
    await react(ben, channel, 1, "👍")
    assert without(await message_at(ben, channel, 1), "reactions") == before
    assert (await summary_of(ben, channel))["unread"] == 1
