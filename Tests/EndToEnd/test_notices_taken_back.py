"""Notices: when they are taken back, and how many come in a burst."""

import collections

import pytest

from chat import open_direct
from stage import run, say
from surfaces import Watch, look_at

HUB_FLAGS = {"durability": "none"}
A_SECOND = 10  # notices go to one user within a second


async def watched(stage, *focuses, kind="group"):
    """A watch, and somebody's devices with these focuses."""
    ana = await stage.person("ana")
    devices = [ana] + [await stage.again(ana) for _ in focuses[1:]]
    watch = await Watch.of(stage, ana, kind=kind)
    for device, what in zip(devices, focuses, strict=True):
        await look_at(device, what, watch.room)
    return watch, devices


# Taken back

UNDONE = {
    "read on the same device": lambda watch, ana, other: ana.request(
        "read", channel=watch.room, seq=1),
    "read on another device": lambda watch, ana, other: other.request(
        "read", channel=watch.room, seq=1),
    "deleted": lambda watch, ana, other: watch.sender.request(
        "message.delete", channel=watch.room, seq=1),
    "left": lambda watch, ana, other: other.request("channel.leave", channel=watch.room),
    "removed": lambda watch, ana, other: watch.sender.request(
        "member.remove", channel=watch.room, users=[ana.user]),
    "banned": lambda watch, ana, other: watch.sender.request(
        "member.ban", channel=watch.room, user=ana.user),
    "channel deleted": lambda watch, ana, other: watch.sender.request(
        "channel.delete", channel=watch.room),
}


@pytest.mark.parametrize("undo", UNDONE)
@run
async def test_a_notice_is_taken_back_where_it_was_shown(stage, undo):
    watch, devices = await watched(stage, "elsewhere", "list", "away")
    await watch.say()
    assert await watch.shown(*devices) == [[("toast", 1)], [("badge", 1)], []]
    await UNDONE[undo](watch, devices[0], devices[2])
    for device in devices[:2]:
        assert await device.expect("notice.retract") == {
            "ev": "notice.retract", "channel": watch.room, "seq": 1}
    assert await watch.shown(*devices) == [
        [("toast", 1), (None, 1)], [("badge", 1), (None, 1)], []]


@run
async def test_answering_reads_and_takes_back(stage):
    watch, [ana, phone] = await watched(stage, "unset", "unset")
    await watch.say()
    await phone.expect("notice", seq=1)
    await say(ana, watch.room, "an answer")
    for device in (ana, phone):
        await device.expect("notice.retract", channel=watch.room, seq=1)


@run
async def test_what_is_read_up_to_a_place_is_taken_back_and_the_rest_stays(stage):
    watch, devices = await watched(stage, "unset", "elsewhere")
    for number in range(5):
        await watch.say(f"{number}")
    for device in devices:
        await device.expect("notice", seq=5)
    await devices[1].request("delivered", channel=watch.room, seq=5)
    await devices[1].request("read", channel=watch.room, seq=3)
    for device in devices:
        for seq in (1, 2, 3):
            await device.expect("notice.retract", seq=seq)
    shown = await watch.shown(*devices)
    for told in shown:
        assert sorted(seq for surface, seq in told if surface is None) == [1, 2, 3]
        assert [seq for surface, seq in told if surface] == [1, 2, 3, 4, 5]


@run
async def test_what_was_taken_back_once_is_not_taken_back_again(stage):
    watch, [ana] = await watched(stage, "list")
    await watch.say()
    await ana.expect("notice")
    await ana.request("read", channel=watch.room, seq=1)
    await ana.expect("notice.retract")
    await ana.request("read.unread", channel=watch.room, seq=1)
    await ana.request("read", channel=watch.room, seq=1)
    await watch.sender.request("message.delete", channel=watch.room, seq=1)
    assert await watch.shown(ana) == [[("badge", 1), (None, 1)]]


@run
async def test_what_was_shown_nowhere_is_taken_back_nowhere(stage):
    watch, devices = await watched(stage, "here", "list")
    await watch.say()
    await look_at(devices[0], "list")
    await devices[1].request("read", channel=watch.room, seq=1)
    assert await watch.shown(*devices) == [[], []]


@run
async def test_a_device_that_came_later_hears_nothing_of_it(stage):
    watch, [ana] = await watched(stage, "list")
    await watch.say()
    await ana.expect("notice")
    late = await stage.again(ana)
    await late.request("read", channel=watch.room, seq=1)
    await ana.expect("notice.retract")
    assert await watch.shown(late) == [[]]


@run
async def test_everybody_has_notices_of_their_own(stage):
    ana, ben = await stage.people("ana", "ben")
    watch = await Watch.of(stage, ana, ben)
    await watch.say()
    for client in (ana, ben):
        await client.expect("notice", seq=1)
    await ana.request("read", channel=watch.room, seq=1)
    await ana.expect("notice.retract")
    assert await watch.shown(ana, ben) == [[("badge", 1), (None, 1)], [("badge", 1)]]


