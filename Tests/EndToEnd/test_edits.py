"""Edits, deletions and flags."""

import pytest

from chat import (
    code_of, history, message_at, nothing_changes, open_direct, promote, without)
from client import refused
from stage import fill, run, say, seqs, summary_of
from text import raw_at

LINK = {"kind": "link", "url": "https://example.com/"}
DATA = '{ "b" : 1.0,"a":[1e400 , "\\u00e9\\/" ],"a":-0 }'


async def edit(client, channel, seq, **changes):
    return await client.request("message.edit", channel=channel, seq=seq, **changes)


async def delete(client, channel, seq):
    return await client.request("message.delete", channel=channel, seq=seq)


# Editing

@pytest.mark.parametrize("kind", ["group", "public", "broadcast"])
@run
async def test_an_edit_is_told_to_subscribers_with_the_whole_message(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben, kind=kind)
    elsewhere = await stage.again(ana)
    await ana.request("message.send", channel=channel, text="helo", data=[1], key="k")
    await ana.tick()
    edited = await edit(ana, channel, 1, text="hello")
    for client in (ana, ben):
        sent = await client.expect("message")
        event = await client.expect("message.updated")
        assert (event["rev"], event["text"], event["edited_ts"]) == (1, "hello", edited["ts"])
        assert without(event, "ev", "rev", "edited_ts") == without(sent, "ev") | {"text": "hello"}
        assert await message_at(client, channel, 1) == without(event, "ev", "rev")
    assert edited["ts"] > sent["ts"] and list(event)[-1] == "rev"
    await elsewhere.nothing("message.updated")
    assert (await summary_of(ben, channel))["last_message"]["text"] == "hello"


