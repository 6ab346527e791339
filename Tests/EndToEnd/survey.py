"""Everything that people can see of a hub, to be compared with what they see of another."""

from chat import settings, without
from client import HubError
from home import signed_in

FLEETING = ("present_count", "present")
LONG = 300  # messages; of a channel that has more one person reads all
UNREADABLE = "cannot be searched"


async def pages(client, op, member, **arguments):
    """All entries of a list that goes on by cursor, and its first page."""
    first = page = await client.request(op, **arguments)
    found = list(page[member])
    while "cursor" in page:
        page = await client.request(op, cursor=page["cursor"], **arguments)
        found += page[member]
    return found, first


async def past_of(client, channel):
    """All messages that the hub still has, oldest first, and whether older ones are gone."""
    found, before = [], 2**53 - 1
    while True:
        try:
            page = await client.request(
                "message.history", channel=channel, before=before, limit=100)
        except HubError as error:
            assert error.code == "history_gone", f"{channel} before {before}: {error}"
            return found, True
        found = page["messages"] + found
        if not page["has_more"]:
            return found, False
        before = found[0]["seq"]


async def found_by(client, query):
    """Where a word is found, and whether the newest came first."""
    try:
        messages, _ = await pages(client, "message.search", "messages", q=query, limit=100)
    except HubError as error:
        assert error.code == "unavailable", f"search: {error}"
        return UNREADABLE, True
    times = [each["ts"] for each in messages]
    is_newest_first = times == sorted(times, reverse=True)
    return sorted((each["channel"], each["seq"]) for each in messages), is_newest_first


async def survey(server, users, query="needle"):
    """By what it is: everything these people see; and of each channel how much is gone."""
    seen, pasts = {}, {}
    for user in users:
        client = await signed_in(server, f"dev:{user}", check=False)
        summaries, _ = await pages(client, "channel.list", "channels", limit=100)
        items, first = await pages(client, "inbox.list", "items", limit=100)
        [me] = (await client.request("user.get", users=[user]))["users"]
        seen["person", user] = me, await settings(client)
        seen["inbox", user] = items, first["counts"], first["at"]
        seen["found", user], seen["newest first", user] = await found_by(client, query)
        for summary in summaries:
            channel = summary["channel"]
            seen["summary", user, channel] = without(summary, *FLEETING)
            members, _ = await pages(client, "member.list", "members", channel=channel)
            seen["members", user, channel] = {
                each["user"]: without(each, *FLEETING) for each in members}
            if summary["seq"] <= LONG or not any(channel == known for _, known in pasts):
                pasts[user, channel] = await past_of(client, channel)
        await client.close()
    return seen, pasts


def differences(before, after, ignored=()):
    """What is not the same, in a few words each; messages that are gone and said to be so
    are not a difference. `ignored` are members of summaries, and kinds of what is seen."""
    (seen, pasts), (seen_after, pasts_after) = before, after
    found, gone = [], set()
    for place in sorted(pasts, key=str):
        messages, was_gone = pasts[place]
        kept, is_gone = pasts_after.get(place, ([], False))
        if is_gone and not was_gone:
            gone.add(place[1])
            messages = messages[-len(kept):] if kept else []
        if kept != messages:
            found.append(f"messages of {place}: {shown(messages, kept)}")
    for key in sorted(seen.keys() | seen_after.keys(), key=str):
        if key[0] in ignored:
            continue
        one, other = seen.get(key), seen_after.get(key)
        if other == UNREADABLE and UNREADABLE in ignored:
            continue
        if key[0] == "found" and gone and UNREADABLE not in (one, other):
            one = [at for at in one if at[0] not in gone]
            other = [at for at in other or [] if at[0] not in gone]
        if key[0] == "summary" and one and other:
            one, other = without(one, *ignored), without(other, *ignored)
        if one != other:
            found.append(f"{key}: {apart(one, other)}")
    return found


def apart(one, other):
    """What of two values is not the same."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        lost = [each for each in one if each not in other]
        more = [each for each in other if each not in one]
        if not lost and not more:
            return f"the order differs: {one!s:.300} became {other!s:.300}"
        one, other = f"{len(lost)} of {len(one)}: {lost}", f"{len(more)} of {len(other)}: {more}"
    elif isinstance(one, dict) and isinstance(other, dict):
        keys = [key for key in one | other if one.get(key) != other.get(key)]
        one, other = [{key: each.get(key) for key in keys} for each in (one, other)]
    return f"{one!s:.400} became {other!s:.400}"


def shown(messages, kept):
    """Where two lists of messages part."""
    one = {each["seq"]: each for each in messages}
    other = {each["seq"]: each for each in kept}
    changed = [seq for seq in sorted(one.keys() | other.keys()) if one.get(seq) != other.get(seq)]
    first = changed[0] if changed else "none, but the order"
    return (f"{len(messages)} became {len(kept)}, {len(changed)} differ, the first is {first}: "
            f"{one.get(first)!s:.300} became {other.get(first)!s:.300}")
