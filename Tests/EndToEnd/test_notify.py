"""Notify: for whom a notification is, and for whom it is not."""

import pytest

from chat import NOBODY, open_direct
from client import refused
from inboxes import items_of, mute, nothing_happens, notify, only_item, retract
from stage import run
from text import raw_at


async def to_segment(publisher, segment, text="x", **arguments):
    """Notifies a segment; how many people."""
    reply = await publisher.request(
        "notify", to={"segment": segment}, type="system", text=text, **arguments)
    assert reply["unknown"] == []
    return reply["made"]


async def to_channel(publisher, channel, text="x", **arguments):
    reply = await publisher.request(
        "notify", channel=channel, type="system", text=text, **arguments)
    assert reply["unknown"] == []
    return reply["made"]


# Users

@run
async def test_an_item_says_what_the_notification_said(stage):
    bot, ana, ben = await stage.bot(), *await stage.people("ana", "ben")
    before = await bot.ping()
    said = {"type": "video_post", "actor": ben.user, "title": "Ben", "text": "posted a video",
            "target": {"kind": "video", "id": "v1", "url": "https://e.com/v", "thumb":
                       "https://e.com/t"}, "data": {"n": [1, None]},
            "expires_ts": before + 3_600_000}
    await notify(bot, ana, **said)
    item = await only_item(ana)
    assert before <= item["ts"] <= await bot.ping()
    assert item == said | {"id": item["id"], "ts": item["ts"], "state": "unseen", "count": 1,
                           "actors": [ben.user], "by": bot.user}
    assert (await ana.expect("inbox.added"))["item"] == item


@run
async def test_an_item_without_an_actor_names_nobody(stage):
    bot, ana = await stage.bot(), await stage.person()
    await notify(bot, ana, type="system", title="", target=None, data=None)
    item = await only_item(ana)
    assert item == {"id": item["id"], "type": "system", "text": "x", "ts": item["ts"],
                    "state": "unseen", "count": 1, "actors": [], "by": bot.user}


@run
async def test_whoever_is_unknown_is_named_in_a_retraction_too(stage):
    bot, ana, ben = await stage.bot(), *await stage.people("ana", "ben")
    to = [NOBODY, ana.user, f"{NOBODY}-else", ben.user, NOBODY]
    for op, count in (("notify", "made"), ("notify.retract", "retracted")):
        reply = await bot.request(op, to=to, key="k", type="like", text="x")
        assert reply[count] == 2 and reply["unknown"] == [NOBODY, f"{NOBODY}-else"]
    assert await bot.request("notify", to=[NOBODY], type="like", text="x") == {
        "made": 0, "unknown": [NOBODY]}


@run
async def test_the_actor_is_not_notified_of_what_they_did(stage):
    bot, ana, ben = await stage.bot(), *await stage.people("ana", "ben")
    async with nothing_happens(ben):
        assert await notify(bot, ana, ben, actor=ben.user) == 1
    assert len(await items_of(ana)) == 1


# Channels

@pytest.mark.parametrize("kind", ["group", "public", "broadcast", "direct"])
@run
async def test_a_channel_is_all_of_its_members(stage, kind):
    admin, ana, ben, cy = await stage.admin(), *await stage.people("ana", "ben", "cy")
    room = await open_direct(ana, ben) if kind == "direct" else \
        await stage.room(ana, ben, kind=kind)
    async with nothing_happens(cy):
        assert await to_channel(admin, room, key="k") == 2
        assert await to_channel(admin, room, key="k") == 0
    if kind != "direct":
        await ben.request("channel.leave", channel=room)
        assert await to_channel(admin, room, text="to those who are left") == 1
    assert (await admin.request("notify.retract", channel=room, key="k"))["retracted"] == \
        (2 if kind == "direct" else 1)
    assert len(await items_of(ben)) == (0 if kind == "direct" else 1)


@run
async def test_a_bot_notifies_channels_that_it_sees(stage):
    bot, ana = await stage.bot(), await stage.person()
    seen, secret = await stage.room(ana, kind="public"), await stage.room(ana)
    assert await to_channel(bot, seen) == 1
    banned = await stage.room(ana, kind="public")
    await ana.request("member.ban", channel=banned, user=bot.user)
    async with nothing_happens(ana):
        for op in ("notify", "notify.retract"):
            for channel, code in ((secret, "not_found"), ("no-such-room", "not_found"),
                                  (banned, "banned")):
                await refused(bot.request(
                    op, channel=channel, type="like", text="x", key="k"), code)
    await ana.request("member.add", channel=secret, users=[bot.user])
    assert await to_channel(bot, secret, actor=bot.user) == 1


