"""The feed over thousands of posts that have left memory."""

import pytest

from archive import LITTLE_MEMORY, author, displace, listed, reopened
from chat import hidden
from home import home_fixture, signed_in  # the fixture is `home`
from stage import fill, run, say

HUB_FLAGS = {"window-memory": "1MiB"}


async def feed_of(client):
    name = f"feed:{client.user}"
    await client.request("channel.create", channel=name, kind="broadcast")
    return name


async def feed(client, limit=100):
    """All pages of somebody's feed."""
    messages, _ = await listed(client, "feed.list", limit=limit)
    return messages


def places(messages):
    return [(message["channel"], message["seq"]) for message in messages]


async def post(authors, rng, count):
    """Posts in bursts of random authors; where they stand, newest first, and their texts."""
    posted = []
    while len(posted) < count:
        client = rng.choice(authors)
        await client.tick()
        texts = [f"{client.user} {len(posted) + n}" for n in range(rng.randrange(1, 60))]
        numbers = await say(client, f"feed:{client.user}", *texts)
        posted += [(f"feed:{client.user}", seq, text)
                   for seq, text in zip(numbers, texts, strict=True)]
    return posted[::-1]


async def bloggers(stage, count):
    authors = [await author(stage, "blogger") for _ in range(count)]
    for each in authors:
        await feed_of(each)
    return authors


@pytest.mark.parametrize("limit", [33, 100])
@run
async def test_the_feed_brings_every_post_once_newest_first(stage, rng, limit):
    authors, reader = await bloggers(stage, 5), await author(stage, "reader")
    for each in authors[:4]:
        await reader.request("channel.join", channel=f"feed:{each.user}")
    posted = await post(authors, rng, 6000)
    await displace(stage)
    followed = {f"feed:{each.user}" for each in authors[:4]}
    shown = await feed(reader, limit)
    times = [message["ts"] for message in shown]
    assert times == sorted(times, reverse=True)
    assert sorted(places(shown)) == sorted(
        (channel, seq) for channel, seq, _ in posted if channel in followed)
    assert {(each["channel"], each["seq"], each["text"]) for each in shown} == {
        each for each in posted if each[0] in followed}
    for channel in followed:
        seqs = [each["seq"] for each in shown if each["channel"] == channel]
        assert seqs == list(range(len(seqs), 0, -1))


@run
async def test_posts_among_many_comments_are_found(stage):
    """A post, then more comments than memory holds, over and over."""
    [ana], ben = await bloggers(stage, 1), await author(stage, "ben")
    name = f"feed:{ana.user}"
    await ben.request("channel.join", channel=name)
    for number in range(4):
        [seq] = await say(ana, name, f"post {number}")
        await ben.many("message.send", [
            {"channel": name, "text": "comment", "reply_to": seq}] * 1200)
    shown = await feed(ben, 3)
    assert [(each["text"], each["reply_count"]) for each in shown] == [
        (f"post {number}", 1200) for number in (3, 2, 1, 0)]


@run
async def test_old_posts_show_their_present_state(stage):
    [ana, ben], cy = await bloggers(stage, 2), await author(stage, "cy")
    for each in (ana, ben):
        await cy.request("channel.join", channel=f"feed:{each.user}")
    await say(ben, f"feed:{ben.user}", "of ben")
    await cy.tick()
    name = f"feed:{ana.user}"
    await say(ana, name, "one", "two", "three")
    await fill(ana, name, 1500)
    await displace(stage)
    await ana.request("message.edit", channel=name, seq=1, text="edited")
    await ana.request("message.delete", channel=name, seq=2)
    await cy.request("reaction.add", channel=name, seq=3, reaction="❤")
    await cy.request("message.send", channel=name, text="nice", reply_to=3)
    await cy.request("user.block", user=ben.user)
    *_, three, two, one, bens = await feed(cy)
    assert three["reactions"] == {"❤": {"count": 1, "mine": True}} and three["reply_count"] == 1
    assert two["deleted_ts"] and "text" not in two
    assert one["text"] == "edited" and one["edited_ts"]
    assert bens == hidden(f"feed:{ben.user}", 1)


@run
async def test_following_and_unfollowing_between_pages(stage, rng):
    authors, reader = await bloggers(stage, 3), await author(stage, "reader")
    names = [f"feed:{each.user}" for each in authors]
    for name in names:
        await reader.request("channel.join", channel=name)
    posted = await post(authors, rng, 3000)
    page = await reader.request("feed.list", limit=100)
    shown = page["messages"]
    await reader.request("channel.leave", channel=names[0])
    while cursor := page.get("cursor"):
        page = await reader.request("feed.list", limit=100, cursor=cursor)
        assert all(each["channel"] != names[0] for each in page["messages"])
        shown = shown + page["messages"]
        await say(authors[1], names[1], "meanwhile")
    assert sorted(place for place in places(shown) if place[0] != names[0]) == sorted(
        (channel, seq) for channel, seq, _ in posted if channel != names[0])
    await reader.request("channel.join", channel=names[0])
    assert len(places(await feed(reader))) >= 3000


@pytest.mark.parametrize("how", ["stop", "kill"])
@run
async def test_the_next_hub_shows_the_same_feed(home, how, rng):
    server = home.start(*LITTLE_MEMORY)
    authors = [await signed_in(server, f"dev:a{n}", check=False) for n in range(3)]
    for each in authors:
        await feed_of(each)
    reader = await signed_in(server, "dev:reader", check=False)
    for each in authors:
        await reader.request("channel.join", channel=f"feed:{each.user}")
    await post(authors, rng, 4000)
    await authors[0].request("message.edit", channel="feed:a0", seq=1, text="edited")
    page = await reader.request("feed.list", limit=100)
    before = await feed(reader)
    assert len(before) >= 4000

    reader = await signed_in(await reopened(home, how), "dev:reader", check=False)
    assert await feed(reader, 77) == before
    again = await reader.request("feed.list", limit=100, cursor=page["cursor"])
    assert again["messages"] == before[100:200], "a cursor stays valid over restarts"
    await reader.close()
