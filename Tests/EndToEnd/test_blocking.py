"""Block is one rule: what the blocker no longer sees, and that the blocked learn nothing."""

import pytest

from chat import (
    NOBODY, expect_unread, ghosts, hidden, history, message_at, nothing_changes, nothing_told,
    open_direct, settings, statuses, thread, without)
from client import refused
from stage import fill, run, say, seqs, summary_of


async def block(client, other):
    assert await client.request("user.block", user=other.user) == {}


async def unblock(client, other):
    assert await client.request("user.unblock", user=other.user) == {}


async def apart(stage, *more, kind="group"):
    """Ana, whom Ben has blocked, then further people; all subscribed to one channel."""
    people = await stage.people("ana", "ben", *more)
    channel = await stage.shared_room(*people, kind=kind)
    await block(people[1], people[0])
    for client in people:
        await client.settle()
    return (channel, *people)


# Direct messages

@run
async def test_direct_messages_are_refused_both_ways_for_different_reasons(stage):
    ana, ben = await stage.people("ana", "ben")
    direct = await open_direct(ana, ben)
    await say(ana, direct, "before")
    await block(ben, ana)
    async with nothing_changes(direct, ana):
        for client, other, code in ((ana, ben, "forbidden"), (ben, ana, "blocked")):
            await refused(client.request("message.send", channel=direct, text="x"), code)
            await refused(client.request("dm.open", user=other.user), code)
    await unblock(ben, ana)
    assert await say(ana, direct, "after") == [2] and await say(ben, direct, "yes") == [3]


@run
async def test_no_direct_channel_is_made_with_who_has_blocked_one(stage):
    ana, ben = await stage.people("ana", "ben")
    await block(ben, ana)
    async with nothing_told(ana, ben):
        await refused(ana.request("dm.open", user=ben.user), "forbidden")
        await refused(ben.request("dm.open", user=ana.user), "blocked")
    for client in (ana, ben):
        assert (await client.request("channel.list"))["channels"] == []