@run
async def test_an_admin_notifies_any_channel(stage):
    admin, ana = await stage.admin(), await stage.person()
    assert await to_channel(admin, await stage.room(ana)) == 1
    await refused(to_channel(admin, "no-such-room"), "not_found")


# Segments

PEOPLE = {
    "gold": {"plan": "gold", "age": 30, "tags": ["beta", 7], "active": True},
    "float": {"plan": "gold", "age": 30.0, "tags": "beta", "active": False},
    "text": {"plan": "GOLD", "age": "30", "tags": ["Beta", "7", ["beta"]], "active": "true"},
    "odd": {"plan": None, "age": [29, 3e1], "tags": [], "active": 1},
    "list": ["plan", "gold"], "word": "gold", "nobody": None,
}
SEGMENTS = [
    ({"plan": "gold"}, "gold float"), ({"plan": "GOLD"}, "text"), ({"plan": ""}, ""),
    ({"age": 30}, "gold float odd"), ({"age": 30.0}, "gold float odd"), ({"age": "30"}, "text"),
    ({"age": 3e1}, "gold float odd"), ({"age": 29}, "odd"), ({"age": 30.000001}, ""),
    ({"tags": "beta"}, "gold float"), ({"tags": 7}, "gold"), ({"tags": "7"}, "text"),
    ({"active": True}, "gold"), ({"active": False}, "float"), ({"active": 1}, "odd"),
    ({"active": "true"}, "text"), ({"missing": "x"}, ""), ({"plan": "gold", "tags": 7}, "gold"),
    ({"plan": "gold", "age": 30, "tags": "beta", "active": False}, "float"),
    ({"plan": "gold", "age": 29}, ""),
]


async def citizens(stage):
    """People by name, each with the custom object above; all share a team, where they can."""
    bot, team = await stage.bot(), stage.name("team")
    people = {name: await stage.person(name) for name in PEOPLE}
    for name, custom in PEOPLE.items():
        if isinstance(custom, dict):
            custom = custom | {"team": team}
        if custom is not None:
            await bot.request("user.put", users=[{"id": people[name].user, "custom": custom}])
    return bot, team, people


@run
async def test_a_segment_is_everybody_whose_custom_object_says_so(stage):
    bot, team, people = await citizens(stage)
    for number, (segment, expected) in enumerate(SEGMENTS):
        made = await to_segment(bot, segment | {"team": team}, text=f"{number}")
        assert made == len(expected.split()), segment
    for name, person in people.items():
        expected = [f"{number}" for number, (_, names) in enumerate(SEGMENTS)
                    if name in names.split()]
        assert [item["text"] for item in await items_of(person)] == expected[::-1], name


@run
async def test_a_segment_follows_what_people_say_of_themselves(stage):
    bot, ana, team = await stage.bot(), await stage.person(), stage.name("team")
    for custom, made in [({"team": team}, 1), ({"team": "other"}, 0), ([team], 0),
                         ({"team": ["other", team]}, 1), ({}, 0), ({"team": team}, 1)]:
        await ana.request("user.update", custom=custom)
        assert await to_segment(bot, {"team": team}) == made, custom
    assert len(await items_of(ana)) == 3


@run
async def test_members_are_compared_by_what_they_mean_not_how_they_are_written(stage):
    bot, ana = await stage.bot(), await stage.person()
    team = stage.name("team")
    for custom in (f'{{"team":"{team}"}}', f' {{ "x":1, "team" : [ "a" , "{team}" ] }} ',
                   f'{{"team":"x","team":"{team}"}}', f'{{"t\\u0065am":"\\u{ord(team[0]):04x}'
                   f'{team[1:]}"}}', f'{{"x":{{"team":"y"}},"team":"{team}"}}'):
        reply = await ana.request_raw("user.update", f'"custom":{custom}')
        assert raw_at(reply.raw, "ok", "users", 0, "custom") == custom.strip()
        assert await to_segment(bot, {"team": team}) == 1, custom
    for custom in (f'{{"team":"{team}","team":"x"}}', f'{{"x":{{"team":"{team}"}}}}',
                   f'{{"team":{{"a":"{team}"}}}}', f'["team","{team}"]'):
        await ana.request_raw("user.update", f'"custom":{custom}')
        assert await to_segment(bot, {"team": team}) == 0, custom


