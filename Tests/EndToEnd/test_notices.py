"""Notices: whom a new message is shown, and where."""

import datetime
import itertools
import zoneinfo

import pytest

from chat import ghosts, open_direct, profile, without
from inboxes import mute
from stage import run, say, summary_of
from surfaces import Watch, look_at, shown_to

HUB_FLAGS = {"durability": "none"}
FOCUSES = ["here", "elsewhere", "list", "unset", "away"]
SURFACE = {"elsewhere": "toast", "list": "badge", "unset": "badge"}
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
ALWAYS = {"days": DAYS, "from": "00:00", "to": "00:00", "tz": "Etc/UTC"}
COMBINED = [each for count in (1, 2, 3)
            for each in itertools.combinations_with_replacement(FOCUSES, count)]


async def reader_with(stage, *focuses, kind="group"):
    """A watch, and somebody's devices, each with a focus as seen from the watch's room."""
    ana = await stage.person("ana")
    devices = [ana] + [await stage.again(ana) for _ in focuses[1:]]
    watch = await Watch.of(stage, ana, kind=kind)
    await focus(watch, devices, focuses)
    return watch, devices


async def focus(watch, devices, focuses):
    for device, what in zip(devices, focuses, strict=True):
        await look_at(device, what, watch.room)


def expected(focuses, quiet=False):
    """The surface of each device; None for nothing."""
    if "here" in focuses:
        return [None] * len(focuses)
    found = [SURFACE.get(what) for what in focuses]
    return ["badge" if quiet and each else each for each in found]


async def assert_shown(watch, devices, surfaces, **message):
    """A message is shown on these surfaces."""
    before = [len(shown_to(device)) for device in devices]
    seq = await watch.say(**message)
    shown = await watch.shown(*devices)
    told = [each[start:] for each, start in zip(shown, before, strict=True)]
    assert told == [[(each, seq)] if each else [] for each in surfaces]


# What each device looks at

@pytest.mark.parametrize("focuses", COMBINED, ids="-".join)
@run
async def test_every_device_shows_what_fits_its_focus(stage, focuses):
    watch, devices = await reader_with(stage, *focuses)
    await assert_shown(watch, devices, expected(focuses))


@pytest.mark.parametrize("focuses", COMBINED, ids="-".join)
@run
async def test_during_do_not_disturb_a_badge_stands_for_a_toast(stage, focuses):
    watch, devices = await reader_with(stage, *focuses)
    await devices[0].request("user.settings", dnd_until_ts=2**53 - 1)
    await assert_shown(watch, devices, expected(focuses, quiet=True), mentions=[devices[0].user])


@run
async def test_a_focus_holds_until_the_next_and_ends_with_its_connection(stage):
    watch, devices = await reader_with(stage, "here", "list")
    await assert_shown(watch, devices, [None, None])
    await focus(watch, devices[:1], ["away"])
    await assert_shown(watch, devices, [None, "badge"])
    await focus(watch, devices, ["elsewhere", "here"])
    await assert_shown(watch, devices, [None, None])
    await devices[1].close()
    again = await stage.again(devices[0])
    await assert_shown(watch, [devices[0], again], ["toast", "badge"])


@run
async def test_subscribing_is_not_looking(stage):
    watch, devices = await reader_with(stage, "unset")
    await devices[0].request("subscribe", channel=watch.room)
    await assert_shown(watch, devices, ["badge"])


# Do not disturb

def quiet_around_now(zone, before, after, only=None):
    """A period from hours before now to hours after, by a zone's clock; `only` says whether of
    the day on which it begins, or of all other days."""
    now = datetime.datetime.now(zoneinfo.ZoneInfo(zone))
    begins, ends = (now.replace(tzinfo=None) + datetime.timedelta(hours=each)
                    for each in (-before, after))
    day = DAYS[begins.weekday()]
    days = {None: DAYS, True: [day], False: [each for each in DAYS if each != day]}[only]
    return {"days": days, "from": f"{begins:%H:%M}", "to": f"{ends:%H:%M}", "tz": zone}


ZONES = ["Etc/UTC", "Europe/Oslo", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati",
         "Pacific/Pago_Pago"]
FAR = {"days": DAYS, "from": "00:00", "to": "00:00", "tz": "Asia/Tokyo"}


