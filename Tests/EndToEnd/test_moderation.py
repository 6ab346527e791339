"""Moderation: roles, removal, ban and silence, and who may do it to whom."""

import pytest

from chat import (
    FOREVER, assert_ended, code_of, members, nothing_changes, nothing_told, past, promote)
from client import refused
from stage import fill, run, say, summary_of

KINDS = ["group", "public", "broadcast"]
# What concerns somebody of a lower rank.
ON_LOWER = [("member.remove", lambda user: {"users": [user]}),
            ("member.ban", lambda user: {"user": user}),
            ("member.silence", lambda user: {"user": user, "until_ts": FOREVER})]


async def ban(client, channel, person, **more):
    return await client.request("member.ban", channel=channel, user=person.user, **more)


async def silence(client, channel, person, until):
    return await client.request(
        "member.silence", channel=channel, user=person.user, until_ts=until)


async def remove(client, channel, *people):
    users = [person.user for person in people]
    return await client.request("member.remove", channel=channel, users=users)


# Ranks

@pytest.mark.parametrize("kind", KINDS)
@run
async def test_nobody_moderates_equals_betters_or_oneself(stage, kind):
    ana, mo, mia, ben, cy = await stage.people("ana", "mo", "mia", "ben", "cy")
    channel = await stage.shared_room(ana, mo, mia, ben, cy, kind=kind)
    await promote(ana, channel, mo, mia)
    await ana.settle()
    pairs = [(mo, ana), (mo, mia), (mo, mo), (ana, ana), (ben, ana), (ben, mo), (ben, cy),
             (ben, ben)]
    async with nothing_changes(channel, ana, ben, cy):
        for actor, other in pairs:
            for op, arguments in ON_LOWER:
                code = await code_of(
                    actor.request(op, channel=channel, **arguments(other.user)))
                assert code == "forbidden", (actor.user, op, other.user)
        for actor in (mo, ben, ana):
            await refused(actor.request(
                "member.role", channel=channel, user=ana.user, role="member"), "forbidden")
        await refused(remove(mo, channel, ben, mia), "forbidden")


@pytest.mark.parametrize("kind", KINDS)
@run
async def test_a_role_is_told_and_at_once_in_force(stage, kind):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.shared_room(ana, ben, cy, kind=kind)
    for role, code in (("moderator", "ok"), ("member", "forbidden")):
        await promote(ana, channel, ben, role=role)
        for client in (ana, ben, cy):
            told = await client.expect("member", channel=channel)
            assert (told["user"], told["change"], told["role"]) == (ben.user, "updated", role)
        assert (await summary_of(ben, channel))["role"] == role
        assert await code_of(ben.request(
            "channel.update", channel=channel, name=role)) == code
        await ana.settle()
        async with nothing_changes(channel, ana, ben, cy):
            await promote(ana, channel, ben, role=role)


