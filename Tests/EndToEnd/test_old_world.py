"""The random world of everything in a hub with little memory, from which its channels are driven
out again and again: nobody notices, nor does the next hub."""

import asyncio

import pytest

from archive import LITTLE_MEMORY, drive_all_out, reopened
from chat import without
from home import home_fixture  # the fixture is `home`
from stage import run
from test_conversation_soak import (
    assert_alike, assert_consistent, assert_heard, populate, seen_by, wake)
from world import World

PHASES, STEPS = 4, 35


@pytest.mark.parametrize("how", ["stop", "kill"])
@run
async def test_a_world_driven_out_of_memory_is_seen_alike_by_all(home, how, rng):
    server, world = home.start(*LITTLE_MEMORY), World()
    people = await populate(server, world, rng)
    for phase in range(PHASES):
        await asyncio.gather(*(person.live(STEPS) for person in people))
        await drive_all_out(server, phase)
    await wake(world, people)
    seen = [await seen_by(server, person.user) for person in people]
    for person, (summaries, messages) in zip(people, seen, strict=True):
        assert_consistent(person.user, summaries, messages)
        await assert_heard(world, person, summaries, messages)
    assert_alike(seen)

    server = await reopened(home, how)
    for person, (summaries, messages) in zip(people, seen, strict=True):
        after, same = await seen_by(server, person.user)
        assert same == messages
        for channel, summary in summaries.items():
            assert without(after[channel], "present_count") == without(summary, "present_count")
