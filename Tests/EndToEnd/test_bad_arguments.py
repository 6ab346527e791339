"""Arguments that are missing, of the wrong kind or too large: refused, and nothing has changed."""

import pytest

from chat import (
    NOBODY, code_of, filled, nothing_changes, nothing_told, profile, promote, settings)
from stage import run, say

BAD = {"bad_request"}
LARGE = {"too_large"}
LONG = {"bad_request", "too_large"}  # the contract names a bound and no code
DEEP = "[" * 33 + "]" * 33
USER = "{user}"

# Of a channel in which one owns it and has written two messages: op, arguments, codes.
IN_A_CHANNEL = [
    ("channel.update", {}, BAD), ("channel.update", {"name": None}, BAD),
    ("channel.update", {"name": 5}, BAD), ("channel.update", {"details": ["x"]}, BAD),
    ("channel.update", {"avatar": "javascript:alert(1)"}, BAD),
    ("channel.update", {"avatar": "data:,x"}, BAD),
    ("channel.update", {"name": "x\u0000"}, BAD),
    ("channel.update", {"name": "x" * 1025}, LONG),
    ("channel.update", {"details": "x" * 8193}, LONG),
    ("channel.update", {"avatar": "http://e.com/" + "x" * 4096}, LONG),
    ("channel.update", {"custom": "x" * 65_536}, LARGE),
    ("channel.update", {"name": "fine", "avatar": 5}, BAD),
    *[("channel.mute", {"until_ts": until}, BAD) for until in (-1, 1.5, "1", 2**53, True)],
    *[("member.remove", {"users": users}, BAD)
      for users in (None, [], "x", [5], ["@x"], ["u"] * 101)],
    ("member.role", {"user": USER}, BAD), ("member.role", {"role": "member"}, BAD),
    ("member.role", {"user": USER, "role": "king"}, BAD),
    ("member.role", {"user": USER, "role": ""}, BAD),
    ("member.update", {}, BAD), ("member.update", {"custom": None}, BAD),
    ("member.update", {"custom": "x" * 65_536}, LARGE),
    ("member.ban", {}, BAD), ("member.ban", {"user": 5}, BAD),
    *[("member.ban", {"user": USER, "until_ts": until}, BAD)
      for until in (1, 0, -1, "x", 1.5, 2**53)],
    ("member.ban", {"user": USER, "reason": 5}, BAD),
    ("member.ban", {"user": USER, "reason": "x" * 1025}, LONG),
    ("member.unban", {}, BAD), ("member.unban", {"user": ["x"]}, BAD),
    ("member.silence", {"user": USER}, BAD), ("member.silence", {"until_ts": 1}, BAD),
    ("member.silence", {"user": USER, "until_ts": None}, BAD),
    ("member.silence", {"user": USER, "until_ts": -1}, BAD),
    *[("member.list", {"limit": limit}, BAD) for limit in (0, 101, -1, "5", 1.5)],
    ("member.list", {"present": "yes"}, BAD), ("member.list", {"present": 1}, BAD),
    ("member.list", {"cursor": 5}, BAD), ("member.list", {"cursor": "no such cursor"}, BAD),
    ("message.edit", {"seq": 1}, BAD), ("message.edit", {"text": "x"}, BAD),
    ("message.edit", {"seq": "1", "text": "x"}, BAD), ("message.edit", {"seq": 1, "text": 5}, BAD),
    ("message.edit", {"seq": 1, "text": ""}, BAD),
    ("message.edit", {"seq": 1, "text": "a\u0000b"}, BAD),
    ("message.edit", {"seq": 1, "text": "x" * 5001}, LARGE),
    ("message.edit", {"seq": 1, "attachments": [{"kind": "virus"}]}, BAD),
    ("message.edit", {"seq": 1, "attachments": "x"}, BAD),
    ("message.edit", {"seq": 1, "mentions": ["u"] * 101}, BAD),
    ("message.edit", {"seq": 1, "mentions": [NOBODY]}, {"not_found"}),
    ("message.delete", {}, BAD), ("message.delete", {"seq": 1.5}, BAD),
    *[("message.thread", {"seq": 1, "limit": limit}, BAD) for limit in (0, 101, -1)],
    ("message.thread", {"seq": 1, "after": -1}, BAD), ("message.thread", {}, BAD),
    *[("reaction.add", {"seq": 1, "reaction": reaction}, BAD)
      for reaction in (None, "", 5, "a\n", "\u0000", "\u009f", "a\u007f")],
    ("reaction.add", {"reaction": "x"}, BAD),
    ("reaction.add", {"seq": 1, "reaction": "x" * 33}, LARGE),
    ("reaction.add", {"seq": 1, "reaction": "👍" * 8 + "x"}, LARGE),
    ("reaction.remove", {"seq": 1, "reaction": ""}, BAD), ("reaction.remove", {"seq": 1}, BAD),
    ("reaction.remove", {"seq": 1, "reaction": "x" * 33}, LARGE),
    ("message.flag", {}, BAD), ("message.flag", {"seq": 1, "reason": 5}, BAD),
    ("message.flag", {"seq": 1, "reason": "x" * 1025}, LONG),
    ("signal", {}, BAD), ("signal", {"name": ""}, BAD), ("signal", {"name": 5}, BAD),
    ("signal", {"name": "x" * 65}, LONG),
    ("read.unread", {}, BAD), ("read.unread", {"seq": 0}, BAD), ("read.unread", {"seq": 3}, BAD),
    ("read.unread", {"seq": "1"}, BAD), ("read.unread", {"seq": 2**53}, BAD),
    ("focus", {}, BAD), ("focus", {"screen": "moon"}, BAD),
    ("focus", {"screen": "channel", "channel": None}, BAD),
    ("focus", {"screen": "channel", "channel": 5}, BAD),
]

