"""Inbox: the items that the hub makes by itself: mentions, replies, likes and follows."""

import pytest

from chat import ghosts, open_direct, promote
from inboxes import (
    Copy, act, agree, delete, items_of, mute, nothing_happens, notify, only_item, reader_of, texts)
from stage import run, summary_of

KINDS = pytest.mark.parametrize("kind", ["group", "public", "broadcast", "direct"])
THUMB = "https://example.com/cat.jpg"


async def channel_of(stage, kind, *clients):
    """A channel in which everybody may write."""
    if kind == "direct":
        channel = await open_direct(*clients)
        for client in clients:
            await client.settle()
        return channel
    room = await stage.room(*clients, kind=kind)
    if kind == "broadcast":
        await promote(clients[0], room, *clients[1:])
    return room


async def send(client, channel, text="hello", **more):
    return (await client.request("message.send", channel=channel, text=text, **more))["seq"]


async def react(client, channel, seq, reaction="👍", op="reaction.add"):
    await client.request(op, channel=channel, seq=seq, reaction=reaction)


async def feed_of(client):
    await client.request("channel.create", channel=f"feed:{client.user}", kind="broadcast")
    return f"feed:{client.user}"


async def title_of(client, channel, sender):
    summary = await summary_of(client, channel)
    return sender if summary["kind"] == "direct" else f"{summary['name']} - {sender}"


def made(item, **said):
    """What the hub makes, by what is particular to it."""
    return said | {"id": item["id"], "ts": item["ts"], "state": "unseen", "count": 1,
                   "actors": [said["actor"]], "by": "@hub"}


# What is made

