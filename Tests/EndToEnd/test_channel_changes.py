"""Channels that change: metadata, deletion, succession of ownership, and mute."""

import pytest

from chat import (
    assert_ended, code_of, expect_unread, members, nothing_told, open_direct, past, promote)
from client import refused
from stage import fill, run, say, summary_of
from text import raw_at

KINDS = ["group", "public", "broadcast"]
CUSTOM = '{ "b" : 1.0,"a":[1e3 , "\\u00e9\\/" ],"a":{} }'


async def update(client, channel, **changes):
    return (await client.request("channel.update", channel=channel, **changes))["channel"]


# Metadata

@pytest.mark.parametrize("kind", KINDS)
@run
async def test_a_change_is_told_to_all_members_subscribed_or_not(stage, kind):
    ana, mo, ben, stranger = await stage.people("ana", "mo", "ben", "stranger")
    channel = await stage.room(ana, mo, ben, kind=kind)
    await promote(ana, channel, mo)
    elsewhere = await stage.again(ana)
    await ben.request("subscribe", channel=channel)
    if kind != "group":
        await stranger.request("subscribe", channel=channel)
    changes = {"name": "Zoë’s 🎈", "details": "about", "avatar": "https://example.com/ä.png"}
    replied = await update(mo, channel, **changes)
    assert changes.items() <= replied.items()
    for client in (ana, elsewhere, mo, ben):
        event = await client.expect("channel.updated", channel=channel)
        assert changes.items() <= event["summary"].items()
        await client.nothing("channel.updated")
    await stranger.nothing("channel.updated")
    for client in (ana, ben):
        assert changes.items() <= (await summary_of(client, channel)).items()


