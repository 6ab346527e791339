"""Inbox: whatever people write, edit, delete, like and follow in whatever order, the hub has made
and taken back exactly what a plain model says. HUB_SOAK_INBOX is a number of steps, for more."""

import os

import pytest

from inboxes import STATES, Copy, delete, look, mark
from stage import run

HUB_FLAGS = {"durability": "none", "window-memory": "1MiB"}
STEPS = int(os.environ.get("HUB_SOAK_INBOX", 300))
REACTIONS = ["👍", "❤️", "x"]


class Message:
    def __init__(self, author, text, mentions, reply_to):
        self.author, self.text, self.mentions, self.reply_to = author, text, mentions, reply_to
        self.is_deleted, self.reactions = False, {}


class Play:
    """Ana reads; the others do things that concern her, or not."""

    def __init__(self, rng, ana, others, room, copies):
        self.rng, self.ana, self.others, self.room = rng, ana, others, room
        self.copies = copies
        self.messages, self.followers = [], set()
        self.items, self.quiet = {}, set()  # items by what they are about, the newest last

    @classmethod
    async def of(cls, stage, rng):
        ana, *others = await stage.people("ana", "ben", "cy", "dan")
        room = await stage.room(ana, *others)
        for other in others:
            await ana.request(
                "member.role", channel=room, user=other.user, role="moderator")
        await ana.request("channel.create", channel=f"feed:{ana.user}", kind="broadcast")
        copies = [await Copy.of(ana), await Copy.of(await stage.again(ana))]
        return cls(rng, ana, others, room, copies)

    # What the model says

    def make(self, about, kind, actor, text, **more):
        if about not in self.items and about not in self.quiet:
            self.items[about] = {"type": kind, "actor": actor, "text": text, "state": "unseen"}
            self.items[about] |= more

    def is_meant(self, message):
        return bool({self.ana.user, "@channel"} & set(message.mentions))

    def tell_of(self, seq, message):
        answered = message.reply_to and self.messages[message.reply_to - 1]
        if message.author == self.ana.user:
            return
        if answered and answered.author == self.ana.user:
            self.make(("message", seq), "reply", message.author, message.text)
        elif self.is_meant(message):
            self.make(("message", seq), "mention", message.author, message.text)

    # Steps

    def anybody(self):
        return self.rng.choice([self.ana, *self.others])

    def some_message(self, *authors, is_open=True):
        found = [seq for seq, message in enumerate(self.messages, 1)
                 if not (is_open and message.is_deleted)
                 and (not authors or message.author in authors)]
        return self.rng.choice(found[-30:]) if found else None

    def some_mentions(self):
        people = [self.ana.user, *(other.user for other in self.others), "@channel"]
        return self.rng.sample(people, self.rng.choice([0, 0, 1, 1, 2]))

    async def send(self):
        writer, reply_to = self.anybody(), None
        if self.rng.random() < 0.4:
            reply_to = self.some_message()
        message = Message(
            writer.user, f"{len(self.messages)}", self.some_mentions(), reply_to)
        reply = await writer.request(
            "message.send", channel=self.room, text=message.text, reply_to=reply_to,
            mentions=message.mentions)
        self.messages.append(message)
        assert reply["seq"] == len(self.messages)
        self.tell_of(reply["seq"], message)

    async def edit(self):
        writer = self.anybody()
        seq = self.some_message(writer.user)
        if seq is None or (("message", seq) in self.quiet and self.messages[seq - 1].reply_to):
            return
        message, mentions = self.messages[seq - 1], self.some_mentions()
        was_meant, message.mentions = self.is_meant(message), mentions
        message.text = f"edited {self.rng.random()}"
        await writer.request("message.edit", channel=self.room, seq=seq, text=message.text,
                             mentions=mentions)
        about = "message", seq
        if self.is_meant(message) and not was_meant:
            self.tell_of(seq, message)
        elif not self.is_meant(message) and self.items.get(about, {}).get("type") == "mention":
            del self.items[about]

    async def delete_message(self):
        seq = self.some_message()
        if seq:
            self.messages[seq - 1].is_deleted = True
            writer = self.ana if self.rng.random() < 0.5 else self.person(seq)
            await writer.request("message.delete", channel=self.room, seq=seq)
            for about in [about for about in self.items if about[1] == seq]:
                del self.items[about]

    def person(self, seq):
        author = self.messages[seq - 1].author
        return next(each for each in [self.ana, *self.others] if each.user == author)

    async def react(self):
        seq, who, reaction = self.some_message(), self.anybody(), self.rng.choice(REACTIONS)
        if seq is None:
            return
        message, about = self.messages[seq - 1], ("like", seq, who.user)
        own, is_on = message.reactions.setdefault(who.user, set()), self.rng.random() < 0.55
        await who.request("reaction.add" if is_on else "reaction.remove",
                          channel=self.room, seq=seq, reaction=reaction)
        is_first = is_on and not own
        (own.add if is_on else own.discard)(reaction)
        if message.author != self.ana.user or who is self.ana:
            return
        if is_first:
            self.make(about, "like", who.user, message.text, data={"reaction": reaction})
        elif not own:
            self.items.pop(about, None)

    async def follow(self):
        who = self.rng.choice(self.others)
        is_on = who.user not in self.followers
        op = "channel.join" if is_on else "channel.leave"
        await who.request(op, channel=f"feed:{self.ana.user}")
        (self.followers.add if is_on else self.followers.discard)(who.user)
        about = "follow", who.user
        if is_on:
            self.make(about, "follow", who.user, f"{who.user} follows you")
        else:
            self.items.pop(about, None)

    def some_item(self):
        """An item of ana's, as a device knows it, and what it is about."""
        index = self.rng.randrange(min(len(self.items), 15))
        return self.copies[0].items[index], list(reversed(self.items))[index]

    async def mark_one(self):
        if self.items:
            item, about = self.some_item()
            state = self.rng.choice(STATES)
            await mark(self.ana, state, item)
            self.items[about]["state"] = state

    async def delete_one(self):
        if self.items:
            item, about = self.some_item()
            await delete(self.ana, item)
            del self.items[about]
            self.quiet.add(about)

    # Checking

    async def check(self):
        """What every device knows, without what does not come from the model."""
        expected = list(reversed(self.items.values()))
        for copy in self.copies:
            await copy.catch_up()
            shown = [{key: item.get(key) for key in ("type", "actor", "text", "state")}
                     | ({"data": item["data"]} if "data" in item else {}) for item in copy.items]
            assert shown == expected
            assert all(item["by"] == "@hub" and item["count"] == 1 for item in copy.items)


DEEDS = [(Play.send, 12), (Play.edit, 8), (Play.delete_message, 2), (Play.react, 16),
         (Play.follow, 5), (Play.mark_one, 4), (Play.delete_one, 2)]


@pytest.mark.timeout(60 + STEPS)
@run
async def test_what_the_hub_makes_is_what_a_plain_model_says(stage, rng):
    play, done = await Play.of(stage, rng), []
    try:
        for number in range(STEPS):
            [deed] = rng.choices(*zip(*DEEDS, strict=True))
            done.append(deed.__name__)
            await deed(play)
            await play.check()
            if number % 20 == 0:
                await look(play.ana)
        for copy in play.copies:
            await copy.check()
    except AssertionError as error:
        error.add_note(f"after {len(done)} steps, the last: {done[-6:]}")
        raise
