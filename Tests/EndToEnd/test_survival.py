"""What a hub that was stopped in order knows when it is started again: everything but the
ephemeral."""

import asyncio

import pytest

from chat import (
    FOREVER, code_of, history, members, nothing_changes, open_direct, profile, promote, settings,
    view, without)
from client import Client, refused
from home import home_fixture, signed_in, stop  # the fixture is `home`
from stage import fill, run, say, summary_of
from text import raw_at

CUSTOM = '{ "b" : 1.0,"a":[1e3 , "\\u00e9\\/" ],"a":0 }'
PERIOD = {"days": ["mon"], "from": "22:00", "to": "07:00", "tz": "Europe/Berlin"}
NAMES = ("ana", "ben", "cy")


@pytest.fixture(autouse=True)
def durable_fixture(home):
    """The hubs of these tests acknowledge what is on the disk, as they do unless told otherwise."""
    home.flags.remove("--durability=none")


async def people(server, *names):
    return [await signed_in(server, f"dev:{name}") for name in names or NAMES]


async def group_of(owner, *others, channel="room", kind="group"):
    members_at_once = [other.user for other in others] if kind == "group" else []
    await owner.request("channel.create", channel=channel, kind=kind, members=members_at_once)
    if kind != "group":
        for other in others:
            await other.request("channel.join", channel=channel)


def settled(seen):
    """A view of a channel without who is there at the moment."""
    summary, listed, page = seen
    if isinstance(summary, dict):
        summary = without(summary["channel"], "present_count")
    if isinstance(listed, dict):
        listed = {each["user"]: without(each, "present") for each in listed["members"]}
    return summary, listed, page


async def look(clients, channels):
    """Everything these people can see."""
    seen = {}
    for client in clients:
        seen[client.user] = (await profile(client), await settings(client))
        for channel in channels:
            seen[client.user, channel] = settled(await view(client, channel))
    return seen


async def restarted(home):
    """The next hub on the same directory, after an orderly stop of the one before."""
    await stop(home.hubs[-1])
    return home.start()


async def fill_the_world(ana, ben, cy):
    """A little of everything that is kept."""
    await group_of(ana, ben, cy)
    await group_of(ana, ben, channel="open", kind="public")
    await ana.request_raw("channel.update", f'"channel":"room","name":"R","custom":{CUSTOM}')
    await promote(ana, "room", ben)
    await fill(ana, "room", 6)
    await say(ben, "room", "answer")
    await ana.request("message.send", channel="room", text="x", reply_to=1, mentions=["cy"])
    await ana.request("message.edit", channel="room", seq=2, text="edited", data=[1])
    await ana.request("message.delete", channel="room", seq=3)
    for client, reaction in ((ana, "👍"), (cy, "👍"), (cy, "e\u0301")):
        await client.request("reaction.add", channel="room", seq=4, reaction=reaction)
    await cy.request("message.flag", channel="room", seq=5, reason="rude")
    await cy.request("read", channel="room", seq=5)
    await cy.request("read.unread", channel="room", seq=3)
    await ben.request("delivered", channel="room", seq=6)
    await cy.request_raw("member.update", f'"channel":"room","custom":{CUSTOM}')
    await cy.request("channel.mute", channel="room")
    await ana.request("member.silence", channel="room", user="cy", until_ts=FOREVER)
    await ana.request("member.ban", channel="open", user="cy")
    await ana.request_raw("user.update", f'"name":"Ana","username":"ANA","custom":{CUSTOM}')
    await ben.request("user.update", bio="hi", avatar="http://e.com/b", username="ben.b")
    await settings(ben, receipts=False, dnd_until_ts=2**52, dnd_schedule=[PERIOD],
                   mute={"types": ["like"], "users": ["cy"], "channels": ["open"]})
    await settings(cy, dm_policy="contacts", typing=False)
    await ana.request("channel.create", channel="feed:ana", kind="broadcast")
    await ben.request("channel.join", channel="feed:ana")
    await say(ana, "feed:ana", "post")
    await ben.request("reaction.add", channel="feed:ana", seq=1, reaction="❤")
    await say(ana, await open_direct(ana, ben), "dear ben")
    await ben.request("user.block", user="cy")