# Bursts

async def rooms_of(stage, watch, ana, count):
    rooms = [await stage.room(watch.sender) for _ in range(count)]
    for room in rooms:
        await watch.sender.request("member.add", channel=room, users=[ana.user])
    return rooms


def notices(device):
    return [(event["channel"], event["seq"]) for event in device.events("notice")]


@pytest.mark.parametrize("where", ["one channel", "ten channels", "direct channels"])
@run
async def test_ten_messages_at_once_are_ten_notices(stage, where):
    watch, devices = await watched(stage, "list", "elsewhere")
    if where == "direct channels":
        senders = await stage.people(*["ben"] * 10)
        asked = [(sender, await open_direct(sender, devices[0])) for sender in senders]
    else:
        rooms = [watch.room] if where == "one channel" else \
            await rooms_of(stage, watch, devices[0], 10)
        asked = [(watch.sender, room) for room in rooms * (10 // len(rooms))]
    sent = collections.Counter()
    for sender, room in asked:
        sent[room] += 1
        await sender.begin("message.send", channel=room, text="x")
    expected = {(room, seq) for room, count in sent.items() for seq in range(1, count + 1)}
    for device in devices:
        for room, seq in sorted(expected):
            await device.expect("notice", channel=room, seq=seq)
    await watch.fence(*devices)
    for device in devices:
        assert set(notices(device)) == expected and len(notices(device)) == 10


@run
async def test_of_a_burst_the_newest_of_each_channel_comes_at_last(stage):
    watch, [ana, phone] = await watched(stage, "list", "elsewhere")
    rooms = await rooms_of(stage, watch, ana, 4)
    start = await ana.ping()
    await watch.sender.many(
        "message.send", [{"channel": room, "text": "x"} for _ in range(10) for room in rooms])
    await watch.fence(ana, phone)
    for device in (ana, phone):
        told, now = len(notices(device)), await device.ping()
        assert told <= A_SECOND * (1 + (now - start) // 1000), (told, now - start)
    for room in rooms:
        for device in (ana, phone):
            await device.expect("notice", channel=room, seq=10)
    await watch.fence(ana, phone)
    now = await ana.ping()
    for device in (ana, phone):
        told = notices(device)
        assert A_SECOND <= len(told) <= A_SECOND * (1 + (now - start) // 1000)
        assert len(set(told)) == len(told)
        for room in rooms:
            seqs = [seq for channel, seq in told if channel == room]
            assert seqs == sorted(seqs) and seqs[-1] == 10


async def waiting(stage, count):
    """A burst has used up the second; one message waits in each of some rooms."""
    watch, [ana, phone] = await watched(stage, "list", "away")
    rooms = await rooms_of(stage, watch, ana, count)
    texts = [{"channel": watch.room, "text": "x"} for _ in range(A_SECOND)]
    await watch.sender.many(
        "message.send", texts + [{"channel": room, "text": "waits"} for room in rooms])
    return watch, ana, phone, rooms


@pytest.mark.parametrize("how", ["read", "deleted", "left", "muted", "looked at"])
@run
async def test_what_waits_does_not_come_when_it_would_no_longer_be_decided_so(stage, how):
    """Should the second pass before the test gets that far, what was shown is taken back."""
    watch, ana, phone, [gone, last] = await waiting(stage, 2)
    await {
        "read": lambda: phone.request("read", channel=gone, seq=1),
        "deleted": lambda: watch.sender.request("message.delete", channel=gone, seq=1),
        "left": lambda: phone.request("channel.leave", channel=gone),
        "muted": lambda: phone.request("channel.mute", channel=gone),
        "looked at": lambda: look_at(phone, "here", gone)}[how]()
    await watch.fence(ana)
    by_then = len(ana.events("notice", channel=gone))
    await ana.expect("notice", channel=last)
    await watch.fence(ana)
    told = [each["ev"] for each in ana.log
            if each.get("channel") == gone and each.get("ev") in ("notice", "notice.retract")]
    if how in ("read", "deleted", "left"):
        assert told[-1:] in ([], ["notice.retract"])
    assert told.count("notice") <= by_then


@run
async def test_bursts_for_one_person_hold_up_nobody_else(stage):
    ana, ben = await stage.people("ana", "ben")
    watch = await Watch.of(stage, ana)
    other = await stage.room(watch.sender, ana, ben)
    await watch.sender.many(
        "message.send", [{"channel": watch.room, "text": "x"} for _ in range(30)])
    await watch.say(channel=other)
    await ben.expect("notice", channel=other, seq=1)
    await ana.expect("notice", channel=other, seq=1)
