"""One random world in which everybody does everything; in the end all have seen the same, and
neither a restart nor a snapshot taken in the middle of it shows anything else."""

import asyncio
import collections

import pytest

from chat import all_messages, recount, until, without
from home import home_fixture, signed_in, snapshot, stop  # the fixture is `home`
from stage import run
from world import BLOCKED, BLOCKER, DEEDS, Person, World, device_of, settle_in

COMMIT = ("--durability=commit",)
PEOPLE = 10  # of whom two have two devices
STEPS = 150
APART = (f"p{BLOCKER}", f"p{BLOCKED}")


def bare(message):
    """A message as everybody sees it alike."""
    shown = without(message, "key", "reply_count")
    if "reactions" in shown:
        shown["reactions"] = {name: each["count"] for name, each in shown["reactions"].items()}
    return shown


async def seen_by(server, user):
    """What somebody sees who comes anew: summaries and messages of their channels."""
    fresh = await device_of(server, user)
    summaries = {each["channel"]: each for each in fresh.welcome["user_stream"]["channels"]}
    messages = {channel: await all_messages(fresh, channel) for channel in summaries}
    await fresh.close()
    return summaries, messages


def assert_whole(messages):
    """No holes, times in order, and replies counted as they stand there."""
    assert [each["seq"] for each in messages] == list(range(1, len(messages) + 1))
    if any("hidden" in each for each in messages):
        return
    times = [each["ts"] for each in messages]
    assert times == sorted(times)
    replies = collections.Counter(
        each.get("reply_to") for each in messages if "deleted_ts" not in each)
    for each in messages:
        assert each.get("reply_count", 0) == replies[each["seq"]], each


def assert_true(world, channel, messages):
    """What is there is what was said, and exactly those have reacted who did."""
    for each in messages:
        at = channel, each["seq"]
        if "deleted_ts" in each or "hidden" in each:
            continue
        assert each["text"] == world.said[at], at
        reacted = {name: len(users) for (c, seq, name), users in world.reacted.items()
                   if (c, seq) == at and users}
        counts = {name: shown["count"] for name, shown in each.get("reactions", {}).items()}
        assert counts == reacted, at


def assert_consistent(user, summaries, messages):
    """Summaries and numbers say what the messages say."""
    for channel, shown in messages.items():
        assert_whole(shown)
        summary = summaries[channel]
        assert summary["seq"] == len(shown)
        assert summary.get("last_message") == (shown[-1] if shown else None)
        unread, mentions = recount(shown, user, summary["read"])
        assert summary["unread"] == unread, (user, channel)
        if user not in APART:  # a mention between these two does not count
            assert summary["mentions"] == mentions, (user, channel)


def assert_alike(seen):
    """All but the blocker see the same in the group, and each reaction has one owner."""
    everybody = [messages["group"] for index, (_, messages) in enumerate(seen) if index != BLOCKER]
    assert all(list(map(bare, each)) == list(map(bare, everybody[0])) for each in everybody)
    for at, message in enumerate(everybody[0]):
        for name, shown in message.get("reactions", {}).items():
            views = [messages["group"][at].get("reactions", {}) for _, messages in seen]
            mine = sum(view.get(name, {}).get("mine", False) for view in views)
            assert shown["count"] - mine in (0, 1), (message["seq"], name)  # 1: the blocker's


async def assert_heard(world, person, summaries, messages):
    """The person's devices have by events and recovery what the hub shows."""
    for channel, shown in messages.items():
        assert_true(world, channel, shown)
        for device in person.devices:
            replica = device.replicas[channel]
            assert replica.messages == [without(each, "reply_count") for each in shown]
            position = summaries[channel]["seq"], summaries[channel]["rev"]
            assert (replica.at["seq"], replica.at["rev"]) == position
            if world.kinds[channel] != "broadcast":
                unread = summaries[channel]["unread"]
                await until(device, lambda: device.unread.get(channel, 0) == unread,
                            f"unread {unread} of {channel}")


async def populate(server, world, rng):
    people = []
    for number in range(PEOPLE):
        devices = [await device_of(server, f"p{number}") for _ in range(2 if number < 2 else 1)]
        people.append(Person(world, devices, f"{rng.random()}"))
    await settle_in(world, people)
    return people


async def wake(world, people):
    """Every device subscribes again to everything of its person."""
    for person in people:
        for device in person.devices:
            for channel, users in world.members.items():
                if person.user in users and channel not in device.live:
                    assert await device.subscribe(channel) == "ok"
            await device.ping()


@run
async def test_a_world_of_everything_is_seen_alike_by_all(home, rng):
    server, world = home.start(*COMMIT), World()
    people = await populate(server, world, rng)
    await asyncio.gather(*(person.live(STEPS) for person in people))
    await wake(world, people)
    seen = [await seen_by(server, person.user) for person in people]
    for person, (summaries, messages) in zip(people, seen, strict=True):
        assert_consistent(person.user, summaries, messages)
        await assert_heard(world, person, summaries, messages)
    assert_alike(seen)
    assert len({deed for deed, code in world.done if code in (None, "ok")}) == len(DEEDS)

    await stop(server)
    server = home.start(*COMMIT)
    for person, (summaries, messages) in zip(people, seen, strict=True):
        after, same = await seen_by(server, person.user)
        assert same == messages
        for channel, summary in summaries.items():
            assert without(after[channel], "present_count") == without(summary, "present_count")


@pytest.mark.parametrize("durability", ["commit", "none"])
@run
async def test_a_snapshot_amid_everything_is_one_moment(home, rng, durability):
    server, world = home.start(f"--durability={durability}"), World()
    people = await populate(server, world, rng)
    admin = await signed_in(server, "dev-admin:root")
    living = asyncio.gather(*(person.live(STEPS) for person in people))
    while not living.done():
        await snapshot(admin)
        for _ in range(rng.randrange(20)):
            await admin.ping()
    await living
    before = [(await seen_by(server, person.user))[1] for person in people]
    server.kill()
    server = home.start(f"--durability={durability}")
    seen = [await seen_by(server, person.user) for person in people]
    for person, (summaries, messages) in zip(people, seen, strict=True):
        assert_consistent(person.user, summaries, messages)
        for channel, shown in messages.items():
            for each in shown:
                if "text" in each:
                    assert each["text"] in world.ever_said[channel, each["seq"]]
    assert_alike(seen)
    if durability == "commit":
        assert [messages for _, messages in seen] == before
