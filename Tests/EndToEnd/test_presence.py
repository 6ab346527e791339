"""Presence: one for each person, however many connections; who is told, and when."""

import asyncio
import time

import pytest

from chat import NOBODY, code_of, ghosts, open_direct, statuses
from client import refused
from stage import run, say, summary_of

GRACE = 10  # seconds after the last connection went
LARGE = 101


async def appear(client, status):
    assert await client.request("presence.set", status=status) == {}


async def channel_presence(client, *channels):
    return (await client.request("presence.get", channels=list(channels)))["channels"]


async def newcomer(stage, ana):
    """Somebody who has never come, in a group with ana; the id and the group."""
    [user] = await ghosts(stage, 1)
    group = await stage.room(ana)
    await ana.request("member.add", channel=group, users=[user])
    await ana.settle()
    return user, group


# Who is told

@run
async def test_whose_first_connection_comes_is_told_online_once(stage):
    ana, stranger = await stage.people("ana", "stranger")
    elsewhere = await stage.again(ana)
    user, _ = await newcomer(stage, ana)
    ben = await stage.signed_in(f"dev:{user}")
    for client in (ana, elsewhere):
        told = await client.expect("presence")
        assert (told["user"], told["status"]) == (user, "online")
    phone = await stage.again(ben)
    await phone.close()
    for client in (ana, elsewhere, ben, stranger):
        await client.nothing("presence")


@pytest.mark.parametrize("kind", ["group", "public", "broadcast", "direct"])
@run
async def test_a_status_is_told_to_those_who_share_a_channel(stage, kind):
    ana, ben, stranger = await stage.people("ana", "ben", "stranger")
    phone = await stage.again(ben)
    if kind == "direct":
        await open_direct(ana, ben)
    else:
        await stage.room(ana, ben, kind=kind)
    steps = [("away", "away"), ("dnd", "dnd"), ("invisible", "offline"), ("online", "online")]
    for status, shown in steps:
        for client in (ben, phone):
            await appear(client, status)
        told = await ana.expect("presence")
        assert (told["user"], told["status"]) == (ben.user, shown)
        for client in (ana, ben, phone, stranger):
            await client.nothing("presence")
        assert await statuses(ana, ben) == [shown]


@run
async def test_who_shares_several_channels_is_told_once(stage):
    ana, ben = await stage.people("ana", "ben")
    for _ in range(3):
        await stage.shared_room(ana, ben)
    await appear(ben, "away")
    await ana.expect("presence")
    await ana.nothing("presence")


