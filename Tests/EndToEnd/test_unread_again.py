"""Unread numbers under edits, deletions, blocks and reading back: they never drift."""

import asyncio

import pytest

from chat import (
    all_messages, assert_ended, expect_unread, ghosts, history, last_unread, members,
    nothing_told, recount, until)
from client import refused
from stage import fill, run, say, summary_of

STEPS = 100


async def back_to(client, channel, seq):
    assert await client.request("read.unread", channel=channel, seq=seq) == {}


async def read(client, channel, seq):
    await client.request("read", channel=channel, seq=seq)


async def delete(client, channel, *which):
    await client.many("message.delete", [{"channel": channel, "seq": seq} for seq in which])


# Reading back

@pytest.mark.parametrize("kind", ["group", "public"])
@run
async def test_reading_back_moves_the_pointer_before_the_message(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben, kind=kind)
    elsewhere = await stage.again(ben)
    await fill(ana, channel, 5)
    await read(ben, channel, 5)
    await ana.expect("receipt", read=5)
    async with nothing_told(ana):
        await back_to(ben, channel, 3)
    told = await elsewhere.expect("receipt", read=2)
    assert (told["channel"], told["user"], told["delivered"]) == (channel, ben.user, 5)
    for client in (ben, elsewhere):
        await expect_unread(client, channel, 3)
    shown = (await members(ana, channel))[ben.user]
    assert (shown["read"], shown["delivered"]) == (2, 5)
    await back_to(ben, channel, 1)
    await expect_unread(ben, channel, 5)
    await read(ben, channel, 4)
    await expect_unread(ben, channel, 1)


