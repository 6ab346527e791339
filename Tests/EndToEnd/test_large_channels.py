"""Channels of more than a hundred members: numbers instead of lists."""

import asyncio

from stage import fill, run, summary_of

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
