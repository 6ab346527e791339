"""Inbox: what the hub made is taken back, read or not, when it is undone; and made anew when it is
done again, unless its reader deleted it. Also of messages that have left memory."""

import pytest

from archive import displace
from chat import ghosts
from inboxes import (
    STATES, agree, delete, items_of, mark, nothing_happens, notify, reader_of, texts)
from stage import fill, run, say

HUB_FLAGS = {"window-memory": "1MiB", "durability": "none"}
FEED = "feed"  # stands for ana's own

# Of each type: what makes it, what takes it back, and what makes it again. Ben does it, and ana,
# who is the owner, where it says so. The first message is ana's, the next is ben's.
ADD, REMOVE = ("reaction.add", {"seq": 1, "reaction": "x"}), (
    "reaction.remove", {"seq": 1, "reaction": "x"})
MENTION = "message.send", {"text": "you", "mentions": ["ana"]}
REPLY = "message.send", {"text": "answer", "reply_to": 1}
UNDONE = {
    "un-like": (ADD, REMOVE, ADD),
    "liked message deleted": (ADD, ("ana", "message.delete", {"seq": 1}), None),
    "mention deleted": (MENTION, ("message.delete", {"seq": 2}), None),
    "mention deleted by a moderator": (MENTION, ("ana", "message.delete", {"seq": 2}), None),
    "mention edited out": (
        MENTION, ("message.edit", {"seq": 2, "mentions": []}),
        ("message.edit", {"seq": 2, "mentions": ["ana"]})),
    "mention edited to somebody else": (
        MENTION, ("message.edit", {"seq": 2, "mentions": ["ben"]}),
        ("message.edit", {"seq": 2, "mentions": ["ana", "ben"]})),
    "reply deleted": (REPLY, ("message.delete", {"seq": 2}), None),
    "un-follow": (
        ("channel.join", FEED), ("channel.leave", FEED), ("channel.join", FEED)),
    "follower removed": (
        ("channel.join", FEED), ("ana", "member.remove", {"users": ["ben"], "channel": FEED}),
        ("channel.join", FEED)),
    "follower banned": (
        ("channel.join", FEED), ("ana", "member.ban", {"user": "ben", "channel": FEED}), None),
    "like, channel deleted": (ADD, ("ana", "channel.delete", {}), None),
    "mention, channel deleted": (MENTION, ("ana", "channel.delete", {}), None),
    "reply, channel deleted": (REPLY, ("ana", "channel.delete", {}), None),
    "follow, channel deleted": (
        ("channel.join", FEED), ("ana", "channel.delete", {"channel": FEED}), None),
}
WAYS = pytest.mark.parametrize("way", UNDONE)
AGAIN = pytest.mark.parametrize("way", [way for way, steps in UNDONE.items() if steps[2]])