@run
async def test_everything_people_see_is_as_it_was(home):
    first = home.start()
    clients = await people(first)
    await fill_the_world(*clients)
    direct = await open_direct(*clients[:2])
    channels = ["room", "open", "feed:ana", direct]
    before = await look(clients, channels)
    flags = await clients[0].request("message.flags", channel="room")
    feed = await clients[1].request("feed.list")

    clients = await people(await restarted(home))
    assert await look(clients, channels) == before
    assert await clients[0].request("message.flags", channel="room") == flags
    assert await clients[1].request("feed.list") == feed
    got = await clients[1].request("channel.get", channel="room")
    assert raw_at(got.raw, "ok", "channel", "custom") == CUSTOM
    got = await clients[1].request("user.get", users=["ana"])
    assert raw_at(got.raw, "ok", "users", 0, "custom") == CUSTOM
    got = await clients[1].request("member.list", channel="room")
    index = [each["user"] for each in got["members"]].index("cy")
    assert raw_at(got.raw, "ok", "members", index, "custom") == CUSTOM


async def assert_rules(ana, ben, cy):
    """What was settled before is in force."""
    direct = await open_direct(ana, ben)
    refusals = [
        (cy, "message.send", {"channel": "room", "text": "x"}, "muted"),
        (cy, "channel.join", {"channel": "open"}, "banned"),
        (cy, "channel.update", {"channel": "room", "name": "x"}, "forbidden"),
        (cy, "user.update", {"username": "Ana"}, "already_exists"),
        (cy, "dm.open", {"user": "ben"}, "forbidden"),
        (ben, "dm.open", {"user": "cy"}, "blocked"),
        (ben, "member.role", {"channel": "room", "user": "cy", "role": "moderator"}, "forbidden"),
        (ana, "message.edit", {"channel": "room", "seq": 3, "text": "x"}, "conflict")]
    async with nothing_changes("room", ana, ben), nothing_changes(direct, ana, ben):
        for client, op, arguments, code in refusals:
            assert await code_of(client.request(op, **arguments)) == code, op
        for op, reaction in (("reaction.add", "👍"), ("reaction.remove", "🎉")):
            await cy.request(op, channel="room", seq=4, reaction=reaction)
        await ben.request("user.block", user="cy")
    assert {each["id"] for each in (await ben.request("user.search", q="ana"))["users"]} == {"ana"}


@run
async def test_rules_are_in_force_and_reactions_are_still_whose_they_were(home):
    first = home.start()
    await fill_the_world(*await people(first))
    ana, ben, cy = await people(await restarted(home))
    await assert_rules(ana, ben, cy)
    rev = (await summary_of(ana, "room"))["rev"]
    await ana.request("subscribe", channel="room")
    await cy.request("reaction.remove", channel="room", seq=4, reaction="👍")
    told = await ana.expect("reaction")
    assert (told["user"], told["count"], told["rev"]) == ("cy", 1, rev + 1)
    await ben.request("user.unblock", user="cy")
    await ben.request("channel.update", channel="room", name="by a moderator")
    await ana.request("member.silence", channel="room", user="cy", until_ts=0)
    assert await say(cy, "room", "at last") == [9]
    await ana.request("member.unban", channel="open", user="cy")
    await cy.request("channel.join", channel="open")


@run
async def test_positions_hold_across_a_restart(home):
    first = home.start()
    ana, ben = await people(first, "ana", "ben")
    for channel in ("room", "quiet", "gone"):
        await group_of(ana, ben, channel=channel)
    await fill(ana, "room", 5)
    position = await ben.request("subscribe", channel="room")
    await ana.request("message.edit", channel="room", seq=1, text="early")
    stream = (await signed_in(first, "dev:ben")).welcome["user_stream"]["at"]
    await ana.request("reaction.add", channel="room", seq=2, reaction="x")
    await ben.request("channel.leave", channel="gone")

    second = await restarted(home)
    ana, ben = await people(second, "ana", "ben")
    await ana.request("message.delete", channel="room", seq=3)
    await say(ana, "room", "new")
    since = {key: position[key] for key in ("epoch", "seq", "rev")}
    reply = await ben.request("subscribe", channel="room", since=since)
    assert (reply["recovered"], reply["seq"], reply["rev"]) == (True, 6, 3)
    assert sorted(each["seq"] for each in reply["changed"]) == [1, 2, 3]
    back = await signed_in_since(second, "ben", stream)
    assert (back["recovered"], back["left"]) == (True, ["gone"])
    assert [each["channel"] for each in back["channels"]] == ["room"]
    again = await signed_in_since(second, "ben", back["at"])
    assert (again["recovered"], again["channels"]) == (True, [])