@run
async def test_the_owner_may_hand_the_channel_over_and_moderates_from_then(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.shared_room(ana, ben, cy)
    await promote(ana, channel, ben, role="owner")
    told = [await cy.expect("member", change="updated") for _ in range(2)]
    roles = {ana.user: "moderator", ben.user: "owner"}
    assert {event["user"]: event["role"] for event in told} == roles
    listed = await members(cy, channel)
    assert {user: each["role"] for user, each in listed.items()} == roles | {cy.user: "member"}
    await refused(promote(ana, channel, cy), "forbidden")
    await refused(ana.request("channel.delete", channel=channel), "forbidden")
    await promote(ben, channel, cy)


# Removal

@pytest.mark.parametrize("kind", KINDS)
@run
async def test_who_is_removed_hears_so_and_nothing_after(stage, kind):
    ana, mo, ben, cy = await stage.people("ana", "mo", "ben", "cy")
    channel = await stage.shared_room(ana, mo, ben, cy, kind=kind)
    phone, idle = await stage.again(ben), await stage.again(ben)
    await phone.request("subscribe", channel=channel)
    await promote(ana, channel, mo)
    await remove(mo, channel, ben)
    await say(ana, channel, "now about ben")
    for client in (ben, phone):
        await assert_ended(client, channel, "removed")
    for client in (ana, mo, cy, ben, phone, idle):
        told = await client.expect("member", channel=channel, user=ben.user)
        assert told["change"] == "removed"
    await idle.nothing("unsubscribed")
    await idle.nothing("activity")
    async with nothing_changes(channel, ana, cy):
        await remove(mo, channel, ben)
    code = "not_found" if kind == "group" else "not_member"
    await refused(ben.request("typing", channel=channel, on=True), code)
    assert (await summary_of(ana, channel))["member_count"] == 3


@run
async def test_who_was_removed_may_be_added_again_and_has_read_everything(stage):
    ana, ben = await stage.people("ana", "ben")
    group = await stage.room(ana, ben)
    await fill(ana, group, 3)
    await remove(ana, group, ben)
    await fill(ana, group, 2)
    await ana.request("member.add", channel=group, users=[ben.user])
    summary = await summary_of(ben, group)
    assert (summary["read"], summary["unread"], summary["seq"]) == (5, 0, 5)


# Ban

KEPT_OUT = [
    ("channel.get", {}), ("channel.join", {}), ("subscribe", {}), ("member.list", {}),
    ("message.history", {"before": 9}), ("message.thread", {"seq": 1}),
    ("message.send", {"text": "x"}), ("message.send", {"text": "x", "reply_to": 1}),
    ("reaction.add", {"seq": 1, "reaction": "x"}), ("typing", {"on": True}),
    ("signal", {"name": "x"}), ("read", {"seq": 1}), ("message.flag", {"seq": 1}),
]


@pytest.mark.parametrize("kind, code", [
    ("group", "not_found"), ("public", "banned"), ("broadcast", "banned")])
@run
async def test_who_is_banned_is_out_and_stays_out_until_unbanned(stage, kind, code):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.shared_room(ana, ben, cy, kind=kind)
    await say(ana, channel, "x")
    await ban(ana, channel, ben, reason="spam")
    await assert_ended(ben, channel, "banned")
    for client in (ana, cy, ben):
        assert (await client.expect("member", user=ben.user))["change"] == "banned"
    async with nothing_changes(channel, ana, cy):
        for op, arguments in KEPT_OUT:
            got = await code_of(ben.request(op, channel=channel, **arguments))
            assert got == code, op
        await refused(ana.request(
            "member.add", channel=channel, users=[ben.user]), "banned")
        await ban(ana, channel, ben)
    assert await ana.request("member.unban", channel=channel, user=ben.user) == {}
    assert (await summary_of(ana, channel))["member_count"] == 2
    if kind == "group":
        await ana.request("member.add", channel=channel, users=[ben.user])
    else:
        await ben.request("channel.join", channel=channel)
    assert (await summary_of(ben, channel))["role"] == "member"


@run
async def test_who_is_banned_reads_nothing_in_lists_either(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind="public")
    await ban(ana, channel, ben)
    await say(ana, channel, "not for ben")
    for scope in ("joined", "joinable", "all"):
        listed = await ben.request("channel.list", scope=scope, sort="activity", limit=100)
        assert "not for ben" not in listed.raw, scope


@run
async def test_strangers_may_be_banned_and_stop_hearing(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, kind="public")
    await ben.request("subscribe", channel=channel)
    await ban(ana, channel, ben)
    await say(ana, channel, "x")
    await assert_ended(ben, channel, "banned")
    await refused(ben.request("channel.join", channel=channel), "banned")
    assert (await summary_of(ana, channel))["member_count"] == 1


@run
async def test_a_ban_keeps_a_stranger_from_being_added_to_a_group(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    group = await stage.room(ana)
    await ban(ana, group, ben)
    async with nothing_changes(group, ana):
        await refused(ana.request(
            "member.add", channel=group, users=[cy.user, ben.user]), "banned")
    await ana.request("member.unban", channel=group, user=ben.user)
    await ana.request("member.add", channel=group, users=[cy.user, ben.user])
    async with nothing_changes(group, ana):
        await ana.request("member.unban", channel=group, user=ben.user)


@run
async def test_a_ban_with_an_end_ends(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind="public")
    until = await ana.ping() + 1200
    await ban(ana, channel, ben, until_ts=until)
    await refused(ben.request("channel.join", channel=channel), "banned")
    await past(ben, until)
    await ben.request("channel.get", channel=channel)
    await ben.request("channel.join", channel=channel)


# Silence

SILENCED = [
    ("message.send", {"text": "x"}), ("message.edit", {"seq": 1, "text": "x"}),
    ("signal", {"name": "x"}), ("typing", {"on": True})]
STILL_FREE = [
    ("typing", {"on": False}), ("read", {"seq": 2}), ("reaction.add", {"seq": 2, "reaction": "x"}),
    ("message.history", {"before": 9}), ("message.delete", {"seq": 1}), ("channel.mute", {})]


@pytest.mark.parametrize("kind", ["group", "public"])
@run
async def test_who_is_silenced_may_read_and_react_but_not_speak(stage, kind):
    ana, mo, ben = await stage.people("ana", "mo", "ben")
    channel = await stage.shared_room(ana, mo, ben, kind=kind)
    await promote(ana, channel, mo)
    await say(ben, channel, "mine")
    await say(ana, channel, "x")
    await silence(mo, channel, ben, await mo.ping() + 60_000)
    await ana.settle()
    async with nothing_changes(channel, ana, ben):
        for op, arguments in SILENCED:
            error = await refused(ben.request(op, channel=channel, **arguments), "muted")
            assert 0 < error.retry_after_ms <= 60_000
    for op, arguments in STILL_FREE:
        await ben.request(op, channel=channel, **arguments)
    await silence(mo, channel, ben, 0)
    await say(ben, channel, "at last")
    assert (await ana.expect("message", seq=3))["text"] == "at last"


@run
async def test_a_broadcast_silences_replies_in_threads_too(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind="broadcast")
    await say(ana, channel, "post")
    await silence(ana, channel, ben, FOREVER)
    await refused(ben.request("message.send", channel=channel, text="x", reply_to=1), "muted")


@run
async def test_a_silence_is_shown_to_moderators_and_to_whom_it_concerns(stage):
    ana, mo, ben, cy = await stage.people("ana", "mo", "ben", "cy")
    channel = await stage.room(ana, mo, ben, cy)
    await promote(ana, channel, mo)
    until = await ana.ping() + 60_000
    await silence(ana, channel, ben, until)
    shown = [(await members(client, channel))[ben.user].get("silenced_until_ts")
             for client in (ana, mo, ben, cy)]
    assert shown == [until, until, until, None]
    await silence(ana, channel, ben, 0)
    for client in (ana, ben):
        assert "silenced_until_ts" not in (await members(client, channel))[ben.user]


@run
async def test_a_silence_outlasts_leaving_and_ends_at_its_time(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind="public")
    until = await ana.ping() + 1500
    await silence(ana, channel, ben, until)
    for op in ("channel.leave", "channel.join"):
        await ben.request(op, channel=channel)
    await refused(ben.request("message.send", channel=channel, text="x"), "muted")
    await past(ben, until)
    await say(ben, channel, "at last")


# What members say of themselves

@pytest.mark.parametrize("kind", KINDS)
@run
async def test_members_describe_themselves(stage, kind):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.shared_room(ana, ben, cy, kind=kind)
    assert await ben.request("member.update", channel=channel, custom={"colour": "blue"}) == {}
    for client in (ana, ben, cy):
        told = await client.expect("member", channel=channel)
        assert (told["user"], told["change"]) == (ben.user, "updated")
    customs = {user: each.get("custom") for user, each in (await members(ana, channel)).items()}
    assert customs == {ana.user: None, ben.user: {"colour": "blue"}, cy.user: None}
    await ben.request("member.update", channel=channel, custom={})
    assert "custom" not in (await members(cy, channel))[ben.user]
    async with nothing_told(ana):
        await refused(ben.request("member.update", channel=channel, custom=None), "bad_request")