@pytest.mark.parametrize("one, other, made", [
    ("100", "1e2", 1), ("0", "-0", 1), ("0.1", "1e-1", 1), ("1", "1.0000", 1), ("-1", "-1.0e0", 1),
    ("1E+2", "100.00", 1), ("0e5", "0", 1), ("9007199254740993", "9007199254740992", 0),
    ("9007199254740993", "9007199254740993", 1), ("1e400", "1e400", 1), ("1e400", "-1e400", 0),
    ("1", "true", 0), ("0", "false", 0), ("1", '"1"', 0), ('"é"', '"\\u00e9"', 1),
    ('"é"', '"e\\u0301"', 0), ('"a/b"', '"a\\/b"', 1), ('""', "0", 0)])
@run
async def test_values_are_equal_when_they_mean_the_same(stage, one, other, made):
    bot, ana, field = await stage.bot(), await stage.person(), stage.name("field")
    for custom, segment in ((one, other), (other, one)):
        await ana.request_raw("user.update", f'"custom":{{"{field}":{custom}}}')
        reply = await bot.request_raw(
            "notify", f'"to":{{"segment":{{"{field}":{segment}}}}},"type":"system","text":"x"')
        assert reply["made"] == made


@run
async def test_a_segment_names_up_to_eight_members(stage):
    bot, ana = await stage.bot(), await stage.person()
    fields = {f"{stage.name('field')}": number for number in range(8)}
    await ana.request("user.update", custom=fields | {"more": "x"})
    assert await to_segment(bot, fields) == 1
    for name in fields:
        assert await to_segment(bot, fields | {name: 99}) == 0


@run
async def test_a_segment_includes_people_who_never_came(stage):
    admin, team = await stage.admin(), stage.name("team")
    ids = [stage.name("ghost") for _ in range(150)]
    for start in (0, 100):
        await admin.request("user.put", users=[
            {"id": each, "custom": {"team": team, "n": n}}
            for n, each in enumerate(ids[start:start + 100])])
    assert await to_segment(admin, {"team": team}, key="k") == 150
    assert await to_segment(admin, {"team": team}, key="k") == 0
    ghost = await stage.signed_in(f"dev:{ids[120]}")
    assert len(await items_of(ghost)) == 1
    reply = await admin.request("notify.retract", to={"segment": {"team": team}}, key="k")
    assert reply == {"retracted": 150, "unknown": []}
    assert await items_of(ghost) == []


# Not for everybody

@pytest.mark.parametrize("reason", [
    "type muted", "actor muted", "publisher muted", "actor blocked", "publisher blocked",
    "blocked by actor", "blocked by publisher"])
@run
async def test_nothing_is_made_for_those_who_want_none_of_it(stage, reason):
    bot, ana, ben, cy = await stage.bot(), *await stage.people("ana", "ben", "cy")
    who = {"actor": ben, "publisher": bot}.get(reason.split()[0] if "by" not in reason.split()
                                               else reason.split()[-1])
    if reason == "type muted":
        await mute(ana, types=["comment"])
    elif reason.endswith("muted"):
        await mute(ana, users=[who.user])
    elif reason.endswith("blocked"):
        await ana.request("user.block", user=who.user)
    else:
        await who.request("user.block", user=ana.user)
    async with nothing_happens(ana):
        for arguments in ({}, {"key": "k"}, {"collapse": "c"}):
            made = await notify(bot, ana, cy, type="comment", actor=ben.user, **arguments)
            assert made == 1
    other = await stage.bot()
    assert await notify(other, ana, type="like", actor=cy.user) == 1


@pytest.mark.parametrize("how", ["channel.mute", "settings"])
@run
async def test_a_muted_channel_notifies_nobody_who_muted_it(stage, how):
    admin, ana, ben = await stage.admin(), *await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    if how == "settings":
        await mute(ana, channels=[room])
    else:
        await ana.request("channel.mute", channel=room)
    async with nothing_happens(ana):
        assert await to_channel(admin, room) == 1
    assert await notify(admin, ana) == 1
    await ana.request("channel.unmute", channel=room)
    assert await to_channel(admin, room) == 2


@run
async def test_what_was_made_before_a_block_or_mute_stays(stage):
    bot, ana, ben = await stage.bot(), *await stage.people("ana", "ben")
    await notify(bot, ana, actor=ben.user, key="k", type="comment")
    async with nothing_happens(ana):
        await ana.request("user.block", user=ben.user)
        await mute(ana, types=["comment"], users=[bot.user])
        assert await notify(bot, ana, actor=ben.user, key="k", type="comment") == 0
    assert await retract(bot, "k", ana) == 1
    assert await items_of(ana) == []