@pytest.mark.parametrize("settings, quiet", [
    ({}, False), ({"dnd_until_ts": 2**53 - 1}, True), ({"dnd_until_ts": 1}, False),
    ({"dnd_schedule": [ALWAYS]}, True), ({"dnd_schedule": [FAR]}, True),
    *[({"dnd_schedule": [quiet_around_now(zone, 6, 6)]}, True) for zone in ZONES],
    *[({"dnd_schedule": [quiet_around_now(zone, -6, 18)]}, False) for zone in ZONES],
    *[({"dnd_schedule": [quiet_around_now(zone, 6, 6, True)]}, True) for zone in ZONES],
    *[({"dnd_schedule": [quiet_around_now(zone, 6, 6, False)]}, False) for zone in ZONES],
    ({"dnd_schedule": [quiet_around_now("Etc/UTC", -6, 18), ALWAYS]}, True),
    ({"dnd_schedule": [], "dnd_until_ts": 0}, False),
], ids=lambda value: str(value)[-60:])
@run
async def test_do_not_disturb_is_by_time_or_by_the_week(stage, settings, quiet):
    watch, devices = await reader_with(stage, "elsewhere")
    await devices[0].request("user.settings", **settings)
    await assert_shown(watch, devices, ["badge" if quiet else "toast"])


@run
async def test_do_not_disturb_begins_and_ends_with_settings_and_status(stage):
    watch, devices = await reader_with(stage, "elsewhere", "list")
    [ana, _] = devices
    for op, arguments, surface in [
            ("presence.set", {"status": "dnd"}, "badge"),
            ("presence.set", {"status": "away"}, "toast"),
            ("presence.set", {"status": "invisible"}, "toast"),
            ("user.settings", {"dnd_schedule": [ALWAYS]}, "badge"),
            ("user.settings", {"dnd_schedule": []}, "toast"),
            ("user.settings", {"dnd_until_ts": await ana.ping() + 3_600_000}, "badge"),
            ("user.settings", {"dnd_until_ts": 0}, "toast")]:
        await ana.request(op, **arguments)
        await assert_shown(watch, devices, [surface, "badge"])


# Whom it is not shown

@run
async def test_ones_own_messages_are_shown_on_none_of_ones_devices(stage):
    watch, devices = await reader_with(stage, "list", "elsewhere")
    await say(devices[0], watch.room, "mine")
    assert await watch.shown(*devices) == [[], []]


@pytest.mark.parametrize("reason", [
    "channel muted", "channel muted by settings", "sender muted", "type muted", "blocked",
    "blocked by", "left", "removed"])
@run
async def test_who_does_not_want_it_is_shown_nothing(stage, reason):
    watch, [ana] = await reader_with(stage, "elsewhere")
    sender = watch.sender
    steps = {
        "channel muted": lambda: ana.request("channel.mute", channel=watch.room),
        "channel muted by settings": lambda: mute(ana, channels=[watch.room, watch.control]),
        "sender muted": lambda: mute(ana, users=[sender.user], channels=[watch.control]),
        "type muted": lambda: mute(ana, types=["message"], channels=[watch.control]),
        "blocked": lambda: ana.request("user.block", user=sender.user),
        "blocked by": lambda: sender.request("user.block", user=ana.user),
        "left": lambda: ana.request("channel.leave", channel=watch.room),
        "removed": lambda: sender.request(
            "member.remove", channel=watch.room, users=[ana.user])}
    await steps[reason]()
    cy = await stage.person("cy")
    await sender.request("member.add", channel=watch.control, users=[cy.user])
    await sender.request("member.add", channel=watch.room, users=[cy.user])
    await watch.say()
    [fence] = await say(cy, watch.control, "a fence that ana sees")
    await ana.expect("activity", channel=watch.control, seq=fence)
    await ana.ping()
    assert shown_to(ana) == []


@pytest.mark.parametrize("types, plain, mention", [
    (["message"], None, "toast"), (["mention"], "toast", "toast"),
    (["message", "mention"], None, None), (["reply", "like"], "toast", "toast")], ids=str)
@run
async def test_a_mention_is_its_own_type_and_when_muted_like_any_other(
        stage, types, plain, mention):
    watch, [ana] = await reader_with(stage, "elsewhere")
    await mute(ana, types=types, channels=[watch.control])
    await assert_shown(watch, [ana], [plain])
    await assert_shown(watch, [ana], [mention], mentions=[ana.user])
    await assert_shown(watch, [ana], [mention], mentions=["@channel"])


@run
async def test_a_mention_in_a_muted_channel_is_not_shown(stage):
    watch, [ana] = await reader_with(stage, "elsewhere")
    await ana.request("channel.mute", channel=watch.room)
    await assert_shown(watch, [ana], [None], mentions=[ana.user, "@channel"])


# Large channels