@run
async def test_what_an_edit_does_not_name_stays_and_what_is_empty_goes(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    parts = {"text": "x", "attachments": [LINK], "data": {"a": 1}, "mentions": [ben.user]}
    await ana.request("message.send", channel=channel, **parts)
    for changes in ({"text": "y"}, {"mentions": []}, {"data": {}}, {"data": [2]},
                    {"mentions": [ana.user]}, {"attachments": []}, {"text": ""},
                    {"text": "z", "data": ""}, {"attachments": [LINK], "text": ""}):
        await edit(ana, channel, 1, **changes)
        parts |= changes
        shown = {key: value for key, value in parts.items() if value}
        message = await message_at(ben, channel, 1)
        assert {key: message[key] for key in parts if key in message} == shown, changes
    assert (await summary_of(ana, channel))["rev"] == 9


@run
async def test_an_edit_that_leaves_nothing_is_a_bad_request(stage):
    ana = await stage.person()
    channel = await stage.shared_room(ana)
    await say(ana, channel, "x")
    await ana.request("message.send", channel=channel, data=1, mentions=[ana.user])
    async with nothing_changes(channel, ana):
        await refused(edit(ana, channel, 1, text=""), "bad_request")
        await refused(edit(ana, channel, 2, data=[]), "bad_request")
        await refused(edit(ana, channel, 1, text=None), "bad_request")
        await refused(edit(ana, channel, 1), "bad_request")


@run
async def test_edited_data_comes_back_byte_for_byte(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    start = await ben.request("subscribe", channel=channel)
    await say(ana, channel, "x")
    since = {"epoch": start["epoch"], "seq": 1, "rev": 0}
    await ana.request_raw("message.edit", f'"channel":"{channel}","seq":1,"data" : {DATA} ')
    event = await ben.expect("message.updated")
    recovered = await ben.request("subscribe", channel=channel, since=since)
    page = await ben.request("message.history", channel=channel, after=0)
    assert raw_at(event.raw, "data") == DATA
    assert raw_at(recovered.raw, "ok", "changed", 0, "data") == DATA
    assert raw_at(page.raw, "ok", "messages", 0, "data") == DATA


@run
async def test_attachments_come_back_byte_for_byte_as_sent_and_as_edited(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    for op, seq in (("message.send", ""), ("message.edit", ',"seq":1')):
        one = f'{{ "kind":"image" ,"url":"http://e.com/a","of":"{op}","size":[1.0 , 2e2] }}'
        await ana.request_raw(op, f'"channel":"{channel}"{seq},"attachments":[{one} , {one}]')
        event = await ben.expect("message.updated" if seq else "message")
        page = await ben.request("message.history", channel=channel, after=0)
        for index in range(2):
            assert raw_at(event.raw, "attachments", index) == one
            assert raw_at(page.raw, "ok", "messages", 0, "attachments", index) == one


@run
async def test_a_bots_edited_message_is_still_a_bots(stage):
    bot, ben = await stage.bot(), await stage.person("ben")
    channel = await stage.shared_room(bot, ben)
    await say(bot, channel, "beep")
    await edit(bot, channel, 1, text="boop")
    assert (await ben.expect("message.updated"))["bot"] is True
    await delete(bot, channel, 1)
    assert (await ben.expect("message.deleted"))["bot"] is True


@pytest.mark.parametrize("kind", ["group", "public", "direct"])
@run
async def test_only_the_sender_edits(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await open_direct(ana, ben) if kind == "direct" else \
        await stage.room(ana, ben, kind=kind)
    for client in (ana, ben):
        await say(client, channel, "x")
    async with nothing_changes(channel, ana, ben):
        await refused(edit(ana, channel, 2, text="y"), "forbidden")
        await refused(edit(ben, channel, 1, text="y"), "forbidden")
    await edit(ben, channel, 2, text="y")


@run
async def test_who_left_no_longer_edits_or_deletes(stage):
    ana, ben = await stage.people("ana", "ben")
    for kind, code in (("group", "not_found"), ("public", "not_member")):
        channel = await stage.room(ana, ben, kind=kind)
        await say(ben, channel, "x")
        await ben.request("channel.leave", channel=channel)
        async with nothing_changes(channel, ana):
            await refused(edit(ben, channel, 1, text="y"), code)
            await refused(delete(ben, channel, 1), code)


# Deleting

@pytest.mark.parametrize("kind", ["group", "public", "broadcast"])
@run
async def test_a_deleted_message_keeps_its_place_and_loses_its_content(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben, kind=kind)
    await say(ana, channel, "question")
    await ana.request("message.send", channel=channel, text="x", attachments=[LINK], data={"a": 1},
                      mentions=[ben.user], reply_to=1, key="k")
    await edit(ana, channel, 2, text="y")
    await ben.request("reaction.add", channel=channel, seq=2, reaction="👍")
    await ben.request("message.send", channel=channel, text="z", reply_to=2)
    deleted = await delete(ana, channel, 2)
    sent = (await ana.expect("message", seq=2))["ts"]
    left = {"channel": channel, "seq": 2, "user": ana.user, "ts": sent, "reply_to": 1,
            "reply_count": 1, "deleted_ts": deleted["ts"]}
    for client, key in ((ana, {"key": "k"}), (ben, {})):
        event = await client.expect("message.deleted")
        assert event == {"ev": "message.deleted"} | left | key | {"rev": 3}
        assert await message_at(client, channel, 2) == left | key
        assert seqs(await history(client, channel)) == [1, 2, 3]


@run
async def test_the_sender_and_moderators_delete_and_nobody_else(stage):
    ana, mo, ben, cy = await stage.people("ana", "mo", "ben", "cy")
    channel = await stage.room(ana, mo, ben, cy)
    await promote(ana, channel, mo)
    for client in (ana, ben, ben, ben):
        await say(client, channel, "x")
    async with nothing_changes(channel, ana, ben):
        await refused(delete(ben, channel, 1), "forbidden")
        await refused(delete(cy, channel, 2), "forbidden")
    for client, seq in ((ben, 2), (mo, 3), (ana, 4), (mo, 1)):
        await delete(client, channel, seq)
    assert all("deleted_ts" in message for message in await history(cy, channel))


@run
async def test_deleting_again_is_ok_and_silent(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await say(ana, channel, "x")
    first = await delete(ana, channel, 1)
    await ana.tick()
    async with nothing_changes(channel, ana, ben):
        assert await delete(ana, channel, 1) == first


@run
async def test_a_deleted_message_takes_nothing_more(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await say(ana, channel, "x")
    await ben.request("reaction.add", channel=channel, seq=1, reaction="x")
    await delete(ana, channel, 1)
    async with nothing_changes(channel, ana, ben):
        await refused(edit(ana, channel, 1, text="y"), "conflict")
        for op in ("reaction.add", "reaction.remove"):
            await refused(ben.request(op, channel=channel, seq=1, reaction="x"), "conflict")
        await refused(ben.request(
            "message.send", channel=channel, text="z", reply_to=1), "conflict")
        await refused(ben.request("message.flag", channel=channel, seq=1), "conflict")


@run
async def test_a_key_still_answers_for_a_message_that_was_deleted(stage):
    ana = await stage.person()
    channel = await stage.shared_room(ana)
    send = {"channel": channel, "text": "x", "key": "k"}
    first = await ana.request("message.send", **send)
    await delete(ana, channel, 1)
    again = await ana.request("message.send", **send)
    assert (again["seq"], again["ts"], again["duplicate"]) == (1, first["ts"], True)


# Positions

@run
async def test_rev_rises_by_one_with_every_edit_deletion_and_reaction(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    await fill(ana, channel, 3)
    await ana.request("reaction.add", channel=channel, seq=1, reaction="x")
    await edit(ana, channel, 2, text="y")
    await say(ben, channel, "between")
    await ana.request("reaction.remove", channel=channel, seq=1, reaction="x")
    await delete(ana, channel, 3)
    await edit(ben, channel, 4, text="z")
    for client in (ana, ben):
        await client.expect("message.updated", seq=4)
        told = [(event["ev"], event["seq"], event["rev"]) for event in client.log
                if "rev" in event and "ev" in event]
        assert told == [("reaction", 1, 1), ("message.updated", 2, 2), ("reaction", 1, 3),
                        ("message.deleted", 3, 4), ("message.updated", 4, 5)]
    summary = await summary_of(ben, channel)
    assert (summary["seq"], summary["rev"]) == (4, 5)


@run
async def test_what_is_no_longer_in_memory_can_be_changed(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    await fill(ana, channel, 1300)
    before = await summary_of(ana, channel)
    await ana.request("reaction.add", channel=channel, seq=1, reaction="x")
    await edit(ana, channel, 1, text="y")
    await delete(ana, channel, 2)
    first, second, third = [await message_at(ana, channel, seq) for seq in (1, 2, 3)]
    assert (first["text"], first["reactions"]) == ("y", {"x": {"count": 1, "mine": True}})
    assert "deleted_ts" in second and "text" not in second and third["text"] == "message 3"
    assert (await summary_of(ana, channel))["rev"] == before["rev"] + 3


# Flags

@run
async def test_flags_are_for_moderators(stage):
    ana, mo, ben, cy = await stage.people("ana", "mo", "ben", "cy")
    channel = await stage.shared_room(ana, mo, ben, cy)
    await promote(ana, channel, mo)
    await say(cy, channel, "bad", "worse")
    for client in (ana, ben, cy):
        await client.settle()
    async with nothing_changes(channel, ana, ben, cy):
        assert await ben.request(
            "message.flag", channel=channel, seq=2, reason="rude 🙈") == {}
        await ana.request("message.flag", channel=channel, seq=1)
    for client in (ana, mo):
        flags = (await client.request("message.flags", channel=channel))["flags"]
        shown = {(flag["seq"], flag["user"], flag.get("reason")) for flag in flags}
        assert shown == {(2, ben.user, "rude 🙈"), (1, ana.user, None)}
    assert await code_of(ben.request("message.flags", channel=channel)) == "forbidden"
