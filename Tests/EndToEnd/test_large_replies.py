"""Replies about much: none exceeds 512 KiB, and what is listed in pages is still all there."""

import json

from chat import ghosts, history, thread
from client import HubError
from stage import fill, run, say, seqs

OUTBOUND_LIMIT = 512 * 1024
LARGE = "x" * 60_000  # of `custom`, near its limit
MANY = 12  # more of them than one frame may carry


def assert_small(frame):
    assert len(frame.raw.encode()) <= OUTBOUND_LIMIT, f"{len(frame.raw)} bytes"
    return frame


async def pages(client, op, key, **arguments):
    """All pages of a list."""
    found, cursor = [], None
    while True:
        page = assert_small(await client.request(op, cursor=cursor, limit=100, **arguments))
        found += page[key]
        if not (cursor := page.get("cursor")):
            return found


async def large_messages(client, channel, count, **more):
    for index in range(count):
        await client.request("message.send", channel=channel, data=f"{index}" * 100_000, **more)


async def people_of_size(stage):
    """Many who have said much about themselves; their ids."""
    admin, users = await stage.admin(), await ghosts(stage, MANY)
    for user in users:
        await admin.request("user.put", users=[{"id": user, "name": "Size", "custom": LARGE}])
    return admin, users


@run
async def test_a_thread_of_large_replies_is_read_in_pages(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    await say(ana, channel, "question")
    await large_messages(ana, channel, 8, reply_to=1)
    found = []
    while True:
        page = assert_small(await thread(
            ana, channel, 1, after=found[-1] if found else 0, limit=100))
        found += seqs(page["messages"])
        if not page["has_more"]:
            break
    assert found == list(range(2, 10))


@run
async def test_a_feed_of_large_posts_is_read_in_pages(stage):
    ana = await stage.person()
    feed = f"feed:{ana.user}"
    await ana.request("channel.create", channel=feed, kind="broadcast")
    await large_messages(ana, feed, 8)
    assert seqs(await pages(ana, "feed.list", "messages")) == list(range(8, 0, -1))


@run
async def test_messages_that_grew_by_edits_are_read_in_pages(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    await fill(ana, channel, 10)
    for seq in range(1, 11):
        await ana.request("message.edit", channel=channel, seq=seq, data="x" * 100_000)
    newest = assert_small(await ana.request("subscribe", channel=channel, limit=300))
    got = seqs(newest["messages"])
    assert got and got == list(range(11 - len(got), 11))
    found = []
    while True:
        page = assert_small(await ana.request(
            "message.history", channel=channel, after=len(found), limit=100))
        found += page["messages"]
        if not page["has_more"]:
            break
    assert seqs(found) == list(range(1, 11))


@run
async def test_channels_with_much_metadata_are_listed_in_pages(stage):
    ana = await stage.person()
    rooms = [await stage.room(ana) for _ in range(MANY)]
    for room in rooms:
        await ana.request("channel.update", channel=room, custom=LARGE)
    for sort in ("activity", "kind", "name"):
        listed = await pages(ana, "channel.list", "channels", sort=sort)
        assert sorted(each["channel"] for each in listed) == sorted(rooms)
    again = await stage.again(ana)
    stream = assert_small(again.welcome)["user_stream"]
    assert stream["more"] is True and 0 < len(stream["channels"]) < MANY
    at = stream["at"]
    for room in rooms:
        await ana.request("channel.update", channel=room, custom=LARGE + "!")
    back = await stage.connect()
    stream = assert_small(await back.hello(f"dev:{ana.user}", since_user=at))["user_stream"]
    assert stream["recovered"] is False or len(stream["channels"]) == MANY


@run
async def test_members_who_said_much_are_listed_in_pages(stage):
    ana = await stage.person()
    _, users = await people_of_size(stage)
    channel = await stage.room(ana)
    await ana.request("member.add", channel=channel, users=users)
    listed = await pages(ana, "member.list", "members", channel=channel)
    assert sorted(each["user"] for each in listed) == sorted([ana.user, *users])


@run
async def test_people_who_said_much_do_not_break_what_is_asked_about_them(stage):
    admin, users = await people_of_size(stage)
    for op, arguments in (("user.get", {"users": users}), ("user.search", {"q": "size"}),
                          ("user.put", {"users": [{"id": user, "bio": "x"} for user in users]})):
        try:
            assert_small(await admin.request(op, **arguments))
        except HubError as error:
            assert error.code == "too_large", op
    await admin.request("user.get", users=users[:3])


@run
async def test_a_message_with_a_hundred_reactions_is_still_delivered(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await ana.request("message.send", channel=channel, data="x" * 250_000)
    for person in (ana, ben):
        await person.many("reaction.add", [
            {"channel": channel, "seq": 1, "reaction": "🎉" * 7 + f"{index:02}"}
            for index in range(100)])
    await ana.request("message.edit", channel=channel, seq=1, text="y" * 5000)
    assert_small(await ben.expect("message.updated"))
    [message] = await history(ben, channel)
    assert len(message["reactions"]) == 100 and len(message["text"]) == 5000


@run
async def test_more_than_200_changed_channels_are_not_passed_over(stage):
    ana, ben = await stage.people("ana", "ben")
    rooms = [stage.name("room") for _ in range(210)]
    await ana.many("channel.create", [
        {"channel": room, "kind": "group", "members": [ben.user]} for room in rooms])
    again = await stage.again(ben)
    at = again.welcome["user_stream"]["at"]
    await ana.many("message.send", [{"channel": room, "text": "x"} for room in rooms])
    back = await stage.connect()
    stream = assert_small(await back.hello(f"dev:{ben.user}", since_user=at))["user_stream"]
    assert stream["recovered"] is False or stream["more"] is True
    assert len(stream["channels"]) == 200
    await ana.many("member.remove", [{"channel": room, "users": [ben.user]} for room in rooms])
    back = await stage.connect()
    stream = assert_small(await back.hello(f"dev:{ben.user}", since_user=at))["user_stream"]
    assert stream["recovered"] is False or sorted(stream["left"]) == sorted(rooms)
    assert json.loads(back.welcome.raw)["ok"]["user_stream"]["channels"] == []
