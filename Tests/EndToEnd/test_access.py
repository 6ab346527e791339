"""Who may do what: every operation on a channel, by the channel's kind and the person's role."""

import pytest

import shapes
from chat import code_of, filled, nothing_changes, open_direct, promote
from client import HubError
from stage import run, say

KINDS = ["group", "public", "broadcast"]

# op and arguments beside `channel`, with {user} for somebody known.
READER_OPS = [("message.thread", {"seq": 1})]
MEMBER_OPS = [
    ("message.edit", {"seq": 1, "text": "y"}), ("message.delete", {"seq": 1}),
    ("reaction.add", {"seq": 1, "reaction": "x"}), ("reaction.remove", {"seq": 1, "reaction": "x"}),
    ("message.flag", {"seq": 1}), ("signal", {"name": "x"}), ("read.unread", {"seq": 1}),
    ("channel.mute", {}), ("channel.unmute", {}), ("member.update", {"custom": {"a": 1}}),
]
MODERATOR_OPS = [
    ("channel.update", {"name": "x"}), ("member.add", {"users": ["{user}"]}),
    ("member.silence", {"user": "{user}", "until_ts": 2**53 - 1}),
    ("member.remove", {"users": ["{user}"]}), ("member.ban", {"user": "{user}"}),
    ("member.unban", {"user": "{user}"}), ("message.flags", {}),
]
OWNER_OPS = [("member.role", {"user": "{user}", "role": "moderator"}), ("channel.delete", {})]
EVERY_OP = READER_OPS + MEMBER_OPS + MODERATOR_OPS + OWNER_OPS


async def codes_of(client, ops, channel, user):
    """What each op answers."""
    return {op: await code_of(client.request(op, channel=channel, **filled(arguments, user)))
            for op, arguments in ops}


def all_answer(ops, code):
    return {op: code for op, _ in ops}


@run
async def test_a_group_answers_strangers_as_if_it_did_not_exist(stage):
    ana, ben, stranger = await stage.people("ana", "ben", "stranger")
    group = await stage.shared_room(ana, ben)
    await say(ana, group, "x")
    async with nothing_changes(group, ana, ben):
        for user in (ben.user, stranger.user):
            codes = await codes_of(stranger, EVERY_OP, group, user)
            assert codes == all_answer(EVERY_OP, "not_found")


@pytest.mark.parametrize("kind", ["public", "broadcast"])
@run
async def test_an_open_channel_tells_strangers_that_they_are_no_members(stage, kind):
    ana, ben, stranger = await stage.people("ana", "ben", "stranger")
    channel = await stage.shared_room(ana, ben, kind=kind)
    await stranger.request("subscribe", channel=channel)
    await say(ana, channel, "x")
    async with nothing_changes(channel, ana, ben):
        codes = await codes_of(stranger, EVERY_OP, channel, ben.user)
    refused = all_answer(EVERY_OP, "not_member")
    assert codes == refused | all_answer(READER_OPS, "ok")


@run
async def test_what_does_not_exist_is_not_found_whatever_is_asked(stage):
    ana, ben = await stage.people("ana", "ben")
    codes = await codes_of(ana, EVERY_OP, stage.name("missing"), ben.user)
    assert codes == all_answer(EVERY_OP, "not_found")


@pytest.mark.parametrize("kind", KINDS)
@run
async def test_plain_members_do_not_moderate(stage, kind):
    ana, ben, cy, stranger = await stage.people("ana", "ben", "cy", "stranger")
    channel = await stage.shared_room(ana, ben, cy, kind=kind)
    await say(ana, channel, "x")
    ops = MODERATOR_OPS + OWNER_OPS
    async with nothing_changes(channel, ana, ben, cy):
        for user in (cy.user, ana.user, stranger.user):
            codes = await codes_of(ben, ops, channel, user)
            assert codes == all_answer(ops, "forbidden")


@pytest.mark.parametrize("kind", KINDS)
@run
async def test_moderators_do_all_but_what_is_the_owners(stage, kind):
    ana, mo, cy, stranger = await stage.people("ana", "mo", "cy", "stranger")
    channel = await stage.shared_room(ana, mo, cy, kind=kind)
    await promote(ana, channel, mo)
    await say(ana, channel, "x")
    for client in (ana, cy):
        await client.settle()
    async with nothing_changes(channel, ana, cy):
        codes = await codes_of(mo, OWNER_OPS, channel, cy.user)
        assert codes == all_answer(OWNER_OPS, "forbidden")
    codes = await codes_of(mo, MODERATOR_OPS, channel, stranger.user)
    assert codes == all_answer(MODERATOR_OPS, "ok")


@pytest.mark.parametrize("kind", KINDS)
@run
async def test_members_do_what_members_may(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind=kind)
    await say(ana, channel, "x")
    codes = await codes_of(ben, READER_OPS + MEMBER_OPS, channel, ana.user)
    others = {"message.edit": "forbidden", "message.delete": "forbidden"}
    assert codes == all_answer(READER_OPS + MEMBER_OPS, "ok") | others


# Direct channels

DOOR_OPS = [("channel.join", {}), ("channel.leave", {})]


@run
async def test_a_direct_channel_is_not_moderated(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    direct = await open_direct(ana, ben)
    await say(ana, direct, "x")
    ops = MODERATOR_OPS + OWNER_OPS + DOOR_OPS
    async with nothing_changes(direct, ana, ben):
        for user in (ben.user, cy.user):
            assert await codes_of(ana, ops, direct, user) == all_answer(ops, "forbidden")


@run
async def test_the_two_of_a_direct_channel_do_what_members_may(stage):
    ana, ben = await stage.people("ana", "ben")
    direct = await open_direct(ana, ben)
    await say(ana, direct, "x")
    codes = await codes_of(ben, READER_OPS + MEMBER_OPS, direct, ana.user)
    others = {"message.edit": "forbidden", "message.delete": "forbidden"}
    assert codes == all_answer(READER_OPS + MEMBER_OPS, "ok") | others


@run
async def test_a_direct_channel_answers_others_as_if_it_did_not_exist(stage):
    ana, ben, stranger = await stage.people("ana", "ben", "stranger")
    direct = await open_direct(ana, ben)
    await say(ana, direct, "x")
    missing = "dm:" + "0123456789abcdef" * 2
    ops = EVERY_OP + DOOR_OPS + [("member.list", {}), ("channel.get", {}), ("subscribe", {})]
    async with nothing_changes(direct, ana, ben):
        codes = await codes_of(stranger, ops, direct, ben.user)
    assert codes == await codes_of(stranger, ops, missing, ben.user)
    assert set(codes.values()) <= {"not_found", "forbidden"}
    for op in [op for op, _ in READER_OPS + MEMBER_OPS]:
        assert codes[op] == "not_found", op


# Without hello

@run
async def test_before_hello_no_operation_is_carried_out(stage):
    ana = await stage.person()
    room = await stage.shared_room(ana)
    await say(ana, room, "x")
    client = await stage.connect()
    async with nothing_changes(room, ana):
        for op in set(shapes.names("requests")) - {"hello"}:
            with pytest.raises(HubError, match="unauthenticated"):
                await client.request(op, channel=room, seq=1, user=ana.user, text="y")
    await client.hello(f"dev:{stage.name()}")
