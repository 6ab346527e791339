"""Membership: who may do what, joining, leaving, adding, and who sees a channel at all."""

import pytest

from client import HubError, refused
from stage import run, say, summary_of

# op, arguments beside `channel`; {user} stands for somebody known.
MEMBER_OPS = [
    ("message.send", {"text": "x"}), ("typing", {"on": True}), ("read", {"seq": 0}),
    ("delivered", {"seq": 0}), ("member.add", {"users": ["{user}"]}),
]
READ_OPS = [("channel.get", {}), ("subscribe", {}), ("message.history", {"before": 10})]
DOOR_OPS = [("channel.join", {}), ("channel.leave", {})]


async def code_of(client, op, channel, arguments):
    """What the op answers: ok, or the code of its error."""
    filled = {key: [client.user] if value == ["{user}"] else value
              for key, value in arguments.items()}
    try:
        await client.request(op, channel=channel, **filled)
        return "ok"
    except HubError as error:
        return error.code


@pytest.mark.parametrize("op, arguments", READ_OPS + MEMBER_OPS + DOOR_OPS, ids=str)
@run
async def test_a_group_does_not_exist_for_others(stage, op, arguments):
    ana, stranger = await stage.people("ana", "stranger")
    group = await stage.room(ana)
    assert await code_of(stranger, op, group, arguments) == "not_found"
    assert (await summary_of(ana, group))["member_count"] == 1


@pytest.mark.parametrize("op, arguments", READ_OPS + MEMBER_OPS + DOOR_OPS, ids=str)
@run
async def test_a_direct_channel_answers_others_as_if_it_did_not_exist(stage, op, arguments):
    ana, ben, stranger = await stage.people("ana", "ben", "stranger")
    direct = (await ana.request("dm.open", user=ben.user))["channel"]["channel"]
    missing = "dm:" + "0123456789abcdef" * 2
    code = await code_of(stranger, op, direct, arguments)
    assert code == await code_of(stranger, op, missing, arguments)
    in_doubt = ("not_found", "forbidden") if op.split(".")[-1] in ("join", "leave", "add") else ()
    assert code in ("not_found", *in_doubt)


@pytest.mark.parametrize("kind", ["public", "broadcast"])
@pytest.mark.parametrize("op, arguments", READ_OPS + MEMBER_OPS, ids=str)
@run
async def test_an_open_channel_may_be_read_by_all_and_used_by_members(
        stage, kind, op, arguments):
    ana, stranger = await stage.people("ana", "stranger")
    channel = await stage.room(ana, kind=kind)
    expected = "ok" if (op, arguments) in READ_OPS else "not_member"
    assert await code_of(stranger, op, channel, arguments) == expected


@pytest.mark.parametrize("op, arguments", READ_OPS + MEMBER_OPS + DOOR_OPS, ids=str)
@run
async def test_a_channel_that_does_not_exist_is_not_found(stage, op, arguments):
    ana = await stage.person()
    assert await code_of(ana, op, stage.name("missing"), arguments) == "not_found"


@run
async def test_to_others_an_open_channel_shows_no_role(stage):
    ana, stranger = await stage.people("ana", "stranger")
    channel = await stage.room(ana, kind="public")
    assert not (await summary_of(stranger, channel)).get("role")


@pytest.mark.parametrize("kind", ["public", "broadcast"])
@run
async def test_joining_reads_everything_and_is_told_to_subscribers(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, kind=kind)
    await say(ana, channel, "one", "two")
    joined = (await ben.request("channel.join", channel=channel))["channel"]
    assert (joined["read"], joined["seq"], joined["unread"]) == (2, 2, 0)
    assert (joined["member_count"], joined["role"]) == (2, "member")
    event = await ana.expect("member", channel=channel)
    assert (event["user"], event["change"]) == (ben.user, "joined")
    earlier = await ben.request("message.history", channel=channel, before=3)
    assert [message["text"] for message in earlier["messages"]] == ["one", "two"]


@run
async def test_joining_again_is_ok_and_silent(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben, kind="public")
    await ana.settle()
    again = (await ben.request("channel.join", channel=channel))["channel"]
    assert again["member_count"] == 2
    await ana.nothing("member")


@run
async def test_leaving_again_is_ok_and_silent(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben, kind="public")
    await ben.request("channel.leave", channel=channel)
    assert (await ana.expect("member", change="left"))["user"] == ben.user
    await ben.request("channel.leave", channel=channel)
    await ana.nothing("member", channel=channel)
    assert (await summary_of(ana, channel))["member_count"] == 1