@pytest.mark.parametrize("kind", ["public", "broadcast", "large group"])
@run
async def test_in_large_and_open_channels_only_mentions_are_shown(stage, kind):
    watch, [ana] = await reader_with(stage, "elsewhere", kind=kind.removeprefix("large "))
    if kind == "large group":
        await watch.sender.request(
            "member.add", channel=watch.room, users=await ghosts(stage, 99))
    await assert_shown(watch, [ana], [None])
    await assert_shown(watch, [ana], ["toast"], mentions=[ana.user])
    await assert_shown(watch, [ana], ["toast"], mentions=["@channel"])
    await assert_shown(watch, [ana], [None], mentions=[watch.sender.user])
    await mute(ana, types=["mention"], channels=[watch.control])
    await assert_shown(watch, [ana], [None], mentions=[ana.user])


@run
async def test_a_group_of_a_hundred_is_not_large(stage):
    watch, [ana] = await reader_with(stage, "list")
    await watch.sender.request("member.add", channel=watch.room, users=await ghosts(stage, 98))
    assert (await summary_of(ana, watch.room))["member_count"] == 100
    await assert_shown(watch, [ana], ["badge"])


@run
async def test_who_only_reads_an_open_channel_is_shown_nothing(stage):
    watch, [ana] = await reader_with(stage, "list", kind="public")
    await ana.request("channel.leave", channel=watch.room)
    await ana.request("subscribe", channel=watch.room)
    await assert_shown(watch, [ana], [None], mentions=[ana.user])


@run
async def test_neither_edits_nor_reactions_are_shown(stage):
    watch, [ana] = await reader_with(stage, "list")
    await assert_shown(watch, [ana], ["badge"])
    await watch.sender.request("message.edit", channel=watch.room, seq=1, mentions=[ana.user])
    await watch.sender.request("reaction.add", channel=watch.room, seq=1, reaction="x")
    assert await watch.shown(ana) == [[("badge", 1)]]


# What it says

@pytest.mark.parametrize("kind", ["group", "public", "broadcast", "direct"])
@run
async def test_a_notice_says_who_wrote_what_where(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    await ben.request("user.update", name="Ben B.", avatar="https://e.com/b", bio="I am Ben")
    if kind == "direct":
        room, title = await open_direct(ben, ana), "Ben B."
    else:
        room, title = await stage.room(ben, ana, kind=kind), "Tea time - Ben B."
        await ben.request("channel.update", channel=room, name="Tea time")
    await ben.request("message.send", channel=room, text="hi", mentions=[ana.user])
    notice = await ana.expect("notice")
    sender = await profile(ana, ben.user)
    assert without(notice, "sender") == {
        "ev": "notice", "surface": "badge", "channel": room, "seq": 1, "title": title,
        "preview": "hi", "kind": kind}
    assert {"id": ben.user, "name": "Ben B.", "avatar": "https://e.com/b"}.items() <= \
        notice["sender"].items() and notice["sender"].items() <= sender.items()


@run
async def test_a_title_takes_the_longest_names(stage):
    ana, ben = await stage.people("ana", "ben")
    room, title = await stage.room(ben, ana), f"{'c' * 1024} - {'b' * 1024}"
    await ben.request("user.update", name="b" * 1024)
    await ben.request("channel.update", channel=room, name="c" * 1024)
    await ben.request("message.send", channel=room, text="x", mentions=[ana.user])
    assert (await ana.expect("notice"))["title"] == title
    assert (await ana.expect("inbox.added"))["item"]["title"] == title


@pytest.mark.parametrize("message, preview", [
    ({"text": "x" * 50}, "x" * 50), ({"text": "x" * 51}, "x" * 50 + "..."),
    ({"text": "é" * 51}, "é" * 50 + "..."), ({"text": "🇩🇪" * 50}, "🇩🇪" * 50),
    ({"text": "🇩🇪" * 51}, "🇩🇪" * 49 + "..."),  # at most 400 bytes
    ({"attachments": [{"kind": "image", "url": "http://e.com/a"}]}, "📷 Image"),
    ({"attachments": [{"kind": "image", "url": "http://e.com/a"}], "text": "look"}, "look"),
    ({"attachments": [{"kind": "gif", "url": "http://e.com/a"}]}, "New message"),
    ({"data": {"text": "no"}}, "New message")], ids=lambda value: str(value)[:24])
@run
async def test_a_notice_shows_the_beginning(stage, message, preview):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    await ben.request("message.send", channel=room, **message)
    assert (await ana.expect("notice"))["preview"] == preview
