"""Sending once: a key is remembered over restarts, and with `retry` through all of history."""

import asyncio

import pytest

from archive import LITTLE_MEMORY, author, displace, pages, reopened, span
from chat import message_at, open_direct
from client import refused
from home import home_fixture, signed_in  # the fixture is `home`
from stage import fill, run, say, seqs, summary_of

HUB_FLAGS = {"window-memory": "1MiB"}
PLAIN, RETRY = {}, {"retry": True}
BOTH = pytest.mark.parametrize("retry", [PLAIN, RETRY], ids=["plain", "retry"])


async def send(client, channel, key, text="x", **more):
    return await client.request("message.send", channel=channel, key=key, text=text, **more)


@BOTH
@run
async def test_the_same_key_is_the_same_message_however_old(stage, retry):
    ana = await author(stage)
    room = await stage.room(ana)
    firsts = [await send(ana, room, f"key-{n}", f"text {n}", **retry) for n in range(20)]
    assert [each["seq"] for each in firsts] == span(1, 20)
    assert all("duplicate" not in each for each in firsts)
    await fill(ana, room, 2000)
    await displace(stage)
    await ana.request("subscribe", channel=room)
    for n, first in enumerate(firsts):
        assert await send(ana, room, f"key-{n}", "other", **retry) == first | {"duplicate": True}
    await ana.nothing("message")
    assert (await summary_of(ana, room))["seq"] == 2020
    assert [each["text"] for each in await pages(ana, room)][:20] == [
        f"text {n}" for n in range(20)]


@BOTH
@run
async def test_a_key_belongs_to_one_sender_in_one_channel(stage, retry):
    ana, ben = await author(stage), await author(stage, "ben")
    rooms = [await stage.room(ana, ben) for _ in range(2)] + [await open_direct(ana, ben)]
    for room in rooms:
        for client in (ana, ben):
            first = await send(client, room, "key", client.user, **retry)
            assert "duplicate" not in first, (room, client.user)
            await fill(ana, room, 5)
    await displace(stage)
    for room in rooms:
        for client in (ana, ben):
            again = await send(client, room, "key", **retry)
            assert again["duplicate"]
            assert (await message_at(client, room, again["seq"]))["text"] == client.user
        assert "duplicate" not in await send(ana, room, "Key", **retry)


@BOTH
@run
async def test_many_sends_with_one_key_at_once_are_one_message(stage, retry):
    ana = await author(stage)
    devices = [ana] + [await stage.again(ana) for _ in range(4)]
    room = await stage.room(ana)
    for burst in range(20):
        replies = await asyncio.gather(*(
            send(each, room, f"burst {burst}", **retry) for each in devices for _ in range(4)))
        assert {each["seq"] for each in replies} == {burst + 1}
        assert sum("duplicate" not in each for each in replies) == 1
    assert (await summary_of(ana, room))["seq"] == 20


@BOTH
@run
async def test_changes_of_the_message_do_not_free_its_key(stage, retry):
    ana = await author(stage)
    room = await stage.room(ana)
    edited, deleted = await send(ana, room, "edited"), await send(ana, room, "deleted")
    await fill(ana, room, 1500)
    await displace(stage)
    await ana.request("message.edit", channel=room, seq=1, text="y")
    await ana.request("message.delete", channel=room, seq=2)
    for key, first in (("edited", edited), ("deleted", deleted)):
        assert await send(ana, room, key, **retry) == first | {"duplicate": True}
    assert (await summary_of(ana, room))["seq"] == 1502


@BOTH
@run
async def test_a_refused_send_does_not_use_its_key(stage, retry):
    ana = await author(stage)
    room = await stage.room(ana)
    await say(ana, room, "x")
    await refused(send(ana, room, "key", reply_to=5, **retry), "not_found")
    await refused(send(ana, room, "key", mentions=["nobody-at-all"], **retry), "not_found")
    assert await send(ana, room, "key", **retry) == {"seq": 2, "ts": (
        await message_at(ana, room, 2))["ts"]}
    assert (await send(ana, room, "key", reply_to=1, **retry))["duplicate"]


@run
async def test_without_a_key_retry_means_nothing(stage):
    ana = await author(stage)
    room = await stage.room(ana)
    for seq in (1, 2, 3):
        reply = await ana.request("message.send", channel=room, text="same", retry=True)
        assert reply["seq"] == seq and "duplicate" not in reply
    for wrong in (1, "true", []):
        await refused(ana.request(
            "message.send", channel=room, text="x", key="k", retry=wrong), "bad_request")


@run
async def test_retries_keep_their_place_among_other_sends(stage):
    """What looks through history holds up what is behind it on its connection, and nothing gets
    out of order."""
    ana = await author(stage)
    room = await stage.room(ana)
    await fill(ana, room, 1500)
    replies = []
    for n in range(60):
        replies.append(await ana.begin(
            "message.send", channel=room, text=f"{n}", **{"key": f"{n}", "retry": True} if n % 2
            else {}))
    answered = [(await reply)["ok"]["seq"] for reply in replies]
    assert answered == span(1501, 1560)
    shown = await pages(ana, room, seq=1500)
    assert [each["text"] for each in shown] == [f"{n}" for n in range(60)]


@pytest.mark.parametrize("how", ["stop", "kill"])
@run
async def test_the_next_hubs_know_every_key(home, how):
    """Three hubs, one after the other; every key of each is known to all later ones."""
    server, firsts = home.start(*LITTLE_MEMORY, "--snapshot-interval=1s"), {}
    for era in range(3):
        ana, ben = [await signed_in(server, f"dev:{name}", check=False) for name in ("ana", "ben")]
        if era == 0:
            await ana.request("channel.create", channel="room", kind="public")
            await ben.request("channel.join", channel="room")
        for retry in (PLAIN, RETRY):
            asked = [{"channel": "room", "key": key, "text": "again"} | retry for key in firsts]
            assert await ana.many("message.send", asked) == [
                first | {"duplicate": True} for first in firsts.values()]
            assert (await summary_of(ana, "room"))["seq"] == 1000 * era
        keys = [f"{era}.{n}" for n in range(500)]
        sent = await ana.many("message.send", [
            {"channel": "room", "key": key, "text": key} | (PLAIN, RETRY)[n % 2]
            for n, key in enumerate(keys)])
        firsts |= dict(zip(keys, sent, strict=True))
        theirs = await ben.many("message.send", [
            {"channel": "room", "key": key, "text": "of ben"} for key in keys])
        assert seqs(theirs) == span(1000 * era + 501, 1000 * era + 1000)
        if era == 1:
            await ana.request("message.edit", channel="room", seq=1, text="edited")
        server = await reopened(home, how, "--snapshot-interval=1s")
    ana = await signed_in(server, "dev:ana", check=False)
    whole = await pages(ana, "room")
    assert seqs(whole) == span(1, 3000)
    assert {each["key"]: each["seq"] for each in whole if each["user"] == "ana"} == {
        key: first["seq"] for key, first in firsts.items()}
    await ana.close()