class Scene:
    """A room and a feed of ana's, a message of hers, and ben who does things."""

    @classmethod
    async def set(cls, stage):
        scene = cls()
        scene.ana, scene.copies = await reader_of(stage)
        scene.ben, scene.bot = await stage.person("ben"), await stage.bot()
        scene.room = await stage.room(scene.ana, scene.ben)
        scene.feed = f"feed:{scene.ana.user}"
        await scene.ana.request("channel.create", channel=scene.feed, kind="broadcast")
        await say(scene.ana, scene.room, "first")
        await notify(scene.bot, scene.ana, text="other")
        return scene

    def filled(self, value):
        if isinstance(value, dict):
            return {key: self.filled(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.filled(inner) for inner in value]
        names = {"ana": self.ana.user, "ben": self.ben.user, FEED: self.feed}
        return names.get(value, value) if isinstance(value, str) else value

    async def do(self, step):
        *who, op, arguments = step
        arguments = {"channel": FEED} if arguments == FEED else arguments
        client = self.ana if who else self.ben
        await client.request(op, **{"channel": self.room} | self.filled(arguments))
        await self.ana.ping()

    async def item(self):
        """The item that the hub made."""
        [item] = [each for each in await agree(self.copies) if each["by"] == "@hub"]
        return item


@WAYS
@pytest.mark.parametrize("state", STATES)
@run
async def test_what_is_undone_is_taken_back(stage, way, state):
    scene = await Scene.set(stage)
    make, undo, _ = UNDONE[way]
    await scene.do(make)
    item = await scene.item()
    await mark(scene.ana, state, item)
    await agree(scene.copies)
    await scene.do(undo)
    for copy in scene.copies:
        event = await copy.client.expect("inbox.removed")
        assert event["ids"] == [item["id"]] and event["item"]["type"] == item["type"]
    assert texts(await agree(scene.copies)) == ["other"]


@AGAIN
@run
async def test_what_is_done_again_is_made_anew(stage, way):
    scene = await Scene.set(stage)
    make, undo, again = UNDONE[way]
    await scene.do(make)
    first = await scene.item()
    await mark(scene.ana, "read", first)
    for _ in range(3):
        await scene.do(undo)
        assert texts(await agree(scene.copies)) == ["other"]
        await scene.do(again)
        item = await scene.item()
        assert item["state"] == "unseen" and item["type"] == first["type"]
        assert item["target"] == first["target"]


@AGAIN
@run
async def test_what_its_reader_deleted_is_not_made_again(stage, way):
    scene = await Scene.set(stage)
    make, undo, again = UNDONE[way]
    await scene.do(make)
    await delete(scene.ana, await scene.item())
    async with nothing_happens(*(copy.client for copy in scene.copies)):
        for step in (undo, again, undo, again):
            await scene.do(step)


@WAYS
@run
async def test_undoing_what_its_reader_deleted_tells_nothing(stage, way):
    scene = await Scene.set(stage)
    make, undo, _ = UNDONE[way]
    await scene.do(make)
    await delete(scene.ana, await scene.item())
    async with nothing_happens(*(copy.client for copy in scene.copies)):
        await scene.do(undo)


@run
async def test_a_like_goes_with_the_last_of_a_persons_reactions(stage):
    scene = await Scene.set(stage)
    for reaction in "abc":
        await scene.do(("reaction.add", {"seq": 1, "reaction": reaction}))
    await scene.do(("ana", "reaction.add", {"seq": 1, "reaction": "a"}))
    item = await scene.item()
    async with nothing_happens(scene.ana):
        for reaction in "ab":
            await scene.do(("reaction.remove", {"seq": 1, "reaction": reaction}))
    assert await scene.item() == item and item["data"] == {"reaction": "a"}
    await scene.do(("reaction.remove", {"seq": 1, "reaction": "c"}))
    assert texts(await agree(scene.copies)) == ["other"]


@run
async def test_a_like_of_one_person_outlives_that_of_another(stage):
    scene = await Scene.set(stage)
    cy = await stage.person("cy")
    await scene.ana.request("member.add", channel=scene.room, users=[cy.user])
    await scene.do(ADD)
    await cy.request("reaction.add", channel=scene.room, seq=1, reaction="x")
    await scene.do(REMOVE)
    assert (await scene.item())["actor"] == cy.user


@run
async def test_leaving_a_room_takes_nothing_back(stage):
    scene = await Scene.set(stage)
    for step in (ADD, MENTION, REPLY):
        await scene.do(step)
    async with nothing_happens(scene.ana):
        await scene.do(("channel.leave", {}))
    assert len(await items_of(scene.ana)) == 4


@run
async def test_a_mention_of_everybody_is_edited_out_and_in(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    room = await stage.room(ana, ben, cy)
    await ana.request("member.add", channel=room, users=await ghosts(stage, 100))
    await ana.request("message.send", channel=room, text="all", mentions=["@channel"])
    for mentions, bens, cys in [([ben.user], 1, 0), (["@channel"], 1, 1), ([cy.user], 0, 1),
                                ([], 0, 0), (["@channel", ben.user], 1, 1)]:
        await ana.request("message.edit", channel=room, seq=1, mentions=mentions)
        for client, count in ((ben, bens), (cy, cys)):
            await client.ping()
            assert len(await items_of(client)) == count, mentions


@run
async def test_what_others_published_about_a_channel_stays_when_it_is_deleted(stage):
    scene = await Scene.set(stage)
    await scene.do(MENTION)
    await scene.bot.request(
        "notify", to=[scene.ana.user], type="mention", text="the bot's", target={
            "kind": "message", "id": f"{scene.room}/2"})
    await scene.do(("ana", "channel.delete", {}))
    assert texts(await agree(scene.copies)) == ["the bot's", "other"]


# Messages that have left memory

OLD = ["un-like", "liked message deleted", "mention deleted", "mention edited out",
       "reply deleted", "like, channel deleted"]


@pytest.mark.parametrize("way", OLD)
@run
async def test_it_is_the_same_with_messages_that_have_left_memory(stage, way):
    scene = await Scene.set(stage)
    make, undo, again = UNDONE[way]
    await scene.do(make)
    item = await scene.item()
    await fill(scene.ben, scene.room, 1500)
    await displace(stage, 2 << 20)
    await scene.do(undo)
    assert texts(await agree(scene.copies)) == ["other"]
    if again:
        await displace(stage, 1 << 20)
        await scene.do(again)
        anew = await scene.item()
        assert (anew["text"], anew["target"]) == (item["text"], item["target"])


@run
async def test_an_old_message_is_liked_answered_and_edited(stage):
    scene = await Scene.set(stage)
    await say(scene.ben, scene.room, "second")
    await fill(scene.ben, scene.room, 1500)
    await displace(stage, 2 << 20)
    await scene.do(ADD)
    assert (await scene.item())["text"] == "first"
    await scene.do(REMOVE)
    await scene.do(("message.edit", {"seq": 2, "mentions": ["ana"]}))
    item = await scene.item()
    assert (item["type"], item["text"]) == ("mention", "second")
    await delete(scene.ana, item)
    await scene.do(REPLY)
    assert (await scene.item())["target"]["id"] == f"{scene.room}/1503"