@run
async def test_nobody_is_put_into_a_channel_by_whom_they_blocked(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    group, channel = await stage.room(ana), stage.name("room")
    await block(ben, ana)
    async with nothing_changes(group, ana), nothing_told(ben, cy):
        await refused(ana.request(
            "member.add", channel=group, users=[cy.user, ben.user]), "forbidden")
        await refused(ana.request(
            "channel.create", channel=channel, kind="group", members=[ben.user]), "forbidden")
    await refused(ana.request("channel.get", channel=channel), "not_found")


# Hidden messages

@pytest.mark.parametrize("kind", ["group", "public", "broadcast"])
@run
async def test_a_blocked_persons_messages_are_stubs_wherever_they_stand(stage, kind):
    channel, ana, ben, cy = await apart(stage, "cy", kind=kind)
    start = await cy.request("subscribe", channel=channel)
    await ana.request("message.send", channel=channel, text="secret", data={"a": 1}, key="k",
                      mentions=[cy.user])
    stub = hidden(channel, 1)
    assert await ben.expect("message") == {"ev": "message"} | stub
    assert (await cy.expect("message"))["text"] == "secret"
    since = {"epoch": start["epoch"], "seq": 0}
    for arguments in ({"limit": 5}, {"since": since}, {"since": since | {"rev": 0}}):
        assert (await ben.request("subscribe", channel=channel, **arguments))["messages"] == [stub]
    for arguments in ({"before": 2}, {"after": 0}, {"around": 1}):
        page = await ben.request("message.history", channel=channel, **arguments)
        assert page["messages"] == [stub]
    again = (await stage.again(ben)).welcome["user_stream"]["channels"]
    listed = (await ben.request("channel.list"))["channels"]
    for summary in (await summary_of(ben, channel), again[0], listed[0]):
        assert (summary["last_message"], summary["seq"], summary["unread"]) == (stub, 1, 0)
    assert (await summary_of(cy, channel))["last_message"]["text"] == "secret"


@run
async def test_changes_of_hidden_messages_are_stubs_with_their_rev(stage):
    channel, ana, ben = await apart(stage)
    await say(ana, channel, "one", "two")
    at = await ben.request("subscribe", channel=channel)
    await ana.request("message.edit", channel=channel, seq=1, text="secret")
    await ana.request("message.delete", channel=channel, seq=2)
    for rev, ev in ((1, "message.updated"), (2, "message.deleted")):
        assert await ben.expect(ev) == {"ev": ev} | hidden(channel, rev, rev=rev)
    since = {key: at[key] for key in ("epoch", "seq", "rev")}
    changed = (await ben.request("subscribe", channel=channel, since=since))["changed"]
    assert sorted(changed, key=lambda each: each["seq"]) == [
        hidden(channel, 1), hidden(channel, 2)]


@run
async def test_hidden_replies_stay_in_the_thread_as_stubs(stage):
    channel, ana, ben = await apart(stage)
    await say(ben, channel, "question")
    for client in (ana, ben):
        await client.request("message.send", channel=channel, text="answer", reply_to=1)
    shown = (await thread(ben, channel, 1))["messages"]
    assert shown[0] == hidden(channel, 2) and shown[1]["text"] == "answer"
    assert "hidden" not in (await thread(ana, channel, 1))["messages"][0]


@run
async def test_the_numbering_stays_whole_and_both_keep_talking(stage):
    channel, ana, ben, cy = await apart(stage, "cy")
    for client in (ana, ben, cy) * 5:
        await say(client, channel, "x")
    for client in (ana, ben, cy):
        await client.expect("message", seq=15)
        assert seqs(client.events("message")) == list(range(1, 16))
    shown = [message["seq"] for message in await history(ben, channel) if "hidden" in message]
    assert shown == [1, 4, 7, 10, 13]
    assert not any("hidden" in message for message in await history(ana, channel))


@run
async def test_an_unblocked_persons_messages_are_shown_again(stage):
    channel, ana, ben = await apart(stage)
    await say(ana, channel, "hidden once")
    await unblock(ben, ana)
    assert (await message_at(ben, channel, 1))["text"] == "hidden once"
    await say(ana, channel, "after")
    assert (await ben.expect("message", seq=2))["text"] == "after"


# Everything else stops both ways

@run
async def test_typing_receipts_and_signals_stop_both_ways(stage):
    channel, ana, ben, cy = await apart(stage, "cy")
    await fill(cy, channel, 3)
    for client in (ana, ben):
        await client.request("signal", channel=channel, name="x")
        await client.request("read", channel=channel, seq=3)
        for on in (True, False):
            await client.request("typing", channel=channel, on=on)
            shown = [client.user] if on else []
            assert (await cy.expect("typing"))["users"] == shown
    for client, other in ((ana, ben), (ben, ana)):
        await client.ping()
        assert [each["user"] for each in client.events("signal")] == [client.user]
        assert all(each["user"] == client.user for each in client.events("receipt"))
        assert not any(other.user in each["users"] for each in client.events("typing"))
    assert {each["user"] for each in cy.events("signal")} == {ana.user, ben.user}
    assert {each["user"] for each in cy.events("receipt")} == {ana.user, ben.user}


@run
async def test_who_types_while_blocked_is_missing_from_the_set(stage):
    channel, ana, ben, cy = await apart(stage, "cy")
    for client in (ana, cy):
        await client.request("typing", channel=channel, on=True)
    assert (await ben.expect("typing"))["users"] == [cy.user]
    await cy.expect("typing", users=lambda users: set(users) == {ana.user, cy.user})
    await ana.expect("typing", users=lambda users: set(users) == {ana.user, cy.user})
    await ben.nothing("typing")


@run
async def test_presence_stops_both_ways(stage):
    channel, ana, ben, cy = await apart(stage, "cy")
    for client in (ana, ben):
        for status in ("away", "online"):
            await client.request("presence.set", status=status)
            await cy.expect("presence", user=client.user, status=status)
    assert await statuses(ana, ben, cy) == await statuses(ben, ana, cy) == ["offline", "online"]
    assert await statuses(cy, ana, ben) == ["online", "online"]
    for client, other in ((ana, ben), (ben, ana)):
        await client.nothing("presence", user=other.user, status="away")
    await unblock(ben, ana)
    assert await statuses(ana, ben, cy) == await statuses(ben, ana, cy) == ["online", "online"]


@run
async def test_the_numbers_of_those_present_do_not_give_the_block_away(stage):
    channel, ana, ben, cy = await apart(stage, "cy")
    for client, others in ((ana, {cy.user}), (ben, {cy.user}), (cy, {ana.user, ben.user})):
        reply = await client.request("presence.get", channels=[channel])
        shown = reply["channels"][channel]
        assert set(shown["users"]) == others | {client.user}
        assert shown["count"] == len(shown["users"]), shown


@run
async def test_mentions_between_them_do_not_count(stage):
    channel, ana, ben, cy = await apart(stage, "cy")
    await ana.request("message.send", channel=channel, text="x", mentions=[ben.user, cy.user])
    await ben.request("message.send", channel=channel, text="x", mentions=[ana.user, cy.user])
    await expect_unread(ben, channel, 0)
    await expect_unread(ana, channel, 1, 0)
    await expect_unread(cy, channel, 2, 2)


@run
async def test_a_blocked_persons_message_is_no_activity(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.room(ana, ben, cy)
    await block(ben, ana)
    await say(ana, channel, "secret")
    await cy.expect("activity", channel=channel)
    await say(cy, channel, "open")
    assert (await ben.expect("activity"))["user"] == cy.user
    assert not any(each["user"] == ana.user for each in ben.events("activity"))


# What is told of it

@run
async def test_blocking_is_told_to_the_blockers_connections_only(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.shared_room(ana, ben, cy)
    elsewhere = await stage.again(ben)
    before = without(await summary_of(ana, channel), "updated_ts")
    async with nothing_told(ana, cy):
        for op, blocked in (("user.block", [ana.user]), ("user.unblock", [])):
            await ben.request(op, user=ana.user)
            for client in (ben, elsewhere):
                assert (await client.expect("self"))["settings"]["blocked"] == blocked
            assert (await settings(ben))["blocked"] == blocked
            async with nothing_told(ben, elsewhere):
                await ben.request(op, user=ana.user)
    assert (await settings(ana))["blocked"] == []
    assert without(await summary_of(ana, channel), "updated_ts") == before
    assert ana.events("presence") == []


@run
async def test_a_thousand_may_be_blocked_but_neither_oneself_nor_nobody(stage):
    ana = await stage.signed_in(f"dev:{stage.name('ana')}", check=False)
    await refused(ana.request("user.block", user=ana.user), "bad_request")
    await refused(ana.request("user.block", user=NOBODY), "not_found")
    users = await ghosts(stage, 1001)
    await ana.many("user.block", [{"user": user} for user in users[:1000]])
    await refused(ana.request("user.block", user=users[1000]), "too_large")
    await ana.request("user.block", user=users[7])
    assert set((await settings(ana))["blocked"]) == set(users[:1000])
    await ana.request("user.unblock", user=users[7])
    await ana.request("user.block", user=users[1000])