@run
async def test_who_no_longer_shares_a_channel_is_not_told(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.room(ana, ben, cy)
    await cy.request("channel.leave", channel=channel)
    await appear(ben, "away")
    await ana.expect("presence")
    await cy.nothing("presence")


@run
async def test_a_large_channel_tells_numbers_to_its_subscribers(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind="public")
    await ana.request("member.add", channel=channel, users=await ghosts(stage, 100))
    watcher, idle = await stage.person("watcher"), await stage.person("idle")
    await idle.request("channel.join", channel=channel)
    await watcher.request("subscribe", channel=channel)
    await ana.request("subscribe", channel=channel)
    for client in (ana, watcher):
        await client.settle()
    start = time.monotonic()
    await appear(ben, "invisible")
    for client in (ana, watcher):
        assert (await client.expect("present", channel=channel, count=2))["count"] == 2
    for _ in range(10):
        await appear(ben, "online")
        await appear(ben, "invisible")
    await appear(ben, "online")
    for client in (ana, watcher):
        await client.expect("present", channel=channel, count=3)
        assert len(client.events("present")) <= time.monotonic() - start + 2
        await client.nothing("presence")
    await idle.nothing("present")
    [shown] = (await channel_presence(ana, channel)).values()
    assert (shown["count"], len(shown["users"])) == (3, 3)


# Asking

@run
async def test_people_are_shown_in_the_order_asked_for(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    [ghost] = await ghosts(stage, 1)
    await stage.room(ana, ben, cy)
    await appear(ben, "dnd")
    asked = [cy.user, NOBODY, ben.user, ghost, ana.user]
    shown = (await ana.request("presence.get", users=asked))["presence"]
    assert [(each["user"], each["status"]) for each in shown] == [
        (cy.user, "online"), (NOBODY, "offline"), (ben.user, "dnd"), (ghost, "offline"),
        (ana.user, "online")]
    assert all("last_seen_ts" not in shown[index] for index in (1, 3))


@run
async def test_several_channels_are_asked_for_in_one_call(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    one, two = await stage.room(ana, ben), await stage.room(ana, ben, cy, kind="public")
    [ghost] = await ghosts(stage, 1)
    await ana.request("member.add", channel=one, users=[ghost])
    await appear(cy, "invisible")
    shown = await channel_presence(ana, one, two)
    assert list(shown) == [one, two] and [each["count"] for each in shown.values()] == [2, 2]
    assert all(set(each["users"]) == {ana.user, ben.user} for each in shown.values())
    await refused(channel_presence(cy, two, one), "not_found")
    assert await code_of(channel_presence(ana, one, stage.name("missing"))) == "not_found"


@pytest.mark.parametrize("status, count", [
    ("online", 2), ("away", 2), ("dnd", 2), ("invisible", 1)])
@run
async def test_all_but_the_invisible_are_counted(stage, status, count):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await appear(ben, status)
    for client in (ana, ben):
        assert (await summary_of(client, channel))["present_count"] == count
        [shown] = (await channel_presence(client, channel)).values()
        assert (shown["count"], len(shown["users"])) == (count, count)
        [listed] = (await client.request("channel.list"))["channels"]
        assert listed["present_count"] == count


@run
async def test_a_hundred_are_named_and_one_more_is_a_number(stage):
    owner = await stage.person()
    channel = await stage.room(owner, kind="public")
    people = await asyncio.gather(*(stage.person("crowd") for _ in range(99)))
    await asyncio.gather(*(each.request("channel.join", channel=channel) for each in people))
    [shown] = (await channel_presence(owner, channel)).values()
    assert (shown["count"], len(set(shown["users"]))) == (100, 100)
    late = await stage.person("late")
    await late.request("channel.join", channel=channel)
    assert await channel_presence(owner, channel) == {channel: {"count": LARGE}}


@run
async def test_who_is_invisible_may_do_everything(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await appear(ben, "invisible")
    await say(ben, channel, "from nowhere")
    assert (await ana.expect("message"))["user"] == ben.user
    assert await statuses(ana, ben) == ["offline"]


# Going

async def goes(stage):
    """Ten seconds after the last connection went, and not before, somebody is offline."""
    ana, ben = await stage.people("ana", "ben")
    phone = await stage.again(ben)
    channel = await stage.room(ana, ben)
    await phone.abort()
    await ana.tick()
    start, last = time.monotonic(), await ana.ping()
    await ben.close()
    assert await statuses(ana, ben) == ["online"]
    assert (await summary_of(ana, channel))["present_count"] == 2
    told = await ana.expect("presence", within=GRACE * 2)
    assert (told["user"], told["status"]) == (ben.user, "offline")
    assert time.monotonic() - start > GRACE - 1
    shown = (await ana.request("presence.get", users=[ben.user]))["presence"]
    assert shown == [{"user": ben.user, "status": "offline",
                      "last_seen_ts": told["last_seen_ts"]}]
    assert last - 1000 <= told["last_seen_ts"] <= await ana.ping()
    assert (await summary_of(ana, channel))["present_count"] == 1


async def comes_back_in_time(stage):
    """Nobody learns of a connection that was lost and made again."""
    ana, ben = await stage.people("ana", "ben")
    await stage.room(ana, ben)
    for _ in range(3):
        await ben.abort()
        await asyncio.sleep(GRACE / 3)  # clock: less than the grace
        ben = await stage.again(ben)
    await asyncio.sleep(GRACE / 3)  # clock: the grace of the first loss is over
    await ana.nothing("presence")
    assert await statuses(ana, ben) == ["online"]


async def keeps_one_socket(stage):
    """One of two connections does for both."""
    ana, ben = await stage.people("ana", "ben")
    await stage.room(ana, ben)
    await (await stage.again(ben)).close()
    await asyncio.sleep(GRACE * 1.2)  # clock: longer than the grace
    await ana.nothing("presence")


async def comes_again(stage, status, shown):
    """A status is remembered while one is away, but for `away` itself."""
    ana, ben = await stage.people("ana", "ben")
    await stage.room(ana, ben)
    await appear(ben, status)
    await ana.expect("presence")
    await ben.close()
    await ana.expect("presence", status="offline", within=GRACE * 2)
    back = await stage.again(ben)
    assert (await ana.expect("presence"))["status"] == shown
    assert await statuses(back, ana, back) == ["online", shown]


async def goes_unseen(stage):
    """Of who is invisible, neither going nor coming is told."""
    ana, ben = await stage.people("ana", "ben")
    await stage.room(ana, ben)
    await appear(ben, "invisible")
    await ana.expect("presence", status="offline")
    await ben.close()
    await asyncio.sleep(GRACE * 1.2)  # clock: longer than the grace
    back = await stage.again(ben)
    await ana.nothing("presence")
    await appear(back, "online")
    await ana.expect("presence", status="online")


@run
async def test_presence_ends_ten_seconds_after_the_last_connection(stage):
    await asyncio.gather(
        goes(stage), comes_back_in_time(stage), keeps_one_socket(stage), goes_unseen(stage),
        comes_again(stage, "away", "online"), comes_again(stage, "dnd", "dnd"))
