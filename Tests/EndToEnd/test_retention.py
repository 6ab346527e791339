"""Retention: what is too old, or too many, goes; what is kept stays whole."""

import asyncio

import pytest

from archive import LITTLE_MEMORY, author, found, listed, pages, reopened, span
from chat import (
    code_of, expect_unread, message_at, open_direct, past, thread, without)
from client import HubError, refused
from home import home_fixture, room_with, signed_in  # the fixture is `home`
from hub import DEADLINE, run_hub
from stage import fill, run, say, seqs, summary_of

AGE = 4000  # milliseconds
HUB_FLAGS = {"retention": "group=50,public=20,broadcast=30,direct=4s", "retention-interval": "1s",
             "window-memory": "1MiB"}


async def expired(client, channel, floor):
    """Waits until the messages up to a seq are gone; no later one is."""
    async with asyncio.timeout(DEADLINE * 3):
        while await code_of(client.request(
                "message.history", channel=channel, after=floor - 1, limit=1)) == "ok":
            pass
    assert await code_of(client.request(
        "message.history", channel=channel, after=floor, limit=1)) == "ok"


async def kept(client, channel):
    """All that is kept, read backwards to where it ends."""
    messages, before = [], 2**53 - 1
    while True:
        try:
            page = await client.request(
                "message.history", channel=channel, before=before, limit=30)
        except HubError as error:
            assert error.code == "history_gone"
            return messages
        messages = page["messages"] + messages
        if not page["has_more"]:
            return messages
        before = messages[0]["seq"]


# How much

@pytest.mark.parametrize("kind, count", [("group", 50), ("public", 20), ("broadcast", 30)])
@pytest.mark.parametrize("sent", [120, 2500])
@run
async def test_of_each_kind_the_newest_are_kept(stage, kind, count, sent):
    ana = await author(stage)
    room = await stage.room(ana, kind=kind)
    await fill(ana, room, count)
    await fill(ana, room, sent - count)
    await expired(ana, room, sent - count)
    messages = await kept(ana, room)
    assert [(each["seq"], each["text"]) for each in messages] == [
        (seq, f"message {seq - count}") for seq in span(sent - count + 1, sent)]
    await fill(ana, room, 5)
    await expired(ana, room, sent - count + 5)
    assert seqs(await pages(ana, room, seq=sent - count + 5)) == span(sent - count + 6, sent + 5)


@run
async def test_as_many_as_are_allowed_all_stay(stage):
    ana = await author(stage)
    full, more = [await stage.room(ana) for _ in range(2)]
    await fill(ana, full, 50)
    await fill(ana, more, 51)
    await expired(ana, more, 1)
    assert seqs(await pages(ana, full)) == span(1, 50)


@run
async def test_messages_go_when_they_are_too_old_and_not_before(stage):
    ana, ben = await author(stage), await author(stage, "ben")
    direct = await open_direct(ana, ben)
    await say(ana, direct, "one", "two", "three")
    first = await message_at(ana, direct, 3)
    await past(ana, first["ts"] + AGE - 1000)
    await say(ana, direct, "four", "five")
    second = await message_at(ana, direct, 5)
    await expired(ben, direct, 3)
    assert await ana.ping() > first["ts"] + AGE - 1
    assert [each["text"] for each in await kept(ben, direct)] == ["four", "five"]
    await expired(ben, direct, 5)
    assert await ana.ping() > second["ts"] + AGE - 1
    assert await kept(ben, direct) == []
    error = await refused(
        ben.request("message.history", channel=direct, before=4), "history_gone")
    assert "6" not in error.message, "a message that does not exist"
    summary = await summary_of(ben, direct)
    assert (summary["seq"], summary["unread"]) == (5, 0) and "last_message" not in summary
    assert await say(ana, direct, "six") == [6]
    assert [each["text"] for each in await kept(ben, direct)] == ["six"]


# What is gone, and what is not

