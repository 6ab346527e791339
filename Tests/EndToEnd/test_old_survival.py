"""What left memory, in the next hub on the same directory: after an orderly stop and after a kill
everything is as it was acknowledged, and goes on."""

import asyncio
import signal

import pytest

from archive import LITTLE_MEMORY, drive_all_out, listed, pages, reopened, span
from chat import message_at, promote, thread, until, without
from client import refused
from home import home_fixture, signed_in  # the fixture is `home`
from stage import fill, run, say, seqs, summary_of

NAMES = ("ana", "ben", "cy")
HOW = pytest.mark.parametrize("how", ["stop", "kill"])


async def people(server):
    return [await signed_in(server, f"dev:{name}", check=False) for name in NAMES]


async def fill_rooms(ana, ben, cy, rng):
    """A long channel with changes all over it, a quiet one, one that is deleted and made again."""
    for channel, kind in (("long", "group"), ("quiet", "public"), ("again", "public")):
        await ana.request("channel.create", channel=channel, kind=kind)
    await ana.request("member.add", channel="long", users=["ben", "cy"])
    for channel in ("quiet", "again"):
        for client in (ben, cy):
            await client.request("channel.join", channel=channel)
    await promote(ana, "long", ben)
    for _ in range(30):
        await ana.request("message.send", channel="quiet", text="you", mentions=["cy"])
    await cy.request("read", channel="quiet", seq=11)
    await fill(ana, "again", 1200)
    await ana.request("channel.delete", channel="again")
    await ana.request("channel.create", channel="again", kind="public")
    await fill(ana, "again", 3)
    for client in (ana, ben, cy, ana, ben):
        await fill(client, "long", 500)
    for _ in range(60):
        await cy.request("message.send", channel="long", text="answer",
                         reply_to=rng.randrange(1, 30))
    await change(ana, ben, cy, rng)


async def change(ana, ben, cy, rng):
    """Edits, deletes and reacts all over the long channel; ana wrote the first 500."""
    for seq in rng.sample(span(1, 500), 60):
        await ana.request("message.edit", channel="long", seq=seq, text=f"edited {rng.random()}")
    for seq in rng.sample(span(501, 2500), 20):
        await ben.request("message.delete", channel="long", seq=seq)
    for client in (ana, ben, cy):
        for seq in rng.sample(span(1, 499), 40):
            await client.request("reaction.add", channel="long", seq=seq, reaction="👍")
    await cy.request("reaction.remove", channel="long", seq=seq, reaction="👍")
    await cy.request("message.flag", channel="long", seq=3, reason="rude")


async def look(clients, since):
    """All that can be read of it."""
    seen = {}
    for client in clients:
        for channel in ("long", "quiet", "again"):
            summary = await summary_of(client, channel)
            seen[client.user, channel] = (
                without(summary, "present_count"), await pages(client, channel))
        seen[client.user, "threads"] = [
            await listed_thread(client, seq) for seq in range(1, 31)]
        reply = await client.request("subscribe", channel="long", since=since)
        seen[client.user, "since"] = {key: reply.get(key) for key in (
            "epoch", "seq", "rev", "recovered", "messages")}
        seen[client.user, "changed"] = sorted(reply["changed"], key=lambda each: each["seq"])
        newest = await client.request("subscribe", channel="quiet", limit=300)
        seen[client.user, "newest"] = newest["messages"]
        await client.request("unsubscribe", channel="long")
        await client.request("unsubscribe", channel="quiet")
    seen["flags"] = await clients[0].request("message.flags", channel="long")
    seen["found"] = await listed(clients[2], "message.search", q="edited")
    return seen


async def listed_thread(client, seq, channel="long"):
    return (await thread(client, channel, seq, limit=100))["messages"]


@HOW
@run
async def test_all_that_left_memory_is_as_it_was(home, how, rng):
    server = home.start(*LITTLE_MEMORY)
    clients = await people(server)
    await fill_rooms(*clients, rng)
    await drive_all_out(server, "first")
    epoch = (await summary_of(clients[0], "long"))["epoch"]
    since = {"epoch": epoch, "seq": 2100, "rev": 30}
    before = await look(clients, since)
    quiet, _ = before["cy", "quiet"]
    assert (quiet["unread"], quiet["mentions"]) == (19, 19)
    assert before["ana", "since"]["recovered"] and len(before["ana", "changed"]) > 50
    for flags in ((), ("--window-memory=1GiB",)):
        clients = await people(await reopened(home, how, *flags))
        assert await look(clients, since) == before
        await refused(
            clients[0].request("reaction.add", channel="again", seq=4, reaction="x"), "not_found")


