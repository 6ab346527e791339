"""Privacy: who hides receipts or typing does not get others'; who may write to whom."""

import pytest

from chat import (
    code_of, expect_unread, ghosts, members, nothing_changes, nothing_told, open_direct, settings)
from client import refused
from stage import fill, run, say, summary_of


async def read(client, channel, seq):
    await client.request("read", channel=channel, seq=seq)


async def typing(client, channel, on):
    await client.request("typing", channel=channel, on=on)


# Receipts

@run
async def test_who_hides_receipts_neither_gives_nor_gets_them(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.shared_room(ana, ben, cy)
    elsewhere = await stage.again(ben)
    await settings(ben, receipts=False)
    await fill(ana, channel, 3)
    await read(ben, channel, 2)
    await read(cy, channel, 3)
    await cy.request("delivered", channel=channel, seq=3)
    assert (await ana.expect("receipt"))["user"] == cy.user
    for client in (ana, cy):
        await client.nothing("receipt", user=ben.user)
    await ben.nothing("receipt", user=cy.user)
    assert (await elsewhere.expect("receipt"))["read"] == 2
    for client in (ben, elsewhere):
        await expect_unread(client, channel, 1)


@run
async def test_receipts_come_again_when_they_are_no_longer_hidden(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await settings(ben, receipts=False)
    await fill(ana, channel, 3)
    await read(ben, channel, 1)
    await settings(ben, receipts=True)
    await read(ben, channel, 2)
    assert (await ana.expect("receipt"))["read"] == 2
    await fill(ben, channel, 1)
    await read(ana, channel, 4)
    assert (await ben.expect("receipt", user=ana.user))["read"] == 4


@run
async def test_of_two_who_hide_neither_sees_the_other(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await open_direct(ana, ben)
    for client in (ana, ben):
        await client.request("subscribe", channel=channel)
        await settings(client, receipts=False, typing=False)
    for client, other in ((ana, ben), (ben, ana)):
        [seq] = await say(client, channel, "x")
        await typing(other, channel, True)
        await read(other, channel, seq)
        for ev in ("receipt", "typing"):
            await client.nothing(ev, user=other.user)
            assert other.user not in str(client.events(ev))
        listed = await members(client, channel)
        assert "read" not in listed[other.user]


@run
async def test_in_a_large_channel_who_hides_receipts_is_not_counted(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.room(ana, ben, cy, kind="public")
    await ana.request("member.add", channel=channel, users=await ghosts(stage, 100))
    await settings(ben, receipts=False)
    await ana.request("subscribe", channel=channel)
    await ben.request("subscribe", channel=channel)
    await fill(ana, channel, 1)
    await read(ben, channel, 1)
    await read(cy, channel, 1)
    counted = (1, 2)  # with or without the sender
    await ana.expect("receipt", read_by=lambda by: by and by.get("1") in counted)
    shown = [each.get("read_by", {}).get("1", 0) for each in ana.events("receipt")]
    assert max(shown) <= 2, "ben is counted"
    await ben.nothing("receipt", read_by=lambda by: by is not None)


# Typing

@run
async def test_who_hides_typing_neither_gives_nor_gets_it(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.shared_room(ana, ben, cy)
    await settings(ben, typing=False)
    await typing(ben, channel, True)
    await typing(cy, channel, True)
    for client in (ana, cy):
        assert (await client.expect("typing"))["users"] == [cy.user]
    await typing(ana, channel, True)
    assert set((await cy.expect("typing"))["users"]) == {ana.user, cy.user}
    await ben.ping()
    seen = {user for event in ben.events("typing") for user in event["users"]}
    assert seen <= {ben.user}
    await settings(ben, typing=True)
    await typing(ben, channel, False)
    await typing(ben, channel, True)
    assert ben.user in (await cy.expect("typing", users=lambda users: ben.user in users))["users"]


@run
async def test_who_hides_typing_in_the_middle_of_it_vanishes(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await typing(ben, channel, True)
    assert (await ana.expect("typing"))["users"] == [ben.user]
    await settings(ben, typing=False)
    assert (await ana.expect("typing", within=4))["users"] == []


# Who may write to whom

async def followed(stage, ana, ben):
    await ben.request("channel.join", channel=f"feed:{ana.user}")


async def in_a_group(stage, ana, ben):
    await stage.room(ana, ben)


async def written_to(stage, ana, ben):
    direct = await open_direct(ben, ana)
    await say(ben, direct, "hello")


async def following(stage, ana, ben):
    await ben.request("channel.create", channel=f"feed:{ben.user}", kind="broadcast")
    await ana.request("channel.join", channel=f"feed:{ben.user}")


async def in_an_open_channel(stage, ana, ben):
    await stage.room(ana, ben, kind="public")


async def silent_in_a_direct_channel(stage, ana, ben):
    direct = await open_direct(ana, ben)
    await say(ana, direct, "hello?")


async def in_a_large_group(stage, ana, ben):
    group = await stage.room(ana, ben)
    await ana.request("member.add", channel=group, users=await ghosts(stage, 99))


async def strangers(stage, ana, ben):
    pass


CONTACTS = [followed, in_a_group, written_to]
NO_CONTACTS = [strangers, following, in_an_open_channel, silent_in_a_direct_channel,
               in_a_large_group]


@pytest.mark.parametrize("known", CONTACTS + NO_CONTACTS, ids=lambda known: known.__name__)
@pytest.mark.parametrize("policy", ["everyone", "contacts", "nobody"])
@run
async def test_a_policy_says_who_may_write(stage, policy, known):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    await ana.request("channel.create", channel=f"feed:{ana.user}", kind="broadcast")
    await known(stage, ana, ben)
    group, made = await stage.room(cy, ana), stage.name("room")
    await cy.request("member.role", channel=group, user=ana.user, role="moderator")
    await settings(ben, dm_policy=policy)
    allowed = policy == "everyone" or (policy == "contacts" and known in CONTACTS)
    code = "ok" if allowed else "forbidden"
    await ben.settle()
    assert await code_of(ana.request("member.add", channel=group, users=[ben.user])) == code
    assert await code_of(ana.request(
        "channel.create", channel=made, kind="group", members=[ben.user])) == code
    if not allowed:
        await ben.nothing("member")
        await ben.nothing("channel.created")
        assert await code_of(ana.request("dm.open", user=ben.user)) == "forbidden"
        await ben.nothing("channel.created")


@pytest.mark.parametrize("known", CONTACTS + NO_CONTACTS, ids=lambda known: known.__name__)
@run
async def test_contacts_may_open_a_direct_channel(stage, known):
    ana, ben = await stage.people("ana", "ben")
    await ana.request("channel.create", channel=f"feed:{ana.user}", kind="broadcast")
    await known(stage, ana, ben)
    await settings(ben, dm_policy="contacts")
    expected = "ok" if known in CONTACTS else "forbidden"
    assert await code_of(ana.request("dm.open", user=ben.user)) == expected


@pytest.mark.parametrize("policy", ["contacts", "nobody"])
@run
async def test_a_policy_holds_in_a_direct_channel_that_is_already_there(stage, policy):
    ana, ben = await stage.people("ana", "ben")
    direct = await open_direct(ana, ben)
    await say(ana, direct, "before")
    await settings(ben, dm_policy=policy)
    async with nothing_changes(direct, ana, ben):
        await refused(ana.request("message.send", channel=direct, text="x"), "forbidden")
    await say(ben, direct, "but I may write to you")
    expected = {"contacts": "ok", "nobody": "forbidden"}[policy]
    assert await code_of(ana.request("message.send", channel=direct, text="x")) == expected


@run
async def test_a_refusal_is_alike_for_a_block_and_a_policy(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    await ben.request("user.block", user=ana.user)
    await settings(cy, dm_policy="nobody")
    group = await stage.room(ana)
    for op, arguments in (("dm.open", lambda user: {"user": user}),
                          ("member.add", lambda user: {"channel": group, "users": [user]})):
        messages = []
        for other in (ben, cy):
            error = await refused(ana.request(op, **arguments(other.user)), "forbidden")
            messages.append((error.message or "").replace(other.user, "{user}"))
        assert messages[0] == messages[1]


@run
async def test_a_policy_does_not_keep_people_out_of_what_they_are_in(stage):
    ana, ben = await stage.people("ana", "ben")
    group = await stage.shared_room(ana, ben)
    await settings(ben, dm_policy="nobody")
    async with nothing_told(ben):
        await ana.request("member.add", channel=group, users=[ben.user])
    await say(ana, group, "still here")
    await ben.expect("message")
    assert (await summary_of(ben, group))["role"] == "member"
