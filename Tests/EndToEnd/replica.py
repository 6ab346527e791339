"""A copy of a channel as a client keeps it: built by recovery and events, and nothing else."""

import copy

from chat import without
from stage import seqs

CHANGES = ("message.updated", "message.deleted", "reaction")


class Replica:
    """What somebody knows of a channel. How often a message was replied to is not kept: that
    follows from the messages."""

    def __init__(self, channel, user):
        self.channel, self.user = channel, user
        self.at, self.known, self.mine = None, {}, {}

    @property
    def messages(self):
        return [self.known[seq] for seq in sorted(self.known)]

    def subscription(self):
        """The arguments of the next subscribe."""
        since = {"since": dict(self.at)} if self.at else {"limit": 300}
        return {"channel": self.channel} | since

    def begin(self, reply):
        """Takes a subscribe's reply; it must hold exactly what was missing."""
        assert reply["recovered"] is bool(self.at), reply
        seen = self.at["seq"] if self.at else 0
        assert seqs(reply["messages"]) == list(range(seen + 1, reply["seq"] + 1))
        changed = seqs(reply.get("changed", []))
        assert len(changed) == len(set(changed)) and all(seq <= seen for seq in changed)
        for message in reply.get("changed", []) + reply["messages"]:
            self.keep(message)
        self.at = {key: reply[key] for key in ("epoch", "seq", "rev")}

    def keep(self, message):
        self.known[message["seq"]] = copy.deepcopy(without(message, "reply_count"))
        shown = message.get("reactions", {})
        self.mine[message["seq"]] = {name for name, each in shown.items() if "mine" in each}

    def take(self, event):
        """Takes an event of the channel; positions must follow each other without a hole."""
        if event["ev"] == "message":
            assert event["seq"] == self.at["seq"] + 1, f"{event} after {self.at}"
            self.at["seq"] += 1
            self.keep(without(event, "ev"))
        elif event["ev"] in CHANGES:
            assert event["rev"] == self.at["rev"] + 1, f"{event} after {self.at}"
            self.at["rev"] += 1
            (self.react if event["ev"] == "reaction" else self.change)(event)

    def change(self, event):
        message = copy.deepcopy(without(event, "ev", "rev", "reply_count"))
        shown = message.get("reactions", {})
        for name in self.mine[event["seq"]] & set(shown):
            shown[name]["mine"] = True
        self.known[event["seq"]] = message

    def react(self, event):
        message, name = self.known[event["seq"]], event["reaction"]
        own = self.mine[event["seq"]]
        if event["user"] == self.user:
            (own.add if event["on"] else own.discard)(name)
        if "hidden" in message:
            return
        shown = message.setdefault("reactions", {})
        shown[name] = {"count": event["count"]} | ({"mine": True} if name in own else {})
        if not event["count"]:
            del shown[name]
        if not shown:
            del message["reactions"]