@run
async def test_reading_back_needs_a_message_of_the_channel(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await fill(ana, channel, 3)
    await read(ben, channel, 3)
    for seq in (0, 4, 2**53 - 1, -1):
        await refused(ben.request("read.unread", channel=channel, seq=seq), "bad_request")
    assert (await summary_of(ben, channel))["read"] == 3


@run
async def test_pointers_stay_in_order_whatever_is_asked(stage, rng):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await fill(ana, channel, 20)
    for _ in range(60):
        op = rng.choice(["read", "delivered", "read.unread"])
        await ben.request(op, channel=channel, seq=rng.randrange(1, 21))
        shown = (await members(ana, channel))[ben.user]
        assert 0 <= shown["read"] <= shown["delivered"] <= 20
        summary = await summary_of(ben, channel)
        assert (summary["read"], summary["unread"]) == (shown["read"], 20 - shown["read"])


# What counts

@run
async def test_a_deleted_message_is_no_longer_unread(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await fill(ana, channel, 4)
    await ana.request("message.send", channel=channel, text="x", mentions=[ben.user])
    await expect_unread(ben, channel, 5, 1)
    await delete(ana, channel, 2, 5)
    await expect_unread(ben, channel, 3)
    await read(ben, channel, 3)
    await expect_unread(ben, channel, 1)
    await delete(ana, channel, 1)
    await expect_unread(ben, channel, 1)


@run
async def test_an_edit_changes_mentions_and_not_the_number(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.room(ana, ben, cy)
    await fill(ana, channel, 2)
    steps = [([ben.user], 1, 0), ([cy.user, ben.user], 1, 1), (["@channel"], 1, 1),
             ([cy.user], 0, 1), ([], 0, 0)]
    for mentions, bens, cys in steps:
        await ana.request("message.edit", channel=channel, seq=2, mentions=mentions)
        for client, expected in ((ben, bens), (cy, cys)):
            summary = await summary_of(client, channel)
            assert (summary["unread"], summary["mentions"]) == (2, expected)
    await expect_unread(ben, channel, 2)
    await read(ben, channel, 2)
    await ana.request("message.edit", channel=channel, seq=2, mentions=[ben.user])
    await expect_unread(ben, channel, 0)


@run
async def test_reactions_and_ones_own_messages_are_not_unread(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await fill(ana, channel, 3)
    await ben.request("read", channel=channel, seq=3)
    await ana.request("reaction.add", channel=channel, seq=1, reaction="x")
    await say(ben, channel, "mine", "mine too")
    await back_to(ben, channel, 3)
    await expect_unread(ben, channel, 1)


@run
async def test_blocking_takes_the_messages_out_of_the_numbers(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.room(ana, ben, cy)
    await ana.request("message.send", channel=channel, text="x", mentions=["@channel"])
    await fill(ben, channel, 2)
    await expect_unread(cy, channel, 3, 1)
    await cy.request("user.block", user=ana.user)
    await expect_unread(cy, channel, 2)
    await fill(ana, channel, 2)
    await fill(ben, channel, 1)
    await expect_unread(cy, channel, 3)
    await cy.request("user.unblock", user=ana.user)
    unread = len([m for m in await history(cy, channel) if "hidden" not in m])
    assert unread == 6
    await expect_unread(cy, channel, 6, 1)


@run
async def test_the_number_is_exact_again_below_a_thousand(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await fill(ana, channel, 1010)
    for which, left in ((range(1000, 1011), 999), (range(500, 600), 899)):
        await delete(ana, channel, *which)
        assert (await summary_of(ben, channel))["unread"] == left
    await fill(ana, channel, 3)
    assert (await summary_of(ben, channel))["unread"] == 902
    await expect_unread(ben, channel, 902)


@run
async def test_more_than_a_thousand_stay_a_thousand_whatever_is_deleted(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await fill(ana, channel, 1200)
    await delete(ana, channel, *range(1190, 1201))
    await fill(ana, channel, 50)
    assert (await summary_of(ben, channel))["unread"] == 1000


# Recounting

class Scene:
    """Five people in a channel, the first two of whom never mention each other: one of them
    blocks the other now and then."""

    def __init__(self, people, channel, rng):
        self.people, self.channel, self.rng = people, channel, rng
        self.own = {person.user: [] for person in people}

    def mentions(self, person):
        apart = self.people[:2] if person in self.people[:2] else []
        free = [each.user for each in self.people if each not in apart]
        return self.rng.sample(free, self.rng.randrange(3))

    async def step(self):
        rng, person = self.rng, self.rng.choice(self.people)
        own, at = self.own[person.user], {"channel": self.channel}
        match rng.choice(["send"] * 6 + ["edit", "delete", "read", "back", "block", "unblock"]):
            case "send":
                sent = await person.request(
                    "message.send", **at, text="x", mentions=self.mentions(person))
                own.append(sent["seq"])
            case "edit" if own:
                await person.request(
                    "message.edit", **at, seq=rng.choice(own), mentions=self.mentions(person))
            case "delete" if own:
                await person.request("message.delete", **at, seq=own.pop(rng.randrange(len(own))))
            case "read" | "back" as word:
                newest = (await summary_of(person, self.channel))["seq"]
                op = {"read": "read", "back": "read.unread"}[word]
                if newest:
                    await person.request(op, **at, seq=rng.randrange(1, newest + 1))
            case "block" | "unblock" as word:
                await self.people[0].request(f"user.{word}", user=self.people[1].user)


@run
async def test_the_numbers_equal_a_recount_whatever_happened(stage, rng):
    people = await stage.people("ana", "ben", "cy", "dan", "eve")
    kind = rng.choice(["group", "public"])
    other, channel = await stage.room(*people), await stage.room(*people, kind=kind)
    await fill(people[4], other, 2)
    scene = Scene(people, channel, rng)
    for step in range(STEPS):
        await scene.step()
        if step % 10 and step < STEPS - 1:
            continue
        for person in people:
            messages = await all_messages(person, channel)
            assert [each["seq"] for each in messages] == list(range(1, len(messages) + 1))
            summary = await summary_of(person, channel)
            expected = recount(messages, person.user, summary["read"])
            assert (summary["unread"], summary["mentions"]) == expected, person.user
    for person in people:
        summary = await summary_of(person, channel)
        expected = summary["unread"], summary["mentions"]
        await until(person, lambda: last_unread(person, channel) == expected, f"{expected}")
        total = expected[0] + (0 if person is people[4] else 2)
        assert [each["total"] for each in person.events("unread", channel=channel)][-1:] in (
            [total], []), person.user
        elsewhere = await stage.again(person)
        listed = elsewhere.welcome["user_stream"]["channels"]
        [shown] = [each for each in listed if each["channel"] == channel]
        assert (shown["unread"], shown["mentions"]) == expected


@pytest.mark.parametrize("end", ["left", "removed", "banned", "deleted"])
@run
async def test_what_one_no_longer_has_leaves_the_total(stage, end):
    ana, ben = await stage.people("ana", "ben")
    gone, kept = await stage.shared_room(ana, ben), await stage.room(ana, ben)
    phone = await stage.again(ben)
    await fill(ana, kept, 2)
    await fill(ana, gone, 3)
    for client in (ben, phone):
        await client.expect("unread", total=5)
    op, arguments = {"left": ("channel.leave", {}), "deleted": ("channel.delete", {}),
                     "removed": ("member.remove", {"users": [ben.user]}),
                     "banned": ("member.ban", {"user": ben.user})}[end]
    await (ben if end == "left" else ana).request(op, channel=gone, **arguments)
    for client in (ben, phone):
        await client.expect("unread", total=2)
    await assert_ended(ben, gone, end)


@run
async def test_unread_is_told_at_once_when_one_did_it_oneself(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await fill(ana, channel, 5)
    await expect_unread(ben, channel, 5)
    for seq in (1, 2, 3, 4):
        await read(ben, channel, seq)
        await ben.ping()
        assert last_unread(ben, channel) == (5 - seq, 0)
    for seq in (4, 3, 2):
        await back_to(ben, channel, seq)
        await ben.ping()
        assert last_unread(ben, channel) == (6 - seq, 0)


@run
async def test_many_people_each_have_their_own_numbers(stage):
    ana, *others = await stage.people(*["ana"] * 8)
    channel = await stage.room(ana, *others)
    await ana.request("member.add", channel=channel, users=await ghosts(stage, 100))
    await fill(ana, channel, 20)
    await asyncio.gather(*(
        read(person, channel, 2 * number) for number, person in enumerate(others)))
    await delete(ana, channel, 1, 20)
    for number, person in enumerate(others):
        await expect_unread(person, channel, 19 - 2 * number - (number == 0))