@KINDS
@run
async def test_whoever_is_mentioned_is_notified(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    room = await channel_of(stage, kind, ana, ben)
    copies = [await Copy.of(ana), await Copy.of(await stage.again(ana))]
    await ben.request("user.update", name="Ben B.")
    seq = await send(ben, room, "x" * 51, mentions=[ana.user])
    await ana.expect("inbox.added")
    [item] = await agree(copies)
    assert item == made(
        item, type="mention", actor=ben.user, text="x" * 50 + "...",
        title=await title_of(ana, room, "Ben B."),
        target={"kind": "message", "id": f"{room}/{seq}"})
    assert await items_of(ben) == []


@KINDS
@run
async def test_whoever_is_answered_is_notified_of_the_answer(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    room = await channel_of(stage, kind, ana, ben)
    first = await send(ana, room, "question")
    seq = await send(ben, room, "answer", reply_to=first)
    await ana.expect("inbox.added")
    item = await only_item(ana)
    assert item == made(
        item, type="reply", actor=ben.user, text="answer",
        title=await title_of(ana, room, ben.user),
        target={"kind": "message", "id": f"{room}/{seq}"})


@KINDS
@run
async def test_whose_message_is_liked_is_notified_of_the_message(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    room = await channel_of(stage, kind, ana, ben)
    seq = await send(ana, room, "my cat")
    await react(ben, room, seq, "❤️")
    await ana.expect("inbox.added")
    item = await only_item(ana)
    assert item == made(
        item, type="like", actor=ben.user, text="my cat", data={"reaction": "❤️"},
        title=await title_of(ana, room, ben.user),
        target={"kind": "message", "id": f"{room}/{seq}"})


@run
async def test_who_is_followed_is_notified(stage):
    ana, ben = await stage.people("ana", "ben")
    feed = await feed_of(ana)
    await ben.request("user.update", name="Ben B.")
    for _ in range(2):
        await ben.request("channel.join", channel=feed)
    await ana.expect("inbox.added")
    item = await only_item(ana)
    assert item == made(
        item, type="follow", actor=ben.user, title="Ben B.", text="Ben B. follows you",
        target={"kind": "user", "id": ben.user})
    assert await items_of(ben) == []


@run
async def test_joining_any_other_channel_notifies_nobody(stage):
    ana, ben = await stage.people("ana", "ben")
    async with nothing_happens(ana, ben):
        for kind in ("public", "broadcast"):
            await stage.room(ana, ben, kind=kind)


@pytest.mark.parametrize("message, text, thumb", [
    ({"text": "hi", "attachments": [
        {"kind": "file", "url": "https://e.com/f"}, {"kind": "image", "url": THUMB},
        {"kind": "image", "url": "https://e.com/2"}]}, "hi", THUMB),
    ({"attachments": [{"kind": "image", "url": THUMB}]}, "📷 Image", THUMB),
    ({"attachments": [{"kind": "video", "url": THUMB}]}, "New message", None),
    ({"data": [1]}, "New message", None)], ids=lambda value: str(value)[:30])
@run
async def test_an_item_shows_the_beginning_and_the_first_image(stage, message, text, thumb):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    target = {"kind": "message", "id": f"{room}/1"} | ({"thumb": thumb} if thumb else {})
    await ben.request("message.send", channel=room, mentions=[ana.user], **message)
    assert (await ana.expect("inbox.added"))["item"]["text"] == text
    assert (await only_item(ana))["target"] == target
    seq = (await ana.request("message.send", channel=room, **message))["seq"]
    await react(ben, room, seq)
    await ana.expect("inbox.added")
    like = (await items_of(ana))[0]
    assert (like["text"], like["target"].get("thumb")) == (text, thumb)


@run
async def test_mentioning_the_channel_notifies_everybody_but_the_sender(stage):
    ana, ben, cy, dan = await stage.people("ana", "ben", "cy", "dan")
    room = await stage.room(ana, ben, cy)
    async with nothing_happens(ana, dan):
        await send(ana, room, mentions=[ben.user, "@channel", ana.user])
    for client in (ben, cy):
        assert (await only_item(client))["type"] == "mention"


@run
async def test_mentioning_a_large_channel_notifies_all_of_it(stage):
    ana, *some = await stage.people("ana", "ben", "cy", "dan")
    room = await stage.room(ana, some[0])
    crowd = await ghosts(stage, 320)
    for at in range(0, 320, 80):
        await ana.request("member.add", channel=room, users=crowd[at:at + 80])
    await ana.request("member.add", channel=room, users=[each.user for each in some])
    some += [await stage.signed_in(f"dev:{user}") for user in (crowd[0], crowd[319])]
    async with nothing_happens(ana):
        seq = await send(ana, room, "all of you", mentions=["@channel"])
        for client in some:
            await client.expect("inbox.added")
            assert (await only_item(client))["target"]["id"] == f"{room}/{seq}"
    last = await stage.signed_in(f"dev:{crowd[200]}")
    assert texts(await items_of(last)) == ["all of you"]
    await ana.request("message.delete", channel=room, seq=seq)
    for client in some:
        await client.expect("inbox.removed")
    for client in (*some, last):
        assert await items_of(client) == []


@run
async def test_a_reply_goes_before_a_mention(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    room = await stage.room(ben, ana, cy)
    first = await send(ana, room)
    await send(ben, room, reply_to=first, mentions=["@channel", ana.user])
    assert (await ana.expect("inbox.added"))["item"]["type"] == "reply"
    assert len(await items_of(ana)) == 1
    assert (await only_item(cy))["type"] == "mention"
    await cy.expect("inbox.added")
    async with nothing_happens(ana, cy):
        await ben.request("message.edit", channel=room, seq=2, text="other", mentions=[
            ana.user, cy.user])


@run
async def test_every_persons_reactions_to_a_message_are_one_item(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    room = await stage.room(ana, ben, cy)
    first, second = await send(ana, room, "one"), await send(ana, room, "two")
    await react(ben, room, first, "1")
    async with nothing_happens(ana):
        await react(ben, room, first, "2")
        await react(ben, room, first, "1")
    await react(cy, room, first, "3")
    await react(ben, room, second, "4")
    found = await items_of(ana)
    assert [(item["actor"], item["text"], item["data"]["reaction"]) for item in found] == [
        (ben.user, "two", "4"), (cy.user, "one", "3"), (ben.user, "one", "1")]
    assert all(item["count"] == 1 for item in found)


@run
async def test_what_an_edit_puts_in_is_made(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    room = await stage.room(ana, ben, cy)
    seq = await send(ana, room, "before", mentions=[ben.user])
    await ben.expect("inbox.added")
    async with nothing_happens(ben):
        await ana.request("message.edit", channel=room, seq=seq, text="after", mentions=[
            cy.user, ben.user])
    await cy.expect("inbox.added")
    item = await only_item(cy)
    assert (item["type"], item["text"], item["target"]["id"]) == (
        "mention", "after", f"{room}/{seq}")
    async with nothing_happens(ben, cy):
        await ana.request("message.edit", channel=room, seq=seq, text="once more")


# What is not made

@KINDS
@run
async def test_nobody_is_notified_of_what_they_did_themselves(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    room = await channel_of(stage, kind, ana, ben)
    elsewhere = await stage.again(ana)
    async with nothing_happens(ana, elsewhere):
        seq = await send(ana, room, mentions=[ana.user])
        await send(elsewhere, room, reply_to=seq)
        await react(elsewhere, room, seq)
        await feed_of(ana)


@run
async def test_who_is_no_member_is_not_notified(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ben, ana, kind="public")
    seq = await send(ana, room)
    await ana.request("channel.leave", channel=room)
    async with nothing_happens(ana):
        await send(ben, room, reply_to=seq, mentions=[ana.user, "@channel"])
        await react(ben, room, seq)
        await ana.request("channel.join", channel=room)


async def all_four(ben, feed, room):
    """Ben does everything of which the other could be notified; their message is the first."""
    await send(ben, room, mentions=["@channel"])
    await send(ben, room, reply_to=1)
    await react(ben, room, 1)
    await ben.request("channel.join", channel=feed)


@pytest.mark.parametrize("reason, left", [
    ("nothing", "follow like reply mention"), ("actor muted", ""), ("blocked", ""),
    ("blocked by", ""), ("channel muted", "follow"), ("channel muted by settings", "follow"),
    ("feed muted", "like reply mention"), ("like", "follow reply mention"),
    ("reply", "follow like mention"), ("mention", "follow like reply"),
    ("follow", "like reply mention")])
@run
async def test_nothing_is_made_for_those_who_want_none(stage, reason, left):
    ana, ben = await stage.people("ana", "ben")
    room, feed = await stage.room(ben, ana), await feed_of(ana)
    await send(ana, room)
    steps = {
        "actor muted": lambda: mute(ana, users=[ben.user]),
        "blocked": lambda: ana.request("user.block", user=ben.user),
        "blocked by": lambda: ben.request("user.block", user=ana.user),
        "channel muted": lambda: ana.request("channel.mute", channel=room),
        "channel muted by settings": lambda: mute(ana, channels=[room]),
        "feed muted": lambda: mute(ana, channels=[feed]), "nothing": lambda: mute(ana)}
    await steps.get(reason, lambda: mute(ana, types=[reason]))()
    await all_four(ben, feed, room)
    bot = await stage.bot()
    await notify(bot, ana, type="fence", text="fence")
    await ana.expect("inbox.added", item=lambda item: item["type"] == "fence")
    types = [item["type"] for item in await items_of(ana)]
    assert sorted(types) == sorted(["fence", *left.split()])


@run
async def test_what_the_hub_makes_is_read_and_deleted_like_all_else(stage):
    ana, copies = await reader_of(stage)
    ben = await stage.person("ben")
    room = await stage.room(ben, ana)
    await send(ben, room, mentions=[ana.user])
    [item] = await agree(copies)
    assert await act(ana, item) == {"target": item["target"]}
    assert (await agree(copies))[0]["state"] == "read"
    assert (await delete(ana, item))["deleted"] == 1
    assert await agree(copies) == []
