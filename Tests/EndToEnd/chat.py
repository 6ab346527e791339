"""What tests of the chat protocol ask, wait for and compare again and again."""

import asyncio
import contextlib

from client import HubError
from hub import DEADLINE

NOBODY = "nobody-at-all"
FOREVER = 2**53 - 1

# Events that may come later than what they tell of, or that tell of other channels' people.
UNHURRIED = ("unread", "activity", "present", "presence")


async def code_of(request):
    """What a request is answered: ok, or the code of its error."""
    try:
        await request
        return "ok"
    except HubError as error:
        return error.code


# Asking

def filled(value, user):
    """Arguments with somebody's id in the place of {user}."""
    if isinstance(value, dict):
        return {key: filled(inner, user) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, user) for inner in value]
    return user if value == "{user}" else value


async def open_direct(one, other):
    """The name of the direct channel of two people, which is there afterwards."""
    return (await one.request("dm.open", user=other.user))["channel"]["channel"]


async def promote(owner, channel, *clients, role="moderator"):
    for client in clients:
        await owner.request("member.role", channel=channel, user=client.user, role=role)


async def history(client, channel):
    """All messages of a small channel, as the client sees them now."""
    reply = await client.request("message.history", channel=channel, after=0, limit=100)
    assert not reply["has_more"]
    return reply["messages"]


async def all_messages(client, channel):
    """The whole history, oldest first."""
    found = []
    while True:
        after = found[-1]["seq"] if found else 0
        page = await client.request("message.history", channel=channel, after=after, limit=100)
        found += page["messages"]
        if not page["has_more"]:
            return found


async def message_at(client, channel, seq):
    """One message as the client sees it now."""
    reply = await client.request("message.history", channel=channel, after=seq - 1, limit=1)
    [message] = reply["messages"]
    assert message["seq"] == seq
    return message


async def thread(client, channel, seq, **arguments):
    return await client.request("message.thread", channel=channel, seq=seq, **arguments)


async def members(client, channel, **arguments):
    """The members on one page of the list, by their ids, in the order of the list."""
    reply = await client.request("member.list", channel=channel, **arguments)
    return {member["user"]: member for member in reply["members"]}


async def settings(client, **arguments):
    return (await client.request("user.settings", **arguments))["settings"]


async def profile(client, user=None):
    """The user object of somebody, or of the client itself."""
    [found] = (await client.request("user.get", users=[user or client.user]))["users"]
    return found


async def statuses(client, *people):
    """How the people appear to the client, in the order asked for."""
    users = [person.user for person in people]
    shown = (await client.request("presence.get", users=users))["presence"]
    assert [each["user"] for each in shown] == users
    return [each["status"] for each in shown]


async def ghosts(stage, count, **more):
    """People who never come: an admin names them, a hundred at a time."""
    admin = await stage.admin()
    names = [stage.name("ghost") for _ in range(count)]
    for start in range(0, count, 100):
        users = [{"id": name} | more for name in names[start:start + 100]]
        await admin.request("user.put", users=users)
    return names


def hidden(channel, seq, **more):
    """What stands for a message whose sender one has blocked."""
    return {"channel": channel, "seq": seq, "hidden": True} | more


def without(frame, *keys):
    return {key: value for key, value in frame.items() if key not in keys}


# Waiting

async def until(client, condition, what="what was expected"):
    """Waits for frames until a condition on what the client has received holds."""
    try:
        async with asyncio.timeout(DEADLINE):
            while not condition():
                client.arrived.clear()
                await client.arrived.wait()
    except TimeoutError:
        last = "\n".join(frame.raw[:300] for frame in client.log[-12:])
        raise AssertionError(f"{client.user} lacks {what}; the last frames: {last}") from None


async def past(client, moment):
    """Returns once the hub's clock is past a time."""
    while (now := await client.ping()) <= moment:
        await asyncio.sleep((moment - now) / 1000 + 0.005)  # clock: that time has to come


def last_unread(client, channel):
    """The newest number of unread messages and of mentions, as events told them."""
    told = client.events("unread", channel=channel)
    return (told[-1]["unread"], told[-1]["mentions"]) if told else (0, 0)


async def expect_unread(client, channel, unread, mentions=0):
    """Waits until the last numbers told are these; nothing then makes them others."""
    await until(client, lambda: last_unread(client, channel) == (unread, mentions),
                f"unread {unread}, mentions {mentions} of {channel}")
    summary = (await client.request("channel.get", channel=channel))["channel"]
    assert (summary["unread"], summary["mentions"]) == (unread, mentions), summary


async def assert_ended(client, channel, reason):
    """The subscription ended once, for this reason, and nothing of the channel came after."""
    await client.ping()
    [end] = [index for index, frame in enumerate(client.log)
             if frame.get("ev") == "unsubscribed" and frame["channel"] == channel]
    assert client.log[end]["reason"] == reason, client.log[end]
    after = [each.raw[:300] for each in client.log[end + 1:] if each.get("channel") == channel]
    assert after == [], f"after unsubscribed: {after}"


# Comparing

def recount(messages, user, pointer):
    """Unread messages and mentions, counted from the messages as the user sees them."""
    counted = [each for each in messages
               if each["seq"] > pointer and "hidden" not in each and "deleted_ts" not in each
               and each["user"] != user]
    mentions = [each for each in counted if {user, "@channel"} & set(each.get("mentions", []))]
    return len(counted), len(mentions)


LOOKS = [("channel.get", {}), ("member.list", {}), ("message.history", {"after": 0})]


async def view(client, channel):
    """All that a client can read of a channel; a code where it may not."""
    seen = []
    for op, arguments in LOOKS:
        try:
            seen.append(dict(await client.request(op, channel=channel, **arguments)))
        except HubError as error:
            seen.append(error.code)
    return seen


def assert_quiet(client, mark):
    """Nothing was told since a place in the log, but for what takes its time."""
    told = [frame.raw[:300] for frame in client.log[mark:]
            if "ev" in frame and frame["ev"] not in UNHURRIED]
    assert told == [], f"{client.user} was told {told}"


@contextlib.asynccontextmanager
async def nothing_changes(channel, *clients):
    """Asserts that what is done within changes nothing and is told to none of the clients."""
    before = [await view(client, channel) for client in clients]
    marks = [len(client.log) for client in clients]
    yield
    after = [await view(client, channel) for client in clients]
    assert after == before, f"{before} became {after}"
    for client, mark in zip(clients, marks, strict=True):
        assert_quiet(client, mark)


@contextlib.asynccontextmanager
async def nothing_told(*clients):
    """Asserts that what is done within is told to none of the clients."""
    for client in clients:
        await client.ping()
    marks = [len(client.log) for client in clients]
    yield
    for client, mark in zip(clients, marks, strict=True):
        await client.ping()
        assert_quiet(client, mark)
