"""Threads: replies, their numbers, and who may write them."""

import pytest

from chat import code_of, message_at, nothing_changes, thread
from client import refused
from stage import fill, run, say, seqs, summary_of


async def reply_to(client, channel, seq, *texts):
    each = [{"channel": channel, "text": text, "reply_to": seq} for text in texts]
    return seqs(await client.many("message.send", each))


async def reply_count(client, channel, seq):
    return (await message_at(client, channel, seq)).get("reply_count", 0)


@run
async def test_a_thread_holds_the_direct_replies_oldest_first(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await say(ana, channel, "question", "other question")
    first = await reply_to(ben, channel, 1, "a", "b")
    await reply_to(ana, channel, 2, "elsewhere")
    nested = await reply_to(ana, channel, first[0], "about a")
    last = await reply_to(ana, channel, 1, "c")
    shown = await thread(ben, channel, 1)
    assert seqs(shown["messages"]) == first + last
    assert [message["text"] for message in shown["messages"]] == ["a", "b", "c"]
    assert [message.get("reply_count") for message in shown["messages"]] == [1, None, None]
    assert seqs((await thread(ana, channel, first[0]))["messages"]) == nested
    assert (await thread(ana, channel, nested[0]))["messages"] == []
    assert [await reply_count(ana, channel, seq) for seq in (1, 2, 3)] == [3, 1, 1]


@run
async def test_a_thread_is_read_in_pages(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    await say(ana, channel, "question")
    replies = []
    for _ in range(60):
        replies += await reply_to(ana, channel, 1, "answer")
        await fill(ana, channel, 1)
    for limit in (1, 7, 60, 100):
        found, after = [], 0
        while True:
            page = await thread(ana, channel, 1, after=after, limit=limit)
            found += seqs(page["messages"])
            assert len(page["messages"]) <= limit
            if not page["has_more"]:
                break
            after = found[-1]
        assert found == replies
    assert len((await thread(ana, channel, 1))["messages"]) == 50
    for after in (replies[-1], 5000):
        page = await thread(ana, channel, 1, after=after)
        assert (page["messages"], page["has_more"]) == ([], False)


@run
async def test_replies_are_counted_while_they_are_not_deleted(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await say(ana, channel, "question")
    replies = await reply_to(ben, channel, 1, "a", "b", "c")
    for left, seq in ((2, replies[1]), (2, replies[1]), (1, replies[0])):
        await ben.request("message.delete", channel=channel, seq=seq)
        assert await reply_count(ana, channel, 1) == left
    page = (await thread(ana, channel, 1))["messages"]
    assert seqs(page) == replies
    assert ["deleted_ts" in message for message in page] == [True, True, False]
    await ana.request("message.edit", channel=channel, seq=1, text="changed")
    assert await reply_count(ana, channel, 1) == 1
    await ben.request("message.delete", channel=channel, seq=replies[2])
    assert "reply_count" not in await message_at(ana, channel, 1)


@run
async def test_a_reply_changes_no_rev_and_is_an_ordinary_message(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await say(ana, channel, "question")
    await reply_to(ben, channel, 1, "answer")
    event = await ana.expect("message", seq=2)
    assert (event["reply_to"], event["text"], event["user"]) == (1, "answer", ben.user)
    summary = await summary_of(ana, channel)
    assert (summary["seq"], summary["rev"], summary["unread"]) == (2, 0, 1)


@run
async def test_a_reply_to_what_is_not_there_is_refused(stage):
    ana = await stage.person()
    channel = await stage.shared_room(ana)
    await say(ana, channel, "x", "y")
    await ana.request("message.delete", channel=channel, seq=1)
    async with nothing_changes(channel, ana):
        for seq, code in ((3, "not_found"), (99, "not_found"), (1, "conflict")):
            await refused(ana.request(
                "message.send", channel=channel, text="x", reply_to=seq), code)


@run
async def test_the_thread_of_a_deleted_message_is_still_there(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await say(ana, channel, "question")
    await reply_to(ben, channel, 1, "answer")
    await ana.request("message.delete", channel=channel, seq=1)
    assert seqs((await thread(ben, channel, 1))["messages"]) == [2]
    assert await reply_count(ben, channel, 1) == 1


@pytest.mark.parametrize("kind, code", [
    ("group", "not_found"), ("public", "ok"), ("broadcast", "ok")])
@run
async def test_strangers_read_the_threads_of_open_channels(stage, kind, code):
    ana, stranger = await stage.people("ana", "stranger")
    channel = await stage.room(ana, kind=kind)
    await say(ana, channel, "question")
    await reply_to(ana, channel, 1, "answer")
    assert await code_of(thread(stranger, channel, 1)) == code


@run
async def test_followers_of_a_broadcast_write_in_threads_only(stage):
    ana, mo, ben = await stage.people("ana", "mo", "ben")
    channel = await stage.shared_room(ana, mo, ben, kind="broadcast")
    await ana.request("member.role", channel=channel, user=mo.user, role="moderator")
    await say(mo, channel, "post")
    await reply_to(ben, channel, 1, "comment")
    await reply_to(ben, channel, 2, "comment on a comment")
    await ana.settle()
    async with nothing_changes(channel, ana, ben):
        await refused(ben.request("message.send", channel=channel, text="post"), "forbidden")
    assert await reply_count(ana, channel, 1) == 1