@HOW
@run
async def test_what_left_memory_is_changed_in_every_hub(home, how, rng):
    """Changes go on where the hub before ended, with revs that follow each other."""
    server = home.start(*LITTLE_MEMORY)
    clients = await people(server)
    await fill_rooms(*clients, rng)
    for era in range(3):
        await drive_all_out(home.hubs[-1], era)
        at = await summary_of(clients[0], "long")
        clients = await people(await reopened(home, how))
        ana, ben, cy = clients
        await cy.request("subscribe", channel="long")
        await change(*clients, rng)
        await say(ana, "long", "next")
        event = await cy.expect("message", text="next")
        assert event["seq"] == at["seq"] + 1
        revs = [frame["rev"] for frame in cy.log if "ev" in frame and "rev" in frame]
        assert revs == span(at["rev"] + 1, at["rev"] + len(revs)) and len(revs) > 60
        parent = await message_at(ben, "long", 1)
        await ben.request("message.send", channel="long", text="answer", reply_to=1)
        counted = (await message_at(ben, "long", 1))["reply_count"]
        assert counted == parent.get("reply_count", 0) + 1
        copies = {event["seq"]: event for event in cy.events("message.updated")}
        shown = {each["seq"]: each for each in await pages(ana, "long")}
        assert seqs(shown.values()) == span(1, at["seq"] + 2)
        for seq, event in copies.items():
            assert shown[seq]["text"] == event["text"]


@pytest.mark.parametrize("snapshots", [False, True], ids=["plain", "snapshots"])
@run
async def test_a_hub_killed_while_old_messages_are_changed_keeps_every_answer(
        home, rng, snapshots):
    """What was answered before the kill is there after it; what was not may or may not be."""
    flags = ("--snapshot-interval=1s",) * snapshots
    server = home.start(*LITTLE_MEMORY, *flags)
    ana, *_ = await people(server)
    await ana.request("channel.create", channel="long", kind="public")
    await fill(ana, "long", 2500)
    texts, liked = {}, set()
    for _ in range(4):
        asked = []
        for _ in range(300):
            seq = rng.randrange(1, 2501)
            edit = {"text": f"{rng.random()}"} if rng.random() < 0.5 else None
            op, more = ("message.edit", edit) if edit else ("reaction.add", {"reaction": "x"})
            asked.append((seq, edit, await ana.begin(op, channel="long", seq=seq, **more)))
        enough = rng.randrange(1, 300)
        await until(ana, lambda: sum(reply.done() for *_, reply in asked) >= enough)
        if snapshots:
            server.process.send_signal(signal.SIGUSR1)
        server.kill()
        await ana.closed()
        possible = {}
        for seq, edit, reply in asked:
            answered = reply.done() and not reply.exception() and "ok" in reply.result()
            if edit and answered:
                texts[seq], possible[seq] = edit["text"], set()
            elif edit:
                possible.setdefault(seq, set()).add(edit["text"])
            elif answered:
                liked.add(seq)
        server = home.start(*LITTLE_MEMORY, *flags)
        ana = await signed_in(server, "dev:ana", check=False)
        shown = await pages(ana, "long")
        assert seqs(shown) == span(1, 2500)
        for each in shown:
            seq, text = each["seq"], each["text"]
            known = texts.get(seq, f"message {seq}")
            assert text == known or text in possible.get(seq, set()), (seq, text, known)
            texts[seq] = text
            assert seq not in liked or each["reactions"] == {"x": {"count": 1, "mine": True}}
            if "reactions" in each:
                liked.add(seq)
    await asyncio.to_thread(server.stop)


@run
async def test_what_a_hub_without_durability_forgot_is_in_no_page_and_not_found(home):
    """Its history may have been ahead of its newest snapshot."""
    forgetful = ("--durability=none", "--window-memory=1MiB")
    server = home.start(*forgetful)
    ana, *_ = await people(server)
    admin = await signed_in(server, "dev-admin:root")
    await ana.request("channel.create", channel="room", kind="public")
    await say(ana, "room", *["kept"] * 1500)
    await admin.request("admin.snapshot")
    await ana.many("message.send", [
        {"channel": "room", "text": "lost", "key": f"{n}", "reply_to": 1} for n in range(1400)])
    assert len(await pages(ana, "room")) == 2900
    assert (await ana.request("message.search", q="lost", limit=1))["messages"]
    server.kill()
    server = home.start(*forgetful)
    ana, *_ = await people(server)
    for _ in range(2):
        assert [each["text"] for each in await pages(ana, "room")] == ["kept"] * 1500
        assert (await listed(ana, "message.search", q="lost"))[0] == []
        assert await listed_thread(ana, 1, "room") == []
        assert "reply_count" not in await message_at(ana, "room", 1)
        await server_turns_around(home, forgetful)
        ana, *_ = await people(home.hubs[-1])
    again = await ana.request("message.send", channel="room", text="found", key="7", retry=True)
    assert again["seq"] == 1501 and "duplicate" not in again
    [message] = (await ana.request("message.search", q="found"))["messages"]
    assert message["seq"] == 1501 and len(await pages(ana, "room")) == 1501


async def server_turns_around(home, flags):
    await asyncio.to_thread(home.hubs[-1].stop)
    home.start(*flags)
