"""Search: whose messages are found by whom, and in which state."""

import pytest

from archive import LITTLE_MEMORY, author, displace, found, listed, reopened
from chat import hidden, message_at, open_direct, without
from client import refused
from home import home_fixture, signed_in  # the fixture is `home`
from stage import fill, run, say

HUB_FLAGS = {"window-memory": "1MiB"}


async def count(client, q="walrus", **arguments):
    return len(await found(client, q, **arguments))


# Channels

@run
async def test_without_a_channel_all_of_ones_own_channels_are_searched_and_no_other(stage):
    ana, ben = await stage.people("ana", "ben")
    both = await stage.room(ana, ben)
    direct = await open_direct(ana, ben)
    public = await stage.room(ana, ben, kind="public")
    news = await stage.room(ana, ben, kind="broadcast")
    for channel in (both, direct, public, news):
        await say(ana, channel, "walrus")
    for kind in ("group", "public", "broadcast"):
        await say(ana, await stage.room(ana, kind=kind), "walrus")
    assert await found(ben, "walrus") == [(each, 1) for each in (news, public, direct, both)]
    assert await count(ana) == 7
    for channel in (both, direct, public, news):
        assert await found(ben, "walrus", channel=channel) == [(channel, 1)]


@pytest.mark.parametrize("kind", ["public", "broadcast"])
@run
async def test_an_open_channel_is_searched_by_name_by_those_who_have_not_joined(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, kind=kind)
    await say(ana, room, "walrus")
    assert (await count(ben), await count(ben, channel=room)) == (0, 1)
    await ben.request("channel.join", channel=room)
    assert (await count(ben), await count(ben, channel=room)) == (1, 1)
    await ben.request("channel.leave", channel=room)
    assert (await count(ben), await count(ben, channel=room)) == (0, 1)