# What is no message: codes of edit, delete, reactions, thread and flag.
NO_MESSAGES = {0: {"bad_request", "not_found"}, 3: {"not_found"}, 2**53 - 1: {"not_found"}}
ON_A_MESSAGE = [
    ("message.edit", {"text": "x"}), ("message.delete", {}), ("reaction.add", {"reaction": "x"}),
    ("reaction.remove", {"reaction": "x"}), ("message.thread", {}), ("message.flag", {}),
]

OF_ONESELF = [
    ("feed.list", {"limit": 0}, BAD), ("feed.list", {"limit": 101}, BAD),
    ("feed.list", {"cursor": "no such cursor"}, BAD), ("feed.list", {"cursor": 5}, BAD),
    ("message.search", {}, BAD), ("message.search", {"q": ""}, BAD),
    ("message.search", {"q": 5}, BAD), ("message.search", {"q": "x" * 257}, LONG),
    ("message.search", {"q": "x", "limit": 0}, BAD),
    ("message.search", {"q": "x", "limit": 101}, BAD),
    ("message.search", {"q": "x", "channel": 5}, BAD),
    ("message.search", {"q": "x", "cursor": 5}, BAD),
    ("message.search", {"q": "x", "cursor": "no such cursor"}, BAD),
    ("presence.set", {}, BAD), ("presence.set", {"status": "offline"}, BAD),
    ("presence.set", {"status": 5}, BAD), ("presence.get", {}, BAD),
    ("presence.get", {"users": [USER], "channels": ["x"]}, BAD),
    *[("presence.get", {key: value}, BAD)
      for key in ("users", "channels") for value in ([], "x", [5], ["u"] * 101)],
    *[("user.get", {"users": users}, BAD) for users in (None, [], "x", [5], ["@x"], ["u"] * 101)],
    ("user.get", {"users": [USER, NOBODY]}, {"not_found"}),
    ("user.update", {}, BAD), ("user.update", {"name": 5}, BAD),
    ("user.update", {"name": "fine", "avatar": "ftp://e.com/x"}, BAD),
    ("user.update", {"name": "x" * 1025}, LONG), ("user.update", {"bio": "x" * 8193}, LONG),
    ("user.update", {"custom": "x" * 65_536}, LARGE),
    *[("user.update", {"name": "fine", "username": username}, BAD)
      for username in ("two words", "a@b", "a,b", "a/b", 'a"b', "a\\b", "a\tb", "a\u00a0b", 5,
                       "a\u0001", "\u2003")],
    ("user.update", {"username": "x" * 65}, LARGE), ("user.update", {"username": "é" * 33}, LARGE),
    ("user.put", {"users": [{"id": "some-body"}]}, {"forbidden"}),
    ("user.search", {}, BAD), ("user.search", {"q": ""}, BAD), ("user.search", {"q": 5}, BAD),
    ("user.search", {"q": "x" * 257}, LONG), ("user.search", {"q": "x", "limit": 101}, BAD),
    ("user.search", {"q": "x", "limit": 0}, BAD),
    ("user.block", {}, BAD), ("user.block", {"user": 5}, BAD),
    ("user.block", {"user": NOBODY}, {"not_found"}),
    ("user.unblock", {}, BAD), ("user.unblock", {"user": "@x"}, BAD),
    ("user.disconnect", {"user": USER}, {"forbidden"}), ("token.refresh", {}, BAD),
    ("token.refresh", {"token": 5}, BAD), ("dm.open", {"user": NOBODY}, {"not_found"}),
]

