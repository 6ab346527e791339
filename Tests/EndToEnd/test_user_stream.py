"""The user stream: what happens in one's channels, live and after coming back."""

import asyncio

import pytest

from chat import (
    code_of, expect_unread, ghosts, hidden, nothing_told, open_direct, without)
from stage import fill, run, say, summary_of

# Of a summary: what changes without anything having happened in the channel.
PASSING = ("present_count",)
FAMILY = "👨‍👩‍👧‍👦"


def stream(client):
    return client.welcome["user_stream"]


def lasting(summaries):
    """Summaries by channel, without what does not last."""
    return {each["channel"]: without(each, *PASSING) for each in summaries}


async def returning(stage, client, at):
    """The user stream of another connection that says where it was."""
    back = await stage.connect()
    await back.hello(f"dev:{client.user}", since_user=at)
    return back.welcome["user_stream"]


async def now(stage, client):
    """The whole stream, as somebody gets it who has nothing."""
    return stream(await stage.again(client))


# Live

@run
async def test_activity_tells_members_of_messages_elsewhere(stage):
    ana, ben, cy, stranger = await stage.people("ana", "ben", "cy", "stranger")
    channel = await stage.room(ana, ben, cy, kind="public")
    await cy.request("subscribe", channel=channel)
    phone = await stage.again(ana)
    sent = await ana.request("message.send", channel=channel, text="hello there")
    for client in (ben, phone):
        assert await client.expect("activity") == {
            "ev": "activity", "channel": channel, "seq": 1, "user": ana.user, "ts": sent["ts"],
            "preview": "hello there"}
    for client in (cy, stranger):
        await client.nothing("activity")


@pytest.mark.parametrize("message, preview", [
    ({"text": "x" * 50}, "x" * 50), ({"text": "x" * 51}, "x" * 50 + "..."),
    ({"text": "é" * 51}, "é" * 50 + "..."), ({"text": "🇩🇪" * 50}, "🇩🇪" * 50),
    ({"text": "🇩🇪" * 51}, "🇩🇪" * 49 + "..."),  # at most 400 bytes
    ({"attachments": [{"kind": "image", "url": "http://e.com/a"}]}, "📷 Image"),
    ({"attachments": [{"kind": "image", "url": "http://e.com/a"}], "text": "look"}, "look"),
    ({"attachments": [{"kind": "file", "url": "http://e.com/a"}]}, "New message"),
    ({"data": {"text": "no"}}, "New message"),
], ids=lambda value: str(value)[:24])
@run
async def test_a_preview_is_short(stage, message, preview):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await ana.request("message.send", channel=channel, **message)
    assert (await ben.expect("activity"))["preview"] == preview


