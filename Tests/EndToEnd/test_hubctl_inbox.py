"""hubctl notify and inbox: publishing, reading, marking, deleting, following."""

import asyncio
import contextlib
import json
import time

from client import compact
from hub import DEADLINE, binary, environment
from stage import run
from test_hubctl import assert_helpful, hubctl, parsed_json, succeeded


async def published(url, bot, *arguments):
    """Runs `hubctl notify` as a bot: exit status, standard output, standard error."""
    process = await asyncio.create_subprocess_exec(
        binary("hubctl"), "notify", *arguments, "--url", url, "--token", f"dev-bot:{bot}",
        env=environment(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    out, err = await asyncio.wait_for(process.communicate(), DEADLINE * 2)
    return process.returncode, out.decode(), err.decode()


async def notified(url, bot, *arguments):
    status, out, err = await published(url, bot, *arguments)
    assert status == 0, (out, err)
    return out


async def reader(stage):
    """Somebody at the command line, who is connected here too; the hub, and a bot's name."""
    me = await stage.person("me")
    return me, stage.hub.url, stage.name("shop")


async def items(url, me, *options):
    return parsed_json(await succeeded(url, me.user, "inbox", "--json", *options))


async def filled(stage, *types):
    me, url, bot = await reader(stage)
    for number, name in enumerate(types):
        await notified(url, bot, me.user, "--type", name, "--text", f"{number}")
    return me, url, [item["id"] for item in await items(url, me)][::-1]


@run
async def test_a_notification_arrives_with_all_that_was_said(stage):
    me, url, bot = await reader(stage)
    ben = await stage.person("ben")
    before = time.time() * 1000
    out = await notified(
        url, bot, me.user, "--type", "like", "--text", "Ben liked it", "--title", "New",
        "--actor", ben.user, "--target-kind", "video", "--target-id", "v1", "--target-url",
        "https://x.example/v1", "--target-thumb", "https://x.example/t", "--collapse", "v1",
        "--expires", "2h", "--data", '{ "a":1.0 }')
    assert out == "1 of 1 notified\n"
    event = await me.expect("inbox.added")
    item = event["item"]
    assert (item["type"], item["text"], item["title"]) == ("like", "Ben liked it", "New")
    assert (item["actor"], item["by"]) == (ben.user, bot)
    assert item["target"] == {"kind": "video", "id": "v1", "url": "https://x.example/v1",
                              "thumb": "https://x.example/t"}
    assert '"data":{ "a":1.0 }' in event.raw
    assert before + 7_200_000 <= item["expires_ts"] <= time.time() * 1000 + 7_200_000
    await notified(url, bot, me.user, "--type", "like", "--text", "again", "--collapse", "v1")
    assert (await me.expect("inbox.updated"))["item"]["count"] == 2


@run
async def test_a_key_is_delivered_once_and_taken_back(stage):
    me, url, bot = await reader(stage)
    one = (me.user, "--text", "x", "--key", "k")
    assert "1 of 1" in await notified(url, bot, *one)
    assert "0 of 1" in await notified(url, bot, *one)
    assert json.loads(await notified(url, bot, *one, "--json")) == {"made": 0, "unknown": []}
    back = (me.user, "--key", "k", "--retract")
    assert await notified(url, bot, *back) == "1 taken back\n"
    told = json.loads(await notified(url, bot, *back, "--json"))
    assert told == {"retracted": 0, "unknown": []}
    assert await items(url, me) == []


@run
async def test_a_channel_and_a_segment_are_notified(stage):
    me, url, bot = await reader(stage)
    ben = await stage.person("ben")
    room = await stage.room(me, ben, kind="public")
    assert await notified(url, bot, "--channel", room, "--text", "to the room") == "2 notified\n"
    plan = stage.name("plan")
    await me.request("user.update", custom={"plan": plan, "level": 3, "beta": True, "zip": "012"})
    await ben.request("user.update", custom={"plan": plan, "level": 4})
    both = ("--segment", f"plan={plan}")
    assert await notified(url, bot, *both, "--text", "all", "--key", "k") == "2 notified\n"
    narrow = [*both, "--segment", "level=3", "--segment", "beta=true", "--segment", 'zip="012"']
    assert await notified(url, bot, *narrow, "--text", "some") == "1 notified\n"
    assert await notified(url, bot, *both, "--key", "k", "--retract") == "2 taken back\n"
    assert [item["text"] for item in await items(url, me)] == ["some", "to the room"]
    assert [item["text"] for item in await items(url, ben)] == ["to the room"]


@run
async def test_whom_the_hub_does_not_know_is_said(stage):
    me, url, bot = await reader(stage)
    nobody = stage.name("nobody")
    for arguments in (("--text", "x"), ("--key", "k", "--retract")):
        status, _, err = await published(url, bot, nobody, *arguments)
        assert status == 1 and nobody in err
        status, _, err = await published(url, bot, nobody, me.user, *arguments)
        assert status == 0 and nobody in err and me.user not in err
    status, _, err = await hubctl(url, me.user, "notify", me.user, "--text", "x")
    assert status == 1
    assert_helpful(status, err, "forbidden")


@run
async def test_lists_are_by_type_and_state(stage):
    me, url, ids = await filled(stage, "like", "system", "like")
    await me.request("inbox.mark", state="archived", ids=[ids[0]])
    await me.request("inbox.mark", state="read", ids=[ids[1]])
    assert [item["id"] for item in await items(url, me)] == [ids[2], ids[1]]
    archived = await items(url, me, "--state", "archived")
    assert [item["id"] for item in archived] == [ids[0]]
    some = await items(url, me, "--state", "archived", "--state", "unseen", "--type", "like")
    assert [item["id"] for item in some] == [ids[2], ids[0]]
    status, out, err = await hubctl(url, me.user, "inbox")
    at = (await me.request("inbox.counts"))["at"]
    assert status == 0 and f"as of {at}" in err
    assert [line.split()[0] for line in out.splitlines()] == ["ID", ids[2], ids[1]]


@run
async def test_marks_are_made_and_undone(stage):
    me, url, ids = await filled(stage, "like", "system", "like")
    out = await succeeded(url, me.user, "inbox", "--mark", "read", ids[0], ids[1])
    assert out == "1 unseen, 1 unread\n"
    await succeeded(url, me.user, "inbox", "--mark", "unseen", ids[0])
    reply = parsed_json(await succeeded(
        url, me.user, "inbox", "--mark", "seen", "--upto", "3", "--type", "like", "--json"))[0]
    assert reply["counts"] == {"unseen": 0, "unread": 2, "by_type": {"like": 2}}
    assert [item["state"] for item in await items(url, me)] == ["seen", "read", "seen"]
    status, _, err = await hubctl(url, me.user, "inbox", "--mark", "read", "999999")
    assert_helpful(status, err, "not_found")
    assert status == 1


@run
async def test_items_are_deleted_and_followed_and_counted(stage):
    me, url, bot = await reader(stage)
    for target in ((), ("--target-kind", "video", "--target-id", "v1"),
                   ("--target-kind", "a", "--target-id", "b", "--target-url", "https://x.y/z")):
        await notified(url, bot, me.user, "--type", "like", "--text", "x", *target)
    ids = [item["id"] for item in await items(url, me)][::-1]
    told = [await succeeded(url, me.user, "inbox", "--act", one) for one in ids]
    assert told == ["It leads nowhere.\n", "video v1\n", "https://x.y/z\n"]
    followed = parsed_json(await succeeded(url, me.user, "inbox", "--act", ids[1], "--json"))
    assert followed == [{"target": {"kind": "video", "id": "v1"}}]
    assert {item["state"] for item in await items(url, me)} == {"read"}
    await succeeded(url, me.user, "inbox", "--mark", "seen", ids[0])
    counts = await me.request("inbox.counts")
    line = await succeeded(url, me.user, "inbox", "--counts", "--type", "like")
    assert line == f"0 unseen, 1 unread, 1 like, as of {counts['at']}\n"
    assert parsed_json(await succeeded(url, me.user, "inbox", "--counts", "--json")) == [counts]
    out = await succeeded(url, me.user, "inbox", "--delete", ids[0])
    assert out == "1 deleted; 0 unseen, 0 unread\n"
    reply = parsed_json(await succeeded(
        url, me.user, "inbox", "--delete", "--upto", str(counts["at"]), "--json"))
    assert reply[0]["deleted"] == 2 and await items(url, me) == []


@contextlib.asynccontextmanager
async def following(url, me, *options):
    """A running `hubctl inbox --follow` that has printed something."""
    process = await asyncio.create_subprocess_exec(
        binary("hubctl"), "inbox", "--follow", "--url", url, "--token", f"dev:{me}", *options,
        env=environment(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def line_with(process, text, within=DEADLINE):
    async with asyncio.timeout(within):
        while text not in (line := (await process.stdout.readline()).decode()):
            assert line, "the follower ended"
    return line


async def knock(process, bot, me):
    """Notifies until the follower prints it."""
    for number in range(100):
        await bot.request("notify", to=[me.user], type="knock", text=f"knock {number}")
        with contextlib.suppress(TimeoutError):
            return await line_with(process, "knock", within=0.3)
    raise AssertionError("the follower never printed a notification")


@run
async def test_what_happens_in_the_inbox_is_followed(stage):
    me, url, _ = await reader(stage)
    bot = await stage.bot()
    async with following(url, me.user) as lines, following(url, me.user, "--json") as objects:
        for process in (lines, objects):
            await knock(process, bot, me)
        await bot.request("notify", to=[me.user], type="like", text="two\u0007", key="k")
        item = (await me.expect("inbox.added", item=lambda item: item["type"] == "like"))["item"]
        assert f"{item['id']} like: two\\u{{7}} [" in await line_with(lines, "two")
        await me.request("inbox.mark", state="read", ids=[item["id"]])
        await line_with(lines, f"{item['id']} like: two\\u{{7}} (read) [")
        await bot.request("notify.retract", to=[me.user], key="k")
        await line_with(lines, f"{item['id']} (gone) [")
        await me.request("inbox.delete", upto=(await me.request("inbox.counts"))["at"])
        assert "all (gone) [0 unseen, 0 unread]" in await line_with(lines, "all")
        removed = await me.expect("inbox.removed")
        told = json.loads(await line_with(objects, "inbox.removed"))
        assert compact(told) == compact(removed)
        assert json.loads(await line_with(objects, "cleared"))["ev"] == "inbox.cleared"
        lines.terminate()
        assert await asyncio.wait_for(lines.wait(), DEADLINE) == 0


@run
async def test_what_makes_no_sense_is_refused_with_a_sentence(stage):
    url = stage.hub.url
    for arguments in (
            (), ("--text", "x"), ("ann",), ("ann", "--channel", "r", "--text", "x"),
            ("--channel", "r", "--segment", "a=b", "--text", "x"),
            ("--segment", "a", "--text", "x"),
            ("--segment", "a=1", "--segment", "a=2", "--text", "x"),
            ("ann", "--text", "x", "--data", "{"), ("ann", "--text", "x", "--expires", "soon"),
            ("ann", "--text", "x", "--expires", "2020-01-01"), ("ann", "--retract"),
            ("ann", "--text", "x", "--target-kind", "a"),
            ("ann", "--text", "x", "--target-url", "https://a.b"),
            ("ann", "--retract", "--key", "k", "--text", "x"), ("a b", "--text", "x")):
        status, _, err = await published(url, "shop", *arguments)
        assert status == 64 and len(err.split()) > 3, (arguments, err)
    for arguments in (
            ("--mark", "read"), ("--mark", "new", "1"), ("--mark", "read", "1", "--upto", "3"),
            ("--mark", "read", "1", "--type", "like"), ("--delete",), ("--upto", "3"), ("1",),
            ("--mark", "read", "--delete", "1"), ("--counts", "--follow"), ("--act", "x"),
            ("--mark", "read", "x"), ("--counts", "--state", "read"), ("--state", "new"),
            ("--follow", "--type", "like"), ("--mark", "read", "--upto=-1"), ("--limit", "0")):
        status, _, err = await hubctl(url, "me", "inbox", *arguments)
        assert status == 64 and len(err.split()) > 3, (arguments, err)
