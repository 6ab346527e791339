"""Channels of more than a hundred members: numbers instead of lists."""

import asyncio

from chat import ghosts, nothing_told
from stage import fill, run, say, summary_of

CROWD = 101


async def crowd_in(stage, channel):
    """People who have joined a channel, more than a list may name."""
    people = await asyncio.gather(*(stage.person("crowd") for _ in range(CROWD)))
    await asyncio.gather(*(each.request("channel.join", channel=channel) for each in people))
    return people


async def all_of(people, op, **arguments):
    await asyncio.gather(*(each.request(op, **arguments) for each in people))


@run
async def test_members_of_a_large_channel_are_told_numbers(stage):
    ana = await stage.person()
    channel = await stage.room(ana, kind="public")
    people = await crowd_in(stage, channel)
    assert (await summary_of(ana, channel))["member_count"] == CROWD + 1
    await ana.request("subscribe", channel=channel)
    await receipts_are_counted(ana, people, channel)
    await typing_is_counted(ana, people, channel)
    await joining_is_not_told(stage, ana, channel)


async def receipts_are_counted(ana, people, channel):
    await fill(ana, channel, 3)
    await all_of(people, "read", channel=channel, seq=3)
    counted = (CROWD, CROWD + 1)  # with or without the sender
    last = await ana.expect(
        "receipt", channel=channel, read_by=lambda by: by and by.get("3") in counted)
    assert "user" not in last
    assert len(ana.events("receipt")) < CROWD
    final = {}
    for event in ana.events("receipt"):
        final |= event["read_by"]
    assert set(final) <= {"1", "2", "3"}
    assert all(count in counted for count in final.values())


async def typing_is_counted(ana, people, channel):
    await all_of(people, "typing", channel=channel, on=True)
    await ana.expect("typing", channel=channel, count=CROWD)
    await people[0].request("typing", channel=channel, on=False)
    event = await ana.expect("typing", channel=channel, users=lambda users: users is not None
                             and len(users) == CROWD - 1 and people[0].user not in users)
    assert "count" not in event


async def joining_is_not_told(stage, ana, channel):
    await ana.settle()
    late = await stage.person("late")
    await late.request("channel.join", channel=channel)
    await ana.nothing("member")


async def large_channel(stage, *people, kind="group", count=CROWD):
    """A channel of these people and others who never come; the people are subscribed."""
    channel = await stage.shared_room(*people, kind=kind)
    absent = await ghosts(stage, count - len(people))
    await people[0].request("member.add", channel=channel, users=absent)
    for client in people:
        await client.settle()
    return channel, absent


@run
async def test_what_happens_to_a_member_of_a_large_channel_is_told_to_that_person_only(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    phone = await stage.again(ben)
    channel, _ = await large_channel(stage, ana, ben, cy, count=CROWD + 1)
    at = {"channel": channel}
    steps = [
        (ana, "member.role", {"user": ben.user, "role": "moderator"}, "updated"),
        (ben, "member.update", {"custom": [1]}, "updated"),
        (ana, "member.remove", {"users": [ben.user]}, "removed"),
        (ana, "member.add", {"users": [ben.user]}, "joined"),
        (ana, "member.ban", {"user": ben.user}, "banned")]
    async with nothing_told(ana, cy):
        for actor, op, arguments, change in steps:
            await actor.request(op, **at | arguments)
            for client in (ben, phone):
                told = await client.expect("member")
                assert (told["user"], told["change"]) == (ben.user, change)
    await ben.expect("unsubscribed", reason="removed")


@run
async def test_at_a_hundred_members_everybody_is_told_by_name(stage):
    ana, ben = await stage.people("ana", "ben")
    channel, absent = await large_channel(stage, ana, ben, count=CROWD - 1)
    await say(ana, channel, "x")
    steps = [("member.add", 101, False), ("member.remove", 100, True)]
    [late] = await ghosts(stage, 1)
    for op, count, is_named in steps:
        await ana.request(op, channel=channel, users=[late])
        assert (await summary_of(ben, channel))["member_count"] == count
        await ben.settle()
        await ana.request("member.role", channel=channel, user=absent[0],
                          role="member" if is_named else "moderator")
        await ana.request("presence.set", status="away" if is_named else "dnd")
        await ana.request("user.update", name=f"Ana of {count}")
        if is_named:
            assert (await ben.expect("member"))["role"] == "member"
            assert (await ben.expect("presence"))["status"] == "away"
            assert (await ben.expect("user"))["user"]["name"] == "Ana of 100"
        for ev in ("member", "presence", "user"):
            await ben.nothing(ev)