@run
async def test_a_preview_has_at_most_400_bytes(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await ana.request("message.send", channel=channel, text=FAMILY * 60)
    preview = (await ben.expect("activity"))["preview"]
    shown = preview.removesuffix("...")
    assert len(preview.encode()) <= 400 and shown == FAMILY * (len(shown) // len(FAMILY))


@run
async def test_a_broadcast_is_no_activity(stage):
    ana, ben = await stage.people("ana", "ben")
    channel, control = await stage.room(ana, ben, kind="broadcast"), await stage.room(ana, ben)
    await say(ana, channel, "x")
    await say(ana, control, "x")
    assert (await ben.expect("activity"))["channel"] == control
    await ben.nothing("activity")


@run
async def test_a_crowd_of_messages_ends_with_the_newest(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await fill(ana, channel, 100)
    await ben.expect("activity", seq=100)
    told = [event["seq"] for event in ben.events("activity")]
    assert told == sorted(set(told))


@pytest.mark.parametrize("how", ["create", "member.add", "join", "dm.open"])
@run
async def test_ones_other_connections_learn_of_a_new_channel(stage, how):
    ana, ben = await stage.people("ana", "ben")
    phone = await stage.again(ben)
    if how == "create":
        channel = stage.name("room")
        await ben.request("channel.create", channel=channel, kind="group", members=[ana.user])
    elif how == "member.add":
        channel = await stage.room(ana)
        await ana.request("member.add", channel=channel, users=[ben.user])
    elif how == "join":
        channel = await stage.room(ana, kind="public")
        await ben.request("channel.join", channel=channel)
    else:
        channel = await open_direct(ana, ben)
    for client in (ben, phone):
        if how in ("create", "dm.open"):
            assert (await client.expect("channel.created"))["channel"] == channel
        else:
            told = await client.expect("member", channel=channel)
            assert (told["user"], told["change"], told["role"]) == (ben.user, "joined", "member")


# Coming back

async def as_before(stage, ana, ben, channel):
    pass


async def a_message(stage, ana, ben, channel):
    await say(ana, channel, "x")


async def an_edit(stage, ana, ben, channel):
    await ana.request("message.edit", channel=channel, seq=1, text="changed")


async def a_deletion(stage, ana, ben, channel):
    await ana.request("message.delete", channel=channel, seq=1)


async def a_reaction(stage, ana, ben, channel):
    await ana.request("reaction.add", channel=channel, seq=2, reaction="x")


async def a_name(stage, ana, ben, channel):
    await ana.request("channel.update", channel=channel, name="changed")


async def a_pointer(stage, ana, ben, channel):
    await ben.request("read", channel=channel, seq=2)


async def a_pointer_back(stage, ana, ben, channel):
    await ben.request("read.unread", channel=channel, seq=1)


async def a_mute(stage, ana, ben, channel):
    await ben.request("channel.mute", channel=channel)


async def a_role(stage, ana, ben, channel):
    await ana.request("member.role", channel=channel, user=ben.user, role="moderator")


async def a_member(stage, ana, ben, channel):
    await ana.request("member.add", channel=channel, users=await ghosts(stage, 1))


CHANGES = [as_before, a_message, an_edit, a_deletion, a_reaction, a_name, a_pointer,
           a_pointer_back, a_mute, a_role, a_member]


@pytest.mark.parametrize("kind", ["group", "public"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@run
async def test_who_comes_back_gets_what_changed_and_no_more(stage, change, kind):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    quiet = await stage.room(cy, ben)
    channel = await stage.room(ana, ben, kind=kind)
    await say(ana, channel, "one", "two")
    await ben.request("read", channel=channel, seq=1)
    at = (await now(stage, ben))["at"]
    await change(stage, ana, ben, channel)
    back = await returning(stage, ben, at)
    assert back["recovered"] is True and not back.get("left")
    whole = await now(stage, ben)
    expected = lasting([await summary_of(ben, channel)])
    assert lasting(back["channels"]) == ({} if change is as_before else expected)
    assert lasting(whole["channels"]).keys() == {quiet, channel}


@run
async def test_after_a_block_the_stream_shows_what_is_now_hidden(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await say(ana, channel, "x")
    at = (await now(stage, ben))["at"]
    await ben.request("user.block", user=ana.user)
    back = await returning(stage, ben, at)
    assert lasting(back["channels"]) == lasting([await summary_of(ben, channel)])
    assert back["channels"][0]["last_message"] == hidden(channel, 1)


@pytest.mark.parametrize("end", ["left", "removed", "banned", "deleted"])
@run
async def test_who_comes_back_is_told_what_is_no_longer_theirs(stage, end):
    ana, ben = await stage.people("ana", "ben")
    gone, kept = await stage.room(ana, ben), await stage.room(ana, ben)
    new = await stage.room(ana)
    at = (await now(stage, ben))["at"]
    match end:
        case "left":
            await ben.request("channel.leave", channel=gone)
        case "removed":
            await ana.request("member.remove", channel=gone, users=[ben.user])
        case "banned":
            await ana.request("member.ban", channel=gone, user=ben.user)
        case "deleted":
            await ana.request("channel.delete", channel=gone)
    await ana.request("member.add", channel=new, users=[ben.user])
    back = await returning(stage, ben, at)
    assert (back["recovered"], back["left"]) == (True, [gone])
    assert [each["channel"] for each in back["channels"]] == [new]
    assert lasting((await now(stage, ben))["channels"]).keys() == {kept, new}


@run
async def test_a_channel_left_and_joined_again_is_not_left(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind="public")
    at = (await now(stage, ben))["at"]
    for op in ("channel.leave", "channel.join"):
        await ben.request(op, channel=channel)
    back = await returning(stage, ben, at)
    assert not back.get("left")
    assert [each["channel"] for each in back["channels"]] == [channel]


@pytest.mark.parametrize("at", ["", "nonsense", "0", "x" * 2000, "999999999999"])
@run
async def test_a_position_nobody_gave_brings_the_whole_list(stage, at):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    back = await returning(stage, ben, at)
    assert back["recovered"] is False and "left" not in back
    assert [each["channel"] for each in back["channels"]] == [channel]


@run
async def test_a_position_may_be_used_again_and_is_ones_own(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    at = (await now(stage, ben))["at"]
    await say(ana, channel, "x")
    for _ in range(2):
        back = await returning(stage, ben, at)
        assert [each["channel"] for each in back["channels"]] == [channel]
    later = await returning(stage, ben, back["at"])
    assert (later["recovered"], later["channels"]) == (True, [])


@run
async def test_who_keeps_up_by_positions_has_what_the_hub_has(stage, rng):
    ana, ben = await stage.people("ana", "ben")
    copy, at = {}, None
    names = [stage.name("room") for _ in range(5)]
    for _ in range(25):
        for _ in range(rng.randrange(4)):
            client, channel = rng.choice([ana, ben]), rng.choice(names)
            op, more = rng.choice([
                ("channel.create", {"kind": "public"}), ("channel.join", {}),
                ("channel.leave", {}), ("message.send", {"text": "x"}),
                ("message.delete", {"seq": 1}), ("read", {"seq": 1}),
                ("channel.update", {"name": f"{rng.random()}"}), ("channel.delete", {})])
            await code_of(client.request(op, channel=channel, **more))
        back = await returning(stage, ben, at) if at else await now(stage, ben)
        assert back["recovered"] is bool(at)
        for name in back.get("left", []):
            copy.pop(name, None)
        copy |= lasting(back["channels"])
        at = back["at"]
        assert copy == lasting((await now(stage, ben))["channels"])


@run
async def test_a_quiet_home_screen_is_kept_up_to_date_by_events(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    async with nothing_told(ana):
        await ben.request("channel.mute", channel=channel)
    await asyncio.gather(fill(ana, channel, 5), fill(ben, channel, 5))
    summary = await summary_of(ben, channel)
    await expect_unread(ben, channel, summary["unread"])
    assert ben.events("activity")[-1]["user"] == ana.user
