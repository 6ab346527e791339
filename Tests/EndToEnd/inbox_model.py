"""A plain model of one inbox: what it must hold after every request, and what is told of each."""

from inboxes import ITEMS

ORDER = ["unseen", "seen", "read", "archived"]


class Part:
    """One notification."""

    def __init__(self, by, arguments):
        self.by, self.key = by, arguments.get("key")
        self.type, self.text = arguments["type"], arguments["text"]
        self.actor, self.expires = arguments.get("actor"), arguments.get("expires_ts")


class Item:
    """What stands for one notification or several; the newest part is the last."""

    def __init__(self, part, word):
        self.parts, self.word, self.by = [part], word, part.by
        self.state, self.is_acted, self.id, self.position = "unseen", False, None, None

    @property
    def actors(self):
        newest_first = [part.actor for part in reversed(self.parts) if part.actor]
        return list(dict.fromkeys(newest_first))

    def shown(self):
        newest = self.parts[-1]
        shown = {"type": newest.type, "actor": newest.actor, "text": newest.text,
                 "state": self.state, "count": len(self.parts), "actors": self.actors,
                 "by": self.by, "expires_ts": newest.expires, "acted": self.is_acted}
        return {key: value for key, value in shown.items() if value is not None}


class Model:
    """Each method says which events it causes, without `inbox.`; its items are newest first."""

    def __init__(self):
        self.items, self.deleted = [], set()

    def holder(self, by, key):
        return next((item for item in self.items for part in item.parts
                     if (part.by, part.key) == (by, key)), None)

    def notify(self, by, arguments):
        part, word = Part(by, arguments), arguments.get("collapse")
        if part.key and ((by, part.key) in self.deleted or self.holder(by, part.key)):
            return []
        joined = self.living(by, word)
        if joined:
            joined.parts.append(part)
            joined.state = "unseen"
            self.items.remove(joined)
            self.items.insert(0, joined)
            return ["updated"]
        self.items.insert(0, Item(part, word))
        if len(self.items) > ITEMS:
            self.items.pop()
            return ["added", "removed"]
        return ["added"]

    def living(self, by, word):
        """The item that a notification with this word joins, the newest of several."""
        found = [item for item in self.items
                 if word and (item.by, item.word) == (by, word) and item.state != "archived"]
        return found[0] if found else None

    def retract(self, by, key):
        item = self.holder(by, key)
        if item is None:
            return []
        item.parts = [part for part in item.parts if part.key != key]
        if item.parts:
            return ["updated"]
        self.items.remove(item)
        return ["removed"]

    def mark(self, items, state):
        changed = [item for item in items if item.state != state]
        for item in changed:
            item.state = state
        return ["updated"] if changed else []

    def mark_upto(self, upto, state, types=None):
        rank = ORDER.index(state)
        return self.mark([
            item for item in self.upto(upto, types) if item.state != "archived"
            and (rank == 0 or ORDER.index(item.state) < rank)], state)

    def upto(self, upto, types=None):
        return [item for item in self.items if item.position <= upto
                and (types is None or item.parts[-1].type in types)]

    def delete(self, items, is_upto=False):
        for item in items:
            self.items.remove(item)
            self.deleted |= {(part.by, part.key) for part in item.parts if part.key}
        if not items:
            return []
        return ["cleared"] if is_upto and not self.items else ["removed"]

    def act(self, item):
        state = item.state if item.state == "archived" else "read"
        if item.is_acted and state == item.state:
            return []
        item.state, item.is_acted = state, True
        return ["updated"]

    def expire(self, now):
        gone = [item for item in self.items if item.parts[-1].expires
                and item.parts[-1].expires <= now]
        for item in gone:
            self.items.remove(item)
        return gone

    def expiries(self):
        return [item.parts[-1].expires for item in self.items if item.parts[-1].expires]
