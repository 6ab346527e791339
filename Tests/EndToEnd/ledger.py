"""What was acknowledged, and the comparison of a hub with it.

A cell is one thing that one hand alone writes: the text of a message, a reaction, a pointer. It
holds what was acknowledged last; while a request about it is under way, or was when the hub died,
it may hold that too."""

import collections
import itertools

from chat import recount, without

DELETED = "deleted"


class Sent:
    """A message as its sender wrote it."""

    def __init__(self, channel, user, key, text, data):
        self.channel, self.user, self.key, self.text, self.data = channel, user, key, text, data
        self.begun = self.answered = None  # moments of the ledger

    @property
    def arguments(self):
        return {"channel": self.channel, "key": self.key, "text": self.text, "data": self.data}


class Ledger:
    """All that senders, readers and the bot were told is done, and what they do not know of."""

    def __init__(self):
        self.cells, self.doubts = {}, {}
        self.sent, self.pending = {}, {}
        self.notified = collections.defaultdict(list)
        self.epochs, self.positions = {}, {}
        self.reacted = collections.defaultdict(set)
        self.moments = itertools.count(1)
        self.values = collections.defaultdict(list)

    def doubt(self, cell, value):
        """A request under way may make the cell this."""
        self.doubts[cell] = value
        self.values[cell].append((next(self.moments), value))
        if cell[0] == "reaction":
            self.reacted[cell[1:3]].add(cell[3])

    def settle(self, cell):
        """That request was answered with ok."""
        self.cells[cell] = self.doubts.pop(cell)

    def refuse(self, cell):
        """That request was answered with an error and changed nothing."""
        del self.doubts[cell]

    def allows(self, cell, value, otherwise=None):
        return value == self.cells.get(cell, otherwise) or (
            cell in self.doubts and value == self.doubts[cell])

    def begin(self, sent):
        """A send is under way."""
        sent.begun = sent.begun or next(self.moments)
        self.pending[sent.key] = sent

    def take(self, sent, seq):
        """A send was answered."""
        at = sent.channel, seq
        assert at not in self.sent, f"{at} was given to {self.sent[at].key} and {sent.key}"
        self.sent[at] = sent
        sent.answered = next(self.moments)
        self.cells["text", *at] = sent.text
        del self.pending[sent.key]

    def seqs_of(self, channel):
        return [seq for name, seq in self.sent if name == channel]

    # Comparing

    def check_channel(self, summary, messages):
        """The messages of a channel are those acknowledged, and at most those of whose fate
        nobody knows; numbering and epoch go on."""
        channel = summary["channel"]
        assert [each["seq"] for each in messages] == list(range(1, summary["seq"] + 1))
        assert self.epochs.setdefault(channel, summary["epoch"]) == summary["epoch"]
        position = summary["seq"], summary["rev"]
        told = self.positions.get(channel, (0, 0))
        assert position[0] >= told[0] and position[1] >= told[1], f"{position} after {told}"
        self.positions[channel] = position
        acknowledged = {seq for name, seq in self.sent if name == channel}
        lost = acknowledged - {each["seq"] for each in messages}
        assert not lost, f"{channel} lost {sorted(lost)[:20]} of {len(acknowledged)}"
        keys = collections.Counter()
        for message in messages:
            keys[self.check_message(message).key] += 1
        twice = [key for key, count in keys.items() if count > 1]
        assert not twice, f"{channel} has twice: {twice}"

    def check_message(self, message):
        at = message["channel"], message["seq"]
        sent = self.sent.get(at) or self.unanswered(message)
        assert message["user"] == sent.user, (at, message["user"], sent.user)
        if "deleted_ts" in message:
            assert self.allows(("text", *at), DELETED), f"{at} is deleted"
            assert "text" not in message and "data" not in message
            return sent
        assert self.allows(("text", *at), message["text"], sent.text), (
            at, message["text"], self.cells.get(("text", *at)), self.doubts.get(("text", *at)))
        assert message["data"] == sent.data, at
        shown = message.get("reactions", {})
        assert all(each["count"] == 1 for each in shown.values()), (at, shown)
        for name in self.reacted[at] | set(shown):
            assert self.allows(("reaction", *at, name), name in shown, False), (at, name, shown)
        return sent

    def unanswered(self, message):
        """The send behind a message that nobody was told of."""
        found = [sent for sent in self.pending.values()
                 if sent.channel == message["channel"] and sent.text == message.get("text")]
        assert found, f"nobody sent {without(message, 'data')}"
        return found[0]

    def check_reader(self, user, summary, messages):
        """A pointer is where it was put, and what is unread follows from it."""
        cell = "read", user, summary["channel"]
        assert self.allows(cell, summary["read"], 0), (cell, summary["read"], self.cells.get(cell))
        self.check_counts(user, summary, messages)

    def check_sender(self, user, summary, messages):
        """Whoever sends has read up to there."""
        own = [each["seq"] for each in messages if each["user"] == user]
        joined = self.cells.get(("joined", user, summary["channel"]), 0)
        assert summary["read"] >= max([joined, *own]), (user, summary)
        self.check_counts(user, summary, messages)

    def check_counts(self, user, summary, messages):
        unread, mentions = recount(messages[-2000:], user, summary["read"])
        assert (summary["unread"], summary["mentions"]) == (
            min(unread, 1000), min(mentions, 1000)), (user, summary)

    def check_inbox(self, user, items):
        """The items are in their order, each once."""
        shown = [each["text"] for each in reversed(items)]
        told = self.notified[user]
        doubt = self.doubts.get(("notified", user))
        if doubt is not None and shown[-1:] == [doubt]:
            told = [*told, doubt]
        assert shown == told[-250:], f"{user}: {shown[-3:]} instead of {told[-3:]}"