async def signed_in_since(server, user, at):
    client = await Client.connect(server)
    return (await client.hello(f"dev:{user}", since_user=at))["user_stream"]


@pytest.mark.parametrize("durability", ["commit", "none"])
@run
async def test_a_user_stream_position_of_a_lost_future_is_not_believed(home, durability):
    """Under `commit` nothing is lost by a kill, and the position holds."""
    first = home.start(f"--durability={durability}")
    ana, ben = await people(first, "ana", "ben")
    for channel in ("room", "quiet"):
        await group_of(ana, ben, channel=channel)
    await (await signed_in(first, "dev-admin:root")).request("admin.snapshot")
    for _ in range(5):
        await say(ana, "room", "lost")
    at = (await signed_in(first, "dev:ben")).welcome["user_stream"]["at"]
    first.kill()

    second = home.start(f"--durability={durability}")
    [ana] = await people(second, "ana")
    for _ in range(8):
        await say(ana, "quiet", "new")
    back = await signed_in_since(second, "ben", at)
    shown = {each["channel"]: each["seq"] for each in back["channels"]}
    if durability == "commit":
        assert (back["recovered"], shown) == (True, {"quiet": 8})
    else:
        assert (back["recovered"], shown) == (False, {"room": 0, "quiet": 8})


@run
async def test_cursors_go_on_after_a_restart(home):
    first = home.start()
    [ana] = await people(first, "ana")
    admin = await signed_in(first, "dev-admin:root")
    users = [f"u{number:02}" for number in range(20)]
    await admin.request("user.put", users=[{"id": user} for user in users])
    await group_of(ana)
    await ana.request("member.add", channel="room", users=users)
    await ana.request("channel.create", channel="feed:ana", kind="broadcast")
    await fill(ana, "feed:ana", 20)
    asks = [("member.list", {"channel": "room"}, "members"), ("feed.list", {}, "messages"),
            ("channel.list", {}, "channels")]
    firsts = [await ana.request(op, limit=1, **more) for op, more, _ in asks]
    wholes = [await ana.request(op, limit=100, **more) for op, more, _ in asks]

    [ana] = await people(await restarted(home), "ana")
    for (op, more, key), page, whole in zip(asks, firsts, wholes, strict=True):
        rest = await ana.request(op, limit=100, cursor=page["cursor"], **more)
        assert [*page[key], *rest[key]] == whole[key], op


@run
async def test_what_was_deleted_stays_deleted(home):
    first = home.start()
    ana, ben = await people(first, "ana", "ben")
    await group_of(ana, ben)
    await fill(ana, "room", 3)
    epoch = (await summary_of(ana, "room"))["epoch"]
    await ana.request("channel.delete", channel="room")
    await group_of(ana, ben, channel="left")
    for client in (ana, ben):
        await client.request("channel.leave", channel="left")
    await group_of(ana, ben, channel="open", kind="public")
    for client in (ana, ben):
        await client.request("channel.leave", channel="open")

    ana, ben = await people(await restarted(home), "ana", "ben")
    for channel in ("room", "left"):
        await refused(ana.request("channel.get", channel=channel), "not_found")
    await group_of(ben)
    assert (await summary_of(ben, "room"))["epoch"] != epoch
    assert await history(ben, "room") == []
    joined = (await ben.request("channel.join", channel="open"))["channel"]
    assert joined["role"] == "owner" and set(await members(ben, "open")) == {"ben"}


@run
async def test_a_silence_and_a_ban_end_while_the_hub_is_down(home):
    first = home.start()
    ana, ben, cy = await people(first)
    await group_of(ana, ben, cy, kind="public")
    until = await ana.ping() + 400
    await ana.request("member.silence", channel="room", user="ben", until_ts=until)
    await ana.request("member.ban", channel="room", user="cy", until_ts=until)
    await stop(first)
    await asyncio.sleep(0.5)  # clock: both end
    ana, ben, cy = await people(home.start())
    await say(ben, "room", "free")
    await cy.request("channel.join", channel="room")