PERIOD = {"days": ["mon"], "from": "22:00", "to": "07:00", "tz": "Europe/Berlin"}
BAD_SETTINGS = [
    {"dm_policy": "some"}, {"dm_policy": 5}, {"receipts": "yes"}, {"typing": 1},
    {"dnd_until_ts": -1}, {"dnd_until_ts": "x"}, {"dnd_until_ts": 2**53},
    {"dnd_schedule": "x"}, {"dnd_schedule": [{}]}, {"dnd_schedule": [PERIOD] * 101},
    *[{"dnd_schedule": [PERIOD | wrong]} for wrong in (
        {"days": []}, {"days": ["monday"]}, {"days": "mon"}, {"days": ["mon"] * 8},
        {"from": "25:00"}, {"from": "7:00"}, {"to": "12:60"}, {"to": 5},
        {"tz": ""}, {"tz": "x" * 65}, {"tz": "Mars/Ä"}, {"tz": None})],
    {"mute": 5}, {"mute": {"users": 5}}, {"mute": {"users": ["@x"]}},
    {"mute": {"channels": ["a b"]}}, {"mute": {"types": ["x" * 65]}},
    *[{"mute": {key: ["x"] * 101}} for key in ("types", "users", "channels")],
    {"receipts": False, "dm_policy": "some"},
]


async def assert_refused(client, op, arguments, codes):
    code = await code_of(client.request(op, **arguments))
    assert code in codes, f"{op} {str(arguments)[:200]}: expected {codes}, got {code}"


@run
async def test_what_is_wrong_in_a_channel_is_refused_and_changes_nothing(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await say(ana, room, "one", "two")
    async with nothing_changes(room, ana, ben):
        for op, arguments, codes in IN_A_CHANNEL:
            await assert_refused(ana, op, {"channel": room} | filled(arguments, ben.user), codes)


@run
async def test_what_is_no_message_is_not_found(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await say(ana, room, "one", "two")
    async with nothing_changes(room, ana, ben):
        for seq, codes in NO_MESSAGES.items():
            for op, arguments in ON_A_MESSAGE:
                await assert_refused(ana, op, {"channel": room, "seq": seq} | arguments, codes)
        await assert_refused(
            ana, "message.send", {"channel": room, "text": "x", "reply_to": 3}, {"not_found"})


@run
async def test_people_nobody_knows_are_not_found_and_nobody_else_is_touched(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    room = await stage.shared_room(ana, ben)
    asked = [("member.add", {"users": [cy.user, NOBODY]}),
             ("member.remove", {"users": [ben.user, NOBODY]}),
             ("member.role", {"user": NOBODY, "role": "moderator"}),
             ("member.ban", {"user": NOBODY}), ("member.unban", {"user": NOBODY}),
             ("member.silence", {"user": NOBODY, "until_ts": 2**53 - 1})]
    async with nothing_changes(room, ana, ben), nothing_told(cy):
        for op, arguments in asked:
            await assert_refused(ana, op, {"channel": room} | arguments, {"not_found"})


@run
async def test_what_is_wrong_about_oneself_is_refused_and_changes_nothing(stage):
    ana, ben = await stage.people("ana", "ben")
    await stage.shared_room(ana, ben)
    elsewhere = await stage.again(ana)
    before = await profile(ben, ana.user), await settings(ana)
    async with nothing_told(ana, ben, elsewhere):
        for op, arguments, codes in OF_ONESELF:
            await assert_refused(ana, op, filled(arguments, ben.user), codes)
        for arguments in BAD_SETTINGS:
            await assert_refused(ana, "user.settings", arguments, LONG)
        await assert_refused(ana, "user.block", {"user": ana.user}, BAD)
    assert (await profile(ben, ana.user), await settings(ana)) == before


@pytest.mark.parametrize("op, members", [
    ("channel.update", '"custom":'), ("member.update", '"custom":'), ("user.update", '"custom":'),
    ("message.edit", '"seq":1,"data":'), ("signal", '"name":"x","data":'),
    ("channel.create", '"kind":"group","custom":')])
@run
async def test_json_deeper_than_32_is_a_bad_request_everywhere(stage, op, members):
    ana = await stage.person()
    room = await stage.room(ana)
    await say(ana, room, "one")
    channel = stage.name() if op == "channel.create" else room
    code = await code_of(ana.request_raw(op, f'"channel":"{channel}",{members}{DEEP}'))
    assert code == "bad_request"
    await ana.request_raw(op, f'"channel":"{channel}",{members}{DEEP[1:-1]}')


@run
async def test_a_role_of_nobody_in_the_channel_is_refused(stage):
    ana, stranger = await stage.people("ana", "stranger")
    for kind in ("group", "public", "broadcast"):
        channel = await stage.room(ana, kind=kind)
        code = await code_of(promote(ana, channel, stranger))
        assert code in ("not_found", "not_member"), kind
