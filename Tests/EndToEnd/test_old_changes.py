"""Edits, deletions, reactions, replies and flags of messages that have left memory: they are told,
counted and refused as if the messages had come just now."""

from archive import OLD, author, displace, old_room, pages, subscribed
from chat import code_of, hidden, message_at, open_direct, promote, thread, without
from client import refused
from stage import fill, run, say, seqs, summary_of

HUB_FLAGS = {"window-memory": "1MiB"}

# Edits and deletions

@run
async def test_an_old_message_is_edited_and_subscribers_are_told(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await old_room(stage, ana, ben)
    await subscribed(room, ana, ben)
    before = await message_at(ben, room, 2)
    ok = await ana.request("message.edit", channel=room, seq=2, text="new", data=[1.0])
    for client in (ana, ben):
        event = await client.expect("message.updated")
        assert without(event, "ev") == before | {
            "text": "new", "data": [1.0], "edited_ts": ok["ts"], "rev": 1}
    assert await message_at(ben, room, 2) == without(event, "ev", "rev")
    await ana.request("message.edit", channel=room, seq=2, text="")
    assert await message_at(ben, room, 2) == without(
        await ben.expect("message.updated", rev=2), "ev", "rev")
    summary = await summary_of(ben, room)
    assert (summary["seq"], summary["rev"]) == (OLD + 3, 2)


@run
async def test_an_old_message_is_deleted_and_keeps_its_place(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await old_room(stage, ana, ben)
    await ben.request("reaction.add", channel=room, seq=2, reaction="x")
    await ana.request("message.flag", channel=room, seq=2)
    await subscribed(room, ana, ben)
    before = await message_at(ben, room, 2)
    first = await ana.request("message.delete", channel=room, seq=2)
    event = await ben.expect("message.deleted")
    gone = without(before, "text", "reactions") | {"deleted_ts": first["ts"]}
    assert without(event, "ev") == gone | {"rev": 2}
    assert await message_at(ben, room, 2) == gone
    assert (await ana.request("message.flags", channel=room))["flags"] == []
    await ana.tick()
    assert await ana.request("message.delete", channel=room, seq=2) == first
    await ben.nothing("message.deleted")
    for op, more in (("message.edit", {"text": "x"}), ("reaction.add", {"reaction": "x"}),
                     ("reaction.remove", {"reaction": "x"}), ("message.flag", {})):
        assert await code_of(ana.request(op, channel=room, seq=2, **more)) == "conflict", op
    await refused(say_reply(ana, room, 2), "conflict")
    assert (await summary_of(ben, room))["rev"] == 2


async def say_reply(client, channel, seq, text="answer"):
    return await client.request("message.send", channel=channel, text=text, reply_to=seq)


@run
async def test_who_may_change_an_old_message(stage):
    ana, mo, ben = await author(stage), *await stage.people("mo", "ben")
    room = await old_room(stage, ana, mo, ben, kind="public")
    stranger = await stage.person("stranger")
    await promote(ana, room, mo)
    for client, op, code in (
            (mo, "message.edit", "forbidden"), (ben, "message.edit", "forbidden"),
            (ben, "message.delete", "forbidden"), (stranger, "message.edit", "not_member"),
            (stranger, "message.delete", "not_member"), (stranger, "reaction.add", "not_member"),
            (stranger, "message.flag", "not_member")):
        more = {"message.edit": {"text": "x"}, "reaction.add": {"reaction": "x"}}.get(op, {})
        assert await code_of(client.request(op, channel=room, seq=2, **more)) == code, op
    assert (await summary_of(ana, room))["rev"] == 0
    await mo.request("message.delete", channel=room, seq=2)
    await mo.request("member.silence", channel=room, user=ben.user, until_ts=2**52)
    assert await code_of(ben.request(
        "message.edit", channel=room, seq=1, text="x")) in ("muted", "forbidden")
    group = await old_room(stage, ana, ben)
    assert await code_of(stranger.request(
        "message.edit", channel=group, seq=1, text="x")) == "not_found"


@run
async def test_a_block_holds_for_old_direct_messages(stage):
    ana, ben = await author(stage), await author(stage, "ben")
    direct = await open_direct(ana, ben)
    await say(ben, direct, "dear ana")
    await fill(ana, direct, OLD)
    await displace(stage)
    await ana.request("user.block", user=ben.user)
    react = {"channel": direct, "seq": 1, "reaction": "x"}
    assert await code_of(ana.request("reaction.add", **react)) == "blocked"
    assert await code_of(ben.request("reaction.add", **react | {"seq": 2})) == "forbidden"
    assert await code_of(ben.request(
        "message.edit", channel=direct, seq=1, text="x")) == "forbidden"
    assert (await summary_of(ben, direct))["rev"] == 0


@run
async def test_changes_of_hidden_old_messages_are_told_as_hidden(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await old_room(stage, ana, ben)
    await ben.request("user.block", user=ana.user)
    await subscribed(room, ben)
    await ana.request("message.edit", channel=room, seq=1, text="x")
    await ana.request("message.delete", channel=room, seq=2)
    assert without(await ben.expect("message.updated"), "ev") == hidden(room, 1, rev=1)
    assert without(await ben.expect("message.deleted"), "ev") == hidden(room, 2, rev=2)
    assert [await message_at(ben, room, seq) for seq in (1, 2)] == [
        hidden(room, 1), hidden(room, 2)]


# Replies

@run
async def test_an_old_message_is_replied_to_and_its_replies_are_counted(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await stage.room(ana, ben)
    await say(ana, room, "question", "other")
    replies = []
    for part in range(4):
        replies += [(await say_reply(ben, room, 1, f"answer {part}.{n}"))["seq"]
                    for n in range(15)]
        await fill(ana, room, 600)
        await displace(stage, 1 << 20)
    assert (await message_at(ana, room, 1))["reply_count"] == 60
    assert "reply_count" not in await message_at(ana, room, 2)
    shown, after = [], 0
    while True:
        page = await thread(ana, room, 1, after=after, limit=17)
        shown += page["messages"]
        if not page["has_more"]:
            break
        after = shown[-1]["seq"]
    assert seqs(shown) == replies and shown == [
        each for each in await pages(ana, room) if each.get("reply_to") == 1]
    await subscribed(room, ana)
    for count, seq in ((59, replies[0]), (58, replies[20]), (57, replies[59])):
        await ben.request("message.delete", channel=room, seq=seq)
        assert (await ana.expect("message.deleted", seq=seq))["reply_to"] == 1
        assert (await message_at(ana, room, 1))["reply_count"] == count
    assert seqs((await thread(ana, room, 1, limit=100))["messages"]) == replies
    await ana.request("message.edit", channel=room, seq=1, text="question?")
    assert (await ana.expect("message.updated"))["reply_count"] == 57
    await ana.request("message.delete", channel=room, seq=1)
    assert (await ana.expect("message.deleted", seq=1))["reply_count"] == 57
    await refused(say_reply(ben, room, 1), "conflict")
    assert seqs((await thread(ana, room, 1, limit=100))["messages"]) == replies


# Flags

@run
async def test_old_messages_are_flagged(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await old_room(stage, ana, ben)
    await ben.request("message.flag", channel=room, seq=2, reason="rude")
    await ben.request("message.flag", channel=room, seq=1)
    await ben.request("message.flag", channel=room, seq=2, reason="very rude")
    flags = (await ana.request("message.flags", channel=room))["flags"]
    assert {(flag["seq"], flag["user"], flag.get("reason")) for flag in flags} == {
        (1, ben.user, None), (2, ben.user, "very rude")}
    assert (await summary_of(ana, room))["rev"] == 0