@pytest.mark.parametrize("kind", ["group", "public", "broadcast"])
@run
async def test_leaving_ends_every_subscription_before_the_reply(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben, kind=kind)
    elsewhere = await stage.again(ben)
    await elsewhere.request("subscribe", channel=channel)
    await ben.request("channel.leave", channel=channel)
    assert ben.log[-1].get("id"), "the reply comes last"
    assert any(frame.get("ev") == "unsubscribed" for frame in ben.log[:-1])
    for client in (ben, elsewhere):
        assert (await client.expect("unsubscribed", channel=channel))["reason"] == "left"
    await ana.request("message.send", channel=channel, text="now about ben")
    for client in (ben, elsewhere):
        await client.ping()
        ends = [i for i, frame in enumerate(client.log) if frame.get("ev") == "unsubscribed"]
        after = [frame for frame in client.log[ends[0] + 1:] if frame.get("channel") == channel]
        assert after == []


@run
async def test_who_left_a_group_no_longer_sees_it(stage):
    ana, ben = await stage.people("ana", "ben")
    group = await stage.room(ana, ben)
    await ben.request("channel.leave", channel=group)
    await refused(ben.request("channel.get", channel=group), "not_found")
    listed = await ben.request("channel.list")
    assert listed["channels"] == []


@run
async def test_the_owner_adds_members(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    group = await stage.shared_room(ana)
    await ana.request("member.add", channel=group, users=[ben.user, cy.user])
    told = {(await ana.expect("member", change="joined"))["user"] for _ in range(2)}
    assert told == {ben.user, cy.user}
    for client in (ben, cy):
        summary = await summary_of(client, group)
        assert (summary["role"], summary["member_count"]) == ("member", 3)


@run
async def test_adding_a_member_reads_everything_for_them(stage):
    ana, ben = await stage.people("ana", "ben")
    group = await stage.room(ana)
    await say(ana, group, "one", "two", "three")
    await ana.request("member.add", channel=group, users=[ben.user])
    summary = await summary_of(ben, group)
    assert (summary["read"], summary["unread"]) == (3, 0)


@run
async def test_a_plain_member_adds_nobody(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    group = await stage.room(ana, ben)
    await refused(ben.request("member.add", channel=group, users=[cy.user]), "forbidden")
    await refused(cy.request("channel.get", channel=group), "not_found")


@run
async def test_adding_somebody_unknown_adds_nobody(stage):
    ana, ben = await stage.people("ana", "ben")
    group = await stage.room(ana)
    await refused(ana.request(
        "member.add", channel=group, users=[ben.user, "nobody-at-all"]), "not_found")
    assert (await summary_of(ana, group))["member_count"] == 1
    await refused(ben.request("channel.get", channel=group), "not_found")


@run
async def test_adding_a_member_again_changes_nothing(stage):
    ana, ben = await stage.people("ana", "ben")
    group = await stage.shared_room(ana, ben)
    await say(ana, group, "unread by ben")
    await ana.request("member.add", channel=group, users=[ben.user])
    await ana.nothing("member")
    summary = await summary_of(ben, group)
    assert (summary["member_count"], summary["read"], summary["unread"]) == (2, 0, 1)


@pytest.mark.parametrize("op, arguments", DOOR_OPS + [("member.add", {"users": ["{user}"]})])
@run
async def test_nobody_joins_leaves_or_is_added_to_a_direct_channel(stage, op, arguments):
    ana, ben = await stage.people("ana", "ben")
    direct = (await ana.request("dm.open", user=ben.user))["channel"]["channel"]
    assert await code_of(ana, op, direct, arguments) == "forbidden"
    assert (await summary_of(ana, direct))["member_count"] == 2


@run
async def test_when_the_owner_leaves_the_longest_serving_member_owns_the_channel(stage):
    ana, zoe, ben = await stage.people("ana", "zoe", "ben")
    group = await stage.room(ana)
    for client in (zoe, ben):
        await ana.tick()
        await ana.request("member.add", channel=group, users=[client.user])
    await ana.request("channel.leave", channel=group)
    assert (await summary_of(zoe, group))["role"] == "owner"
    assert (await summary_of(ben, group))["role"] == "member"
    await zoe.request("member.add", channel=group, users=[ana.user])
    assert (await summary_of(ana, group))["role"] == "member"


@run
async def test_who_left_and_came_back_serves_anew(stage):
    ana, zoe, ben = await stage.people("ana", "zoe", "ben")
    channel = await stage.room(ana, zoe, ben, kind="public")
    await zoe.request("channel.leave", channel=channel)
    await ana.tick()
    await zoe.request("channel.join", channel=channel)
    await ana.request("channel.leave", channel=channel)
    assert (await summary_of(ben, channel))["role"] == "owner"


@run
async def test_followers_of_a_broadcast_may_not_post(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben, kind="broadcast")
    await refused(ben.request("message.send", channel=channel, text="me too"), "forbidden")
    await ana.request("message.send", channel=channel, text="news")
    assert (await ben.expect("message"))["text"] == "news"
    await ben.request("message.send", channel=channel, text="in the thread", reply_to=1)
    assert (await ana.expect("message", seq=2))["reply_to"] == 1