@run
async def test_what_one_may_not_know_of_is_not_found(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    group, direct = await stage.room(ana, cy), await open_direct(ana, cy)
    for channel in (group, direct, stage.name("missing")):
        await refused(found(ben, "walrus", channel=channel), "not_found")
    await say(ana, group, "walrus")
    await say(ana, direct, "walrus")
    assert (await count(ben), await count(cy)) == (0, 2)


@run
async def test_who_leaves_or_is_sent_away_finds_nothing_there_until_they_are_back(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    await say(ana, room, "walrus")
    await say(ben, room, "walrus too")
    for away, back in (
            ((ben, "channel.leave", {}), (ana, "member.add", {"users": [ben.user]})),
            ((ana, "member.remove", {"users": [ben.user]}),
             (ana, "member.add", {"users": [ben.user]})),
            ((ana, "member.ban", {"user": ben.user}), (ana, "member.unban", {"user": ben.user}))):
        assert await count(ben) == 2
        client, op, more = away
        await client.request(op, channel=room, **more)
        assert await count(ben) == 0
        await refused(found(ben, "walrus", channel=room), "not_found", "banned")
        client, op, more = back
        await client.request(op, channel=room, **more)
    await ana.request("channel.delete", channel=room)
    assert await count(ana) == 0


@run
async def test_who_leaves_between_two_pages_gets_nothing_more_of_the_channel(stage):
    ana, ben = await author(stage), await stage.person("ben")
    kept, left = await stage.room(ana, ben), await stage.room(ana, ben)
    for _ in range(20):
        await say(ana, kept, "walrus")
        await say(ana, left, "walrus")
    page = await ben.request("message.search", q="walrus", limit=10)
    await ben.request("channel.leave", channel=left)
    seen = len([each for each in page["messages"] if each["channel"] == kept])
    while cursor := page.get("cursor"):
        page = await ben.request("message.search", q="walrus", limit=10, cursor=cursor)
        assert {each["channel"] for each in page["messages"]} <= {kept}
        seen += len(page["messages"])
    assert seen == 20


@run
async def test_who_is_in_many_channels_finds_what_is_in_any_of_them(stage):
    ana, ben = await author(stage), await stage.person("ben")
    rooms = [await stage.room(ana, ben) for _ in range(150)]
    for room in rooms:
        await say(ana, room, "walrus", "otter")
    assert await found(ben, "walrus") == [(room, 1) for room in reversed(rooms)]


# States of a message

@run
async def test_an_edited_message_is_found_by_its_new_words_only(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await stage.room(ana, ben)
    await say(ana, room, "walrus and otter", "walrus", "zebra")
    await fill(ana, room, 1500)
    await displace(stage)
    await ana.request("message.edit", channel=room, seq=1, text="otter and badger")
    await ana.request("message.edit", channel=room, seq=2, data=[1])
    await ana.request("message.edit", channel=room, seq=3, text="walrus after all")
    for q, seqs in (("walrus", [3, 2]), ("otter", [1]), ("badger", [1]), ("zebra", [])):
        assert await found(ben, q) == [(room, seq) for seq in seqs], q
    await ana.request("message.edit", channel=room, seq=2, text="")
    assert await found(ben, "walrus") == [(room, 3)]
    [message] = (await ben.request("message.search", q="walrus"))["messages"]
    assert message == await message_at(ben, room, 3) and message["edited_ts"]


@run
async def test_a_deleted_message_is_never_found(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await stage.room(ana, ben)
    await say(ana, room, "walrus one", "walrus two", "walrus three")
    await ana.request("message.delete", channel=room, seq=3)
    assert await count(ben) == 2
    await fill(ana, room, 1500)
    await displace(stage)
    await ana.request("message.delete", channel=room, seq=1)
    assert await found(ben, "walrus") == [(room, 2)]
    await ana.request("message.edit", channel=room, seq=2, text="walrus, edited")
    await ana.request("message.delete", channel=room, seq=2)
    assert await found(ben, "walrus") == await found(ben, "edited") == []


@run
async def test_what_a_blocked_person_wrote_is_never_found(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    room = await stage.room(ana, ben, cy, kind="public")
    for _ in range(12):
        await say(ana, room, "walrus")
        await say(ben, room, "walrus")
    await cy.request("user.block", user=ben.user)
    for more in ({}, {"channel": room}):
        messages, _ = await listed(cy, "message.search", q="walrus", limit=5, **more)
        assert [each["seq"] for each in messages] == list(range(23, 0, -2))
        assert all(each["user"] == ana.user for each in messages)
    assert hidden(room, 2) == await message_at(cy, room, 2)
    assert await count(ben) == 24, "the blocked side sees no difference"
    await cy.request("user.unblock", user=ben.user)
    assert await count(cy) == 24


@run
async def test_reactions_and_replies_show_in_what_is_found(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    await ana.request("message.send", channel=room, text="walrus", key="k")
    await ben.request("message.send", channel=room, text="answer", reply_to=1)
    await ben.request("reaction.add", channel=room, seq=1, reaction="👍")
    [shown] = (await ben.request("message.search", q="walrus"))["messages"]
    assert shown["reply_count"] == 1 and "key" not in shown
    assert shown["reactions"] == {"👍": {"count": 1, "mine": True}}
    [own] = (await ana.request("message.search", q="walrus"))["messages"]
    assert own["reactions"] == {"👍": {"count": 1}}
    assert without(own, "reactions", "key") == without(shown, "reactions")


# The next hub

@pytest.mark.parametrize("how", ["stop", "kill"])
@run
async def test_everything_is_found_again_by_the_next_hub(home, how):
    server = home.start(*LITTLE_MEMORY)
    ana, ben = [await signed_in(server, f"dev:{name}", check=False) for name in ("ana", "ben")]
    for channel, kind in (("room", "group"), ("open", "public"), ("gone", "public")):
        await ana.request("channel.create", channel=channel, kind=kind)
    await ana.request("member.add", channel="room", users=["ben"])
    for channel in ("gone", "open", "room"):
        for part in range(4):
            await say(ana, channel, *[f"walrus {part} {n}" for n in range(100)], "你好世界")
            await fill(ana, channel, 300)
    await ana.request("message.edit", channel="room", seq=1, text="edited otter")
    await ana.request("message.delete", channel="room", seq=2)
    await ana.request("channel.delete", channel="gone")
    asked = [(client, q, more) for client in ("ana", "ben") for more in (
        {}, {"channel": "room"}, {"channel": "open"}) for q in (
            "walrus", "walrus 3 17", "otter", "世界", "message 299", "walrus 0 1")]
    clients = {"ana": ana, "ben": ben}
    before = [await found(clients[who], q, **more) for who, q, more in asked]
    assert len(before[0]) == 798 and len(before[18]) == 398
    page = await ana.request("message.search", q="walrus", limit=100)
    await say(ana, "room", "walrus at last")

    server = await reopened(home, how)
    clients = {name: await signed_in(server, f"dev:{name}", check=False)
               for name in ("ana", "ben")}
    assert (await found(clients["ben"], "at last"))[0][0] == "room"
    await clients["ana"].request("message.delete", channel="room", seq=1605)
    after = [await found(clients[who], q, **more) for who, q, more in asked]
    assert after == before
    rest, _ = await listed(clients["ana"], "message.search", q="walrus", limit=100)
    again = await clients["ana"].request(
        "message.search", q="walrus", limit=100, cursor=page["cursor"])
    assert again["messages"] == rest[100:200], "a cursor stays valid over restarts"
    for client in clients.values():
        await client.close()