@run
async def test_below_the_floor_everything_is_gone_and_a_sentence_says_so(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await stage.room(ana, ben)
    await fill(ana, room, 80)
    await ana.request("message.flag", channel=room, seq=80)
    await ana.request("message.flag", channel=room, seq=1)
    await expired(ana, room, 30)
    for arguments in ({"after": 0}, {"after": 29, "limit": 1}, {"before": 31}, {"before": 2},
                      {"around": 30, "limit": 1}, {"around": 1}):
        error = await refused(
            ben.request("message.history", channel=room, **arguments), "history_gone")
        assert len(error.message.split()) > 3 and "31" in error.message, arguments
    for op, more in (("message.edit", {"text": "x"}), ("message.delete", {}), ("message.flag", {}),
                     ("reaction.add", {"reaction": "x"}), ("reaction.remove", {"reaction": "x"}),
                     ("message.thread", {})):
        for seq in (1, 30):
            error = await refused(
                ana.request(op, channel=room, seq=seq, **more), "history_gone")
            assert len(error.message.split()) > 3
        assert await code_of(ana.request(op, channel=room, seq=81, **more)) == "not_found"
    await refused(ana.request("message.send", channel=room, text="x", reply_to=30), "history_gone")
    flags = (await ana.request("message.flags", channel=room))["flags"]
    assert [flag["seq"] for flag in flags] == [80]
    summary = await summary_of(ben, room)
    assert (summary["seq"], summary["rev"]) == (80, 0)


@run
async def test_above_the_floor_everything_goes_on(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await stage.room(ana, ben)
    await fill(ana, room, 2000)
    await expired(ana, room, 1950)
    await ben.request("subscribe", channel=room)
    await ana.request("message.edit", channel=room, seq=1951, text="edited")
    await ben.request("reaction.add", channel=room, seq=1952, reaction="x")
    await ana.request("message.send", channel=room, text="answer", reply_to=1999)
    await ana.request("message.delete", channel=room, seq=2000)
    messages = {each["seq"]: each for each in await kept(ben, room)}
    assert max(messages) == 2001 and span(1952, 2001) == sorted(set(messages) - {1951})
    assert messages[1952]["reactions"] == {"x": {"count": 1, "mine": True}}
    assert messages[1999]["reply_count"] == 1 and "deleted_ts" in messages[2000]
    assert (await ben.expect("message.updated", seq=1951))["text"] == "edited"
    assert (await ben.expect("message"))["seq"] == 2001
    assert seqs((await thread(ben, room, 1999))["messages"]) == [2001]


@run
async def test_unread_numbers_follow(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await stage.room(ana, ben)
    await ana.request("message.send", channel=room, text="you", mentions=[ben.user])
    await fill(ana, room, 99)
    await expired(ana, room, 50)
    await expect_unread(ben, room, 50)
    await ben.request("read.unread", channel=room, seq=1)
    assert (await summary_of(ben, room))["unread"] == 50
    await ben.request("read", channel=room, seq=90)
    await expect_unread(ben, room, 10)
    assert (await summary_of(await stage.again(ben), room))["unread"] == 10


@run
async def test_search_and_feed_hold_only_what_is_kept(stage):
    ana = await author(stage)
    room, feed = await stage.room(ana, kind="public"), f"feed:{ana.user}"
    await ana.request("channel.create", channel=feed, kind="broadcast")
    for channel in (room, feed):
        await say(ana, channel, *["walrus"] * 100)
    await expired(ana, room, 80)
    await expired(ana, feed, 70)
    assert await found(ana, "walrus", channel=room) == [(room, seq) for seq in range(100, 80, -1)]
    assert len(await found(ana, "walrus")) == 50
    posts, _ = await listed(ana, "feed.list", limit=7)
    assert [(each["channel"], each["seq"]) for each in posts] == [
        (feed, seq) for seq in range(100, 70, -1)]


@run
async def test_threads_of_what_is_gone_are_gone_and_their_replies_are_not(stage):
    ana = await author(stage)
    room = await stage.room(ana)
    await fill(ana, room, 40)
    for seq in (1, 40):
        await ana.request("message.send", channel=room, text="answer", reply_to=seq)
    await fill(ana, room, 38)
    await expired(ana, room, 30)
    await refused(thread(ana, room, 1), "history_gone")
    assert seqs((await thread(ana, room, 40))["messages"]) == [42]
    assert (await message_at(ana, room, 41))["reply_to"] == 1
    assert (await message_at(ana, room, 40))["reply_count"] == 1


@run
async def test_recovery_reaches_down_to_the_floor_and_no_further(stage):
    ana = await author(stage)
    room = await stage.room(ana)
    await fill(ana, room, 60)
    epoch = (await ana.request("subscribe", channel=room))["epoch"]
    await ana.request("message.edit", channel=room, seq=59, text="x")
    await fill(ana, room, 60)
    await expired(ana, room, 70)
    for seq, recovered in ((0, False), (1, False), (69, False), (70, True), (100, True)):
        reply = await ana.request(
            "subscribe", channel=room, since={"epoch": epoch, "seq": seq})
        assert reply["recovered"] is recovered, seq
        assert seqs(reply["messages"]) == span(seq + 1, 120) * recovered
    newest = await ana.request("subscribe", channel=room, limit=300)
    assert seqs(newest["messages"]) == span(71, 120)


@run
async def test_a_key_is_known_though_its_message_is_gone(stage):
    ana = await author(stage)
    room = await stage.room(ana)
    first = await ana.request("message.send", channel=room, text="x", key="k")
    await fill(ana, room, 60)
    await expired(ana, room, 11)
    again = await ana.request("message.send", channel=room, text="x", key="k")
    assert again == first | {"duplicate": True}


# The next hub

@pytest.mark.parametrize("how", ["stop", "kill"])
@run
async def test_what_is_gone_stays_gone_in_the_next_hub(home, how):
    rules = ("--retention=public=40", "--retention-interval=1s")
    server = home.start(*LITTLE_MEMORY, *rules)
    owner = await room_with(server, *["walrus"] * 100)
    await expired(owner, "room", 60)
    await fill(owner, "room", 10)
    await expired(owner, "room", 70)
    before = await kept(owner, "room")
    summary = await summary_of(owner, "room")
    for flags in ((), rules, ("--retention=off",)):
        server = await reopened(home, how, *flags)
        owner = await signed_in(server, "dev:owner")
        assert await kept(owner, "room") == before
        assert without(await summary_of(owner, "room"), "present_count") == \
            without(summary, "present_count")
        await refused(pages(owner, "room"), "history_gone")
        assert len(await found(owner, "walrus")) == 30


@run
async def test_a_rule_that_comes_later_holds_for_what_is_there(home):
    owner = await room_with(home.start(*LITTLE_MEMORY), *["walrus"] * 100)
    await fill(owner, "room", 1500)
    server = await reopened(home, "stop", "--retention=1h,7", "--retention-interval=1s")
    owner = await signed_in(server, "dev:owner")
    await expired(owner, "room", 1593)
    assert seqs(await kept(owner, "room")) == span(1594, 1600)
    assert await found(owner, "walrus") == []


@run
async def test_a_rule_without_a_kind_holds_for_all_of_them(home):
    server = home.start(*LITTLE_MEMORY, "--retention=2s,broadcast=1", "--retention-interval=1s")
    owner = await room_with(server, "x")
    other = await signed_in(server, "dev:other")
    channels = ["room", "group", "news", await open_direct(owner, other)]
    await owner.request("channel.create", channel="group", kind="group")
    await owner.request("channel.create", channel="news", kind="broadcast")
    for channel in channels[1:]:
        await say(owner, channel, "x")
    for channel in channels:
        await expired(owner, channel, 1)
        assert "last_message" not in await summary_of(owner, channel)
    assert await found(owner, "x") == []


# Settings

@pytest.mark.parametrize("wrong", [
    "0", "-5", "5x", "0d", "1.5d", "many", "off,5", "public=", "=5", "channel=5", "public=5=6",
    "5,,6", "5 6", "public=off", "99999999999999999999"])
def test_a_bad_rule_is_refused(tmp_path, wrong):
    finished = run_hub("--dev", "--port=0", f"--data-dir={tmp_path}", f"--retention={wrong}")
    assert finished.returncode == 78 and finished.stdout == ""
    assert "retention" in finished.stderr


@pytest.mark.parametrize("wrong", ["0s", "soon", "-1s", "10", "0.5s"])
def test_a_bad_interval_is_refused(tmp_path, wrong):
    finished = run_hub(
        "--dev", "--port=0", f"--data-dir={tmp_path}", f"--retention-interval={wrong}")
    assert finished.returncode == 78 and finished.stdout == ""
    assert "retention-interval" in finished.stderr
