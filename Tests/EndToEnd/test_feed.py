"""The micro-blog: a feed is a broadcast channel, following is joining, a like a reaction."""

import asyncio

import pytest

from chat import assert_ended, code_of, hidden, message_at, profile, thread
from client import refused
from stage import fill, run, say, seqs, summary_of


async def feed_of(client):
    """The client's own feed, made if need be."""
    feed = f"feed:{client.user}"
    await code_of(client.request("channel.create", channel=feed, kind="broadcast"))
    return feed


async def follow(client, *others):
    for other in others:
        await client.request("channel.join", channel=f"feed:{other.user}")


async def unfollow(client, *others):
    for other in others:
        await client.request("channel.leave", channel=f"feed:{other.user}")


async def feed(client, **arguments):
    return await client.request("feed.list", **arguments)


async def texts(client, **arguments):
    return [message.get("text") for message in (await feed(client, **arguments))["messages"]]


async def numbers(client, person):
    """How many follow somebody, and how many they follow."""
    shown = await profile(client, person.user)
    return shown.get("followers", 0), shown.get("following", 0)


async def post(client, *lines):
    """Posts, each in a millisecond of its own."""
    for line in lines:
        await client.tick()
        await say(client, f"feed:{client.user}", line)
    await client.tick()


async def bloggers(stage, *stems):
    people = await stage.people(*stems)
    for person in people:
        await feed_of(person)
    return people


# Following

@run
async def test_only_its_owner_makes_a_feed_and_only_as_a_broadcast(stage):
    ana, ben = await stage.people("ana", "ben")
    name = f"feed:{ana.user}"
    for client, channel, kind in ((ben, name, "broadcast"), (ana, name, "public"),
                                  (ana, name, "group"), (ana, "feed:", "broadcast"),
                                  (ana, name + "x", "broadcast")):
        await refused(client.request("channel.create", channel=channel, kind=kind),
                      "forbidden", "bad_request")
    assert await feed_of(ana) == name
    assert (await summary_of(ana, name))["role"] == "owner"


@run
async def test_followers_and_those_followed_are_counted(stage):
    ana, ben, cy = await bloggers(stage, "ana", "ben", "cy")
    assert await numbers(ana, ana) == (0, 0)
    steps = [(follow, ben, ana), (follow, cy, ana), (follow, cy, ana), (follow, ana, cy),
             (unfollow, ben, ana), (unfollow, ben, ana), (follow, ben, cy)]
    expected = {ana.user: [0, 0], ben.user: [0, 0], cy.user: [0, 0]}
    pairs = set()
    for step, client, other in steps:
        await step(client, other)
        (pairs.add if step is follow else pairs.discard)((client.user, other.user))
        for user in expected:
            expected[user] = (sum(b == user for _, b in pairs), sum(a == user for a, _ in pairs))
        for person in (ana, ben, cy):
            assert await numbers(ben, person) == expected[person.user]
    assert (await stage.again(cy)).welcome["user"]["followers"] == 2


@run
async def test_joining_other_broadcasts_is_not_following(stage):
    ana, ben = await bloggers(stage, "ana", "ben")
    channel = await stage.room(ana, ben, kind="broadcast")
    assert await numbers(ana, ana) == await numbers(ana, ben) == (0, 0)
    await say(ana, channel, "news")
    assert await texts(ben) == ["news"]


@run
async def test_counts_follow_removal_ban_and_deletion(stage):
    ana, ben, cy, dan = await bloggers(stage, "ana", "ben", "cy", "dan")
    name = f"feed:{ana.user}"
    for client in (ben, cy, dan):
        await follow(client, ana)
    await ana.request("member.remove", channel=name, users=[ben.user])
    assert (await numbers(ana, ana), await numbers(ana, ben)) == ((2, 0), (0, 0))
    await ana.request("member.ban", channel=name, user=cy.user)
    await refused(follow(cy, ana), "banned")
    assert (await numbers(ana, ana), await numbers(ana, cy)) == ((1, 0), (0, 0))
    await ana.request("channel.delete", channel=name)
    assert (await numbers(ana, ana), await numbers(ana, dan)) == ((0, 0), (0, 0))


@run
async def test_many_follow_at_once_and_are_counted_exactly(stage):
    ana, *others = await bloggers(stage, *["ana"] * 20)
    for _ in range(3):
        await asyncio.gather(*(follow(other, ana) for other in others))
        assert await numbers(ana, ana) == (19, 0)
        await asyncio.gather(*(unfollow(other, ana) for other in others))
        assert await numbers(ana, ana) == (0, 0)


# Posts, likes, comments