@run
async def test_what_is_absent_stays_and_what_is_empty_goes(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    full = {"name": "N", "details": "D", "avatar": "http://e.com/a", "custom": {"a": 1}}
    await update(ana, channel, **full)
    for key, empty in (("details", ""), ("avatar", ""), ("custom", {}), ("name", "")):
        del full[key]
        await update(ana, channel, **{key: empty})
        summary = await summary_of(ana, channel)
        assert {each: summary.get(each) for each in full} == full
        assert key not in summary or (key, summary[key]) == ("name", channel)


@pytest.mark.parametrize("empty", ['""', "{}", "[]", "{ }"])
@run
async def test_custom_is_cleared_by_any_empty_value(stage, empty):
    ana = await stage.person()
    channel = await stage.room(ana)
    await update(ana, channel, custom={"a": 1})
    await ana.request_raw("channel.update", f'"channel":"{channel}","custom":{empty}')
    assert "custom" not in await summary_of(ana, channel)


@run
async def test_custom_comes_back_byte_for_byte_wherever_the_summary_stands(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    replied = await ana.request_raw(
        "channel.update", f'"channel":"{channel}","custom" : {CUSTOM} ')
    told = await ben.expect("channel.updated")
    got = await ben.request("channel.get", channel=channel)
    listed = await ben.request("channel.list")
    again = await stage.again(ben)
    assert raw_at(replied.raw, "ok", "channel", "custom") == CUSTOM
    assert raw_at(told.raw, "summary", "custom") == CUSTOM
    assert raw_at(got.raw, "ok", "channel", "custom") == CUSTOM
    assert raw_at(listed.raw, "ok", "channels", 0, "custom") == CUSTOM
    welcome = again.welcome.raw
    assert raw_at(welcome, "ok", "user_stream", "channels", 0, "custom") == CUSTOM


@run
async def test_a_new_name_sorts_the_channel_anew(stage):
    ana = await stage.person()
    first, second = await stage.room(ana), await stage.room(ana)
    await update(ana, first, name="zebra")
    await update(ana, second, name="aardvark")
    listed = (await ana.request("channel.list", sort="name"))["channels"]
    assert [each["channel"] for each in listed] == [second, first]


# Deletion

@pytest.mark.parametrize("kind", KINDS)
@run
async def test_a_deleted_channel_is_gone_for_everybody(stage, kind):
    ana, ben, cy, stranger = await stage.people("ana", "ben", "cy", "stranger")
    channel = await stage.room(ana, ben, cy, kind=kind)
    watching = [ana, ben] if kind == "group" else [ana, ben, stranger]
    for client in watching:
        await client.request("subscribe", channel=channel)
    await say(ana, channel, "x")
    deleted = (await ana.request("channel.delete", channel=channel))["channel"]
    assert deleted["channel"] == channel
    for client in (ana, ben, cy):
        await client.expect("channel.deleted", channel=channel)
        await client.nothing("channel.deleted")
    for client in watching:
        await assert_ended(client, channel, "deleted")
    await cy.nothing("unsubscribed")
    await stranger.nothing("channel.deleted")
    for client in (ana, ben, stranger):
        for op in ("channel.get", "subscribe", "channel.delete", "member.list"):
            await refused(client.request(op, channel=channel), "not_found")
        assert (await client.request("channel.list"))["channels"] == []


@run
async def test_a_channel_created_again_is_a_new_one(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.room(ana, ben, kind="public")
    await ana.request("message.send", channel=channel, text="x", key="k")
    await say(ana, channel, "two", "three")
    await ana.request("reaction.add", channel=channel, seq=1, reaction="x")
    await ana.request("member.ban", channel=channel, user=cy.user)
    old = await summary_of(ana, channel)
    await ana.request("channel.delete", channel=channel)
    await ben.request("channel.create", channel=channel, kind="public")
    new = await summary_of(ben, channel)
    assert new["epoch"] != old["epoch"]
    assert (new["seq"], new["rev"], new["member_count"], new["role"]) == (0, 0, 1, "owner")
    assert "role" not in await summary_of(ana, channel)
    since = {"epoch": old["epoch"], "seq": 0, "rev": 0}
    subscribed = await ana.request("subscribe", channel=channel, since=since)
    assert (subscribed["recovered"], subscribed["messages"]) == (False, [])
    for client in (ana, cy):
        await client.request("channel.join", channel=channel)
    sent = await ana.request("message.send", channel=channel, text="y", key="k")
    assert sent["seq"] == 1 and not sent.get("duplicate")


# Succession

async def expect_roles(client, channel, roles):
    """The next changes of roles told in a channel, in any order."""
    told = [await client.expect("member", channel=channel, change="updated") for _ in roles]
    assert {event["user"]: event["role"] for event in told} == roles


@pytest.mark.parametrize("kind", KINDS)
@run
async def test_a_moderator_succeeds_before_members_who_served_longer(stage, kind):
    ana, ben, mo, late = await stage.people("ana", "ben", "mo", "late")
    channel = await stage.room(ana, kind=kind)
    for client in (ben, mo, late):
        await ana.tick()
        await ana.request("member.add", channel=channel, users=[client.user])
    await promote(ana, channel, late, mo)
    for client in (ben, mo, late):
        await client.request("subscribe", channel=channel)
        await client.settle()
    await ana.request("channel.leave", channel=channel)
    for client in (ben, mo, late):
        await client.expect("member", user=ana.user, change="left")
        await expect_roles(client, channel, {mo.user: "owner"})
    await mo.request("channel.leave", channel=channel)
    await expect_roles(ben, channel, {late.user: "owner"})
    await late.request("channel.leave", channel=channel)
    await expect_roles(ben, channel, {ben.user: "owner"})
    assert (await summary_of(ben, channel))["role"] == "owner"


@run
async def test_a_group_whose_last_member_left_is_deleted(stage):
    ana, ben = await stage.people("ana", "ben")
    group = await stage.shared_room(ana, ben)
    await say(ana, group, "x")
    old = await summary_of(ana, group)
    await ana.request("channel.leave", channel=group)
    await ben.request("channel.leave", channel=group)
    await refused(ben.request("channel.get", channel=group), "not_found")
    made = (await ana.request("channel.create", channel=group, kind="group"))["channel"]
    assert (made["seq"], made["epoch"] != old["epoch"], made["member_count"]) == (0, True, 1)


@pytest.mark.parametrize("kind", ["public", "broadcast"])
@run
async def test_an_open_channel_without_members_stays_for_the_next_to_own(stage, kind):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.room(ana, kind=kind)
    await say(ana, channel, "still here")
    await ana.request("channel.leave", channel=channel)
    assert (await summary_of(ben, channel))["member_count"] == 0
    for client, role in ((ben, "owner"), (cy, "member"), (ana, "member")):
        joined = (await client.request("channel.join", channel=channel))["channel"]
        assert (joined["role"], joined["seq"]) == (role, 1)
    await ben.request("channel.delete", channel=channel)


# Mute

@pytest.mark.parametrize("kind", ["group", "public", "broadcast", "direct"])
@run
async def test_muting_is_ones_own_affair(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await open_direct(ana, ben) if kind == "direct" else \
        await stage.shared_room(ana, ben, kind=kind)
    elsewhere = await stage.again(ben)
    for op, muted in (("channel.mute", True), ("channel.unmute", False)):
        async with nothing_told(ana):
            replied = (await ben.request(op, channel=channel))["channel"]
        assert replied["muted"] is (await summary_of(elsewhere, channel))["muted"] is muted
        for client in (ben, elsewhere):
            assert (await client.expect("self", channel=channel))["muted"] is muted
        async with nothing_told(ana, ben, elsewhere):
            await ben.request(op, channel=channel)
    assert (await summary_of(ana, channel))["muted"] is False


@run
async def test_a_muted_channel_counts_for_itself_but_not_in_the_total(stage):
    ana, ben = await stage.people("ana", "ben")
    muted, loud = await stage.room(ana, ben), await stage.room(ana, ben)
    await fill(ana, muted, 3)
    await expect_unread(ben, muted, 3)
    await fill(ana, loud, 2)
    await ben.expect("unread", channel=loud, unread=2, total=5)
    await ben.request("channel.mute", channel=muted)
    await ben.expect("unread", total=2)
    await fill(ana, muted, 1)
    await ben.expect("unread", channel=muted, unread=4, total=2)
    await ben.request("channel.unmute", channel=muted)
    await ben.expect("unread", total=6)


@run
async def test_a_mute_with_an_end_ends(stage):
    ana, ben = await stage.people("ana", "ben")
    channel, other = await stage.room(ana, ben), await stage.room(ana, ben)
    await fill(ana, channel, 2)
    await expect_unread(ben, channel, 2)
    until = await ben.ping() + 1200
    replied = (await ben.request("channel.mute", channel=channel, until_ts=until))["channel"]
    assert replied["muted"] is True
    await past(ben, until)
    assert (await summary_of(ben, channel))["muted"] is False
    await fill(ana, other, 1)
    assert (await ben.expect("unread", channel=other, unread=1))["total"] == 3


@pytest.mark.parametrize("role", ["owner", "moderator", "member"])
@run
async def test_who_deletes_must_own(stage, role):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    if role != "member":
        await promote(ana, channel, ben, role=role)
    expected = "ok" if role == "owner" else "forbidden"
    assert await code_of(ben.request("channel.delete", channel=channel)) == expected
    if role != "owner":
        assert (await members(ana, channel))[ben.user]["role"] == role