@run
async def test_a_post_is_liked_and_commented_live(stage):
    ana, ben, cy = await bloggers(stage, "ana", "ben", "cy")
    name = f"feed:{ana.user}"
    await follow(ben, ana)
    for client in (ana, ben, cy):
        await client.request("subscribe", channel=name)
    await say(ana, name, "my first post")
    assert (await ben.expect("message"))["text"] == "my first post"
    for _ in range(2):
        await ben.request("reaction.add", channel=name, seq=1, reaction="❤️")
    await ben.request("message.send", channel=name, text="nice", reply_to=1)
    for client in (ana, cy):
        assert (await client.expect("reaction"))["count"] == 1
        await client.nothing("reaction")
        assert (await client.expect("message", reply_to=1))["text"] == "nice"
    await refused(ben.request("message.send", channel=name, text="x"), "forbidden")
    for request in (cy.request("reaction.add", channel=name, seq=1, reaction="x"),
                    cy.request("message.send", channel=name, text="x", reply_to=1)):
        await refused(request, "not_member")
    [shown] = (await feed(ben))["messages"]
    assert shown["reactions"] == {"❤️": {"count": 1, "mine": True}} and shown["reply_count"] == 1
    assert [each["text"] for each in (await thread(cy, name, 1))["messages"]] == ["nice"]
    await ben.request("reaction.remove", channel=name, seq=1, reaction="❤️")
    assert (await ana.expect("reaction"))["count"] == 0


# The feed

@run
async def test_the_feed_is_the_posts_of_all_one_follows_newest_first(stage):
    ana, ben, cy, dan = await bloggers(stage, "ana", "ben", "cy", "dan")
    await follow(dan, ana, ben)
    group = await stage.room(dan, ana)
    for client, line in ((ana, "a1"), (cy, "c1"), (ben, "b1"), (ana, "a2"), (dan, "d1"),
                         (ben, "b2")):
        await post(client, line)
    await say(ana, group, "not a post")
    await dan.request(
        "message.send", channel=f"feed:{ana.user}", text="a comment", reply_to=1)
    reply = await feed(dan)
    assert [each["text"] for each in reply["messages"]] == ["b2", "d1", "a2", "b1", "a1"]
    assert [each["ts"] for each in reply["messages"]] == sorted(
        (each["ts"] for each in reply["messages"]), reverse=True)
    assert reply["messages"][0] == await message_at(dan, f"feed:{ben.user}", 2)
    await unfollow(dan, ben)
    assert await texts(dan) == ["d1", "a2", "a1"]
    await follow(dan, ben, cy)
    assert await texts(dan) == ["b2", "d1", "a2", "b1", "c1", "a1"]


@run
async def test_who_follows_nobody_has_an_empty_feed(stage):
    ana = await stage.person()
    await stage.room(ana, kind="public")
    reply = await feed(ana)
    assert reply["messages"] == [] and not reply.get("cursor")


@pytest.mark.parametrize("limit", [1, 7, 30, 100])
@run
async def test_pages_together_are_the_whole_feed_though_more_is_posted(stage, limit):
    ana, ben, cy = await bloggers(stage, "ana", "ben", "cy")
    await follow(cy, ana, ben)
    for client in (ana, ben, ana):
        await fill(client, f"feed:{client.user}", 10)
        await client.tick()
    whole = [(m["channel"], m["seq"]) for m in (await feed(cy, limit=100))["messages"]]
    assert len(whole) == len(set(whole)) == 30
    found, cursor = [], None
    while True:
        page = await feed(cy, limit=limit, cursor=cursor)
        assert len(page["messages"]) <= limit
        found += [(message["channel"], message["seq"]) for message in page["messages"]]
        if not (cursor := page.get("cursor")):
            break
        await say(ben, f"feed:{ben.user}", "meanwhile")
    assert found == whole


@run
async def test_a_page_of_the_feed_has_50_posts_when_nothing_is_said(stage):
    [ana] = await bloggers(stage, "ana")
    await fill(ana, f"feed:{ana.user}", 60)
    reply = await feed(ana)
    assert seqs(reply["messages"]) == list(range(60, 10, -1)) and reply["cursor"]


@run
async def test_deleted_and_hidden_posts_keep_their_place(stage):
    ana, ben, cy = await bloggers(stage, "ana", "ben", "cy")
    await follow(cy, ana, ben)
    for client, line in ((ana, "a1"), (ben, "b1"), (ana, "a2"), (ben, "b2")):
        await post(client, line)
    await ana.request("message.delete", channel=f"feed:{ana.user}", seq=2)
    await cy.request("user.block", user=ben.user)
    shown = (await feed(cy))["messages"]
    assert shown[0] == hidden(f"feed:{ben.user}", 2) and shown[2] == hidden(f"feed:{ben.user}", 1)
    assert "text" not in shown[1] and shown[1]["deleted_ts"] and shown[3]["text"] == "a1"


@run
async def test_a_deleted_feed_leaves_the_feeds_of_its_followers(stage):
    ana, ben, cy = await bloggers(stage, "ana", "ben", "cy")
    await follow(cy, ana, ben)
    await post(ana, "a1")
    await post(ben, "b1")
    name = f"feed:{ana.user}"
    await cy.request("subscribe", channel=name)
    await ana.request("channel.delete", channel=name)
    await assert_ended(cy, name, "deleted")
    assert await texts(cy) == ["b1"]
    await feed_of(ana)
    assert await texts(cy) == ["b1"]
    assert (await summary_of(cy, name))["member_count"] == 1
