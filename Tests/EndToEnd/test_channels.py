"""Channels: making, reading and listing them."""

import hashlib

import pytest

import shapes
from client import refused
from stage import run, summary_of
from text import raw_at

GROUP_KINDS = ["group", "public", "broadcast"]


@pytest.mark.parametrize("kind", GROUP_KINDS)
@run
async def test_who_creates_a_channel_owns_it(stage, kind):
    ana, channel = await stage.person(), stage.name("room")
    made = (await ana.request("channel.create", channel=channel, kind=kind))["channel"]
    shapes.assert_shape(made, shapes.SUMMARY)
    assert (made["channel"], made["kind"], made["role"]) == (channel, kind, "owner")
    assert (made["member_count"], made["seq"], made["read"], made["unread"]) == (1, 0, 0, 0)
    got = await summary_of(ana, channel)
    assert {key: got[key] for key in ("epoch", "seq", "role")} == \
        {key: made[key] for key in ("epoch", "seq", "role")}


@run
async def test_a_channel_keeps_what_it_was_given(stage):
    ana, channel = await stage.person(), stage.name("room")
    custom = '{ "b" : 1.0,"a":[1e3 , "\\u00e9\\/"] }'
    await ana.request_raw(
        "channel.create", f'"channel":"{channel}","kind":"group","name":"Zoë’s 🎈",'
        f'"details":"about","avatar":"https://example.com/a.png","custom":{custom}')
    got = await ana.request("channel.get", channel=channel)
    assert raw_at(got.raw, "ok", "channel", "custom") == custom
    shown = [got["channel"][key] for key in ("name", "details", "avatar")]
    assert shown == ["Zoë’s 🎈", "about", "https://example.com/a.png"]


@run
async def test_a_missing_name_falls_back_to_the_channels_own(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    assert (await summary_of(ana, channel))["name"] == channel


@run
async def test_the_summary_shows_the_last_message(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    assert not (await summary_of(ben, channel)).get("last_message")
    for text in ("first", "last"):
        await ana.request("message.send", channel=channel, text=text)
    got = await summary_of(ben, channel)
    last = got["last_message"]
    assert (last["seq"], last["user"], last["text"]) == (2, ana.user, "last")
    assert (got["seq"], got["unread"], got["updated_ts"] >= last["ts"]) == (2, 2, True)


@run
async def test_members_given_at_creation_are_members_and_are_told(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = stage.name("room")
    await ana.request(
        "channel.create", channel=channel, kind="group", members=[ben.user, cy.user, ben.user])
    for client in (ana, ben, cy):
        summary = (await client.expect("channel.created", channel=channel))["summary"]
        assert (summary["kind"], summary["member_count"]) == ("group", 3)
    assert (await summary_of(ben, channel))["role"] == "member"


@run
async def test_unknown_members_are_not_found_and_nothing_is_done(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = stage.name("room")
    await refused(ana.request("channel.create", channel=channel, kind="group",
                              members=[ben.user, "nobody-at-all"]), "not_found")
    await ben.nothing("channel.created")
    await refused(ana.request("channel.get", channel=channel), "not_found")
    await ana.request("channel.create", channel=channel, kind="group")


@pytest.mark.parametrize("kind", GROUP_KINDS)
@run
async def test_a_name_is_taken_once(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, kind=kind)
    for client in (ana, ben):
        await refused(client.request(
            "channel.create", channel=channel, kind="public"), "already_exists")
    assert (await summary_of(ana, channel))["kind"] == kind


@run
async def test_of_many_creates_at_once_one_wins(stage):
    people = await stage.people(*["ana"] * 8)
    channel = stage.name("room")
    replies = [await each.begin("channel.create", channel=channel, kind="group")
               for each in people]
    frames = [await reply for reply in replies]
    assert sum("ok" in frame for frame in frames) == 1
    assert {f["error"]["code"] for f in frames if "error" in f} == {"already_exists"}


BAD_NAMES = ["", "two words", "@x", "x" * 129, "ü", "a/b", "a\u0000b", "a\nb", "🎈", "a%20b", "a,b"]


@pytest.mark.parametrize("channel", BAD_NAMES, ids=lambda name: repr(name[:8]))
@run
async def test_a_bad_name_is_a_bad_request(stage, channel):
    ana = await stage.person()
    await refused(ana.request("channel.create", channel=channel, kind="group"), "bad_request")


@run
async def test_a_name_may_have_128_bytes_and_every_allowed_character(stage):
    ana = await stage.person()
    for channel in ("c" * 128, "AZaz09_-.:@#", "#general", ".hidden"):
        await ana.request("channel.create", channel=channel, kind="group")


@run
async def test_reserved_names_are_refused(stage):
    ana, ben = await stage.people("ana", "ben")
    for channel in ("dm:" + "0" * 32, "dm:x", "sys:x", f"feed:{ben.user}"):
        for kind in GROUP_KINDS:
            await refused(ana.request("channel.create", channel=channel, kind=kind),
                          "forbidden", "bad_request")
    for kind in ("group", "public"):
        await refused(ana.request("channel.create", channel=f"feed:{ana.user}", kind=kind),
                      "forbidden", "bad_request")
    await refused(ana.request("channel.create", channel=stage.name(), kind="direct"),
                  "forbidden", "bad_request")


@run
async def test_ones_own_feed_is_a_broadcast_channel(stage):
    ana, ben = await stage.people("ana", "ben")
    feed = f"feed:{ana.user}"
    await ana.request("channel.create", channel=feed, kind="broadcast")
    assert (await ben.request("channel.join", channel=feed))["channel"]["member_count"] == 2


# Listing

async def pages(client, limit, **arguments):
    """All pages of a listing."""
    found, cursor = [], None
    while True:
        page = await client.request("channel.list", limit=limit, cursor=cursor, **arguments)
        assert len(page["channels"]) <= limit
        found.append(page["channels"])
        cursor = page.get("cursor")
        if not cursor:
            return found


async def names(client, limit=100, **arguments):
    return [each["channel"] for page in await pages(client, limit, **arguments) for each in page]


async def five_channels(stage, owner):
    """Channels of all kinds the owner is in, oldest activity first."""
    friend = await stage.person("ben")
    made = []
    for kind in ("public", "group", "broadcast", "group", "public"):
        made.append((await stage.room(owner, kind=kind), kind))
    direct = (await owner.request("dm.open", user=friend.user))["channel"]["channel"]
    made.append((direct, "direct"))
    for channel, _ in made:
        await owner.tick()
        await owner.request("message.send", channel=channel, text="x")
    return made


@run
async def test_lists_are_sorted_as_asked(stage):
    ana = await stage.person()
    made = await five_channels(stage, ana)
    by_activity = [name for name, _ in reversed(made)]
    assert await names(ana) == await names(ana, sort="activity") == by_activity
    listed = [each for page in await pages(ana, 100, sort="kind") for each in page]
    kinds = [each["kind"] for each in listed]
    assert kinds == ["public", "public", "group", "group", "direct", "broadcast"]
    for kind in ("public", "group"):
        shown = [each["name"] for each in listed if each["kind"] == kind]
        assert shown == sorted(shown)
    by_name = [each["name"] for page in await pages(ana, 100, sort="name") for each in page]
    assert by_name == sorted(by_name) and len(by_name) == 6


@pytest.mark.parametrize("sort", ["activity", "kind", "name"])
@run
async def test_pages_together_are_the_whole_list(stage, sort):
    ana = await stage.person()
    await five_channels(stage, ana)
    whole = await names(ana, sort=sort)
    assert len(whole) == 6
    for limit in (1, 2, 4, 6):
        assert await names(ana, limit, sort=sort) == whole


@run
async def test_a_list_may_be_of_one_kind(stage):
    ana = await stage.person()
    made = await five_channels(stage, ana)
    for kind in ("public", "group", "broadcast", "direct"):
        expected = {name for name, each in made if each == kind}
        assert set(await names(ana, kind=kind)) == expected


@run
async def test_scopes_show_what_one_is_in_and_what_one_could_join(stage):
    ana, ben = await stage.people("ana", "ben")
    made = {kind: await stage.room(ana, kind=kind) for kind in GROUP_KINDS}
    await ben.request("channel.join", channel=made["public"])
    joined, joinable, everything = [
        set(await names(ben, scope=scope)) & set(made.values())
        for scope in ("joined", "joinable", "all")]
    assert joined == {made["public"]}
    assert joinable == {made["broadcast"]}
    assert everything == {made["public"], made["broadcast"]}


# Direct channels

def direct_name(one, other):
    first, second = sorted([one.encode(), other.encode()])
    material = bytes([len(first)]) + first + bytes([len(second)]) + second
    return "dm:" + hashlib.sha256(material).hexdigest()[:32]


@pytest.mark.parametrize("stems", [
    ("ana", "ben"), ("b", "a"), ("a" * 100, "b"), ("A:.#@", "a")], ids=str)
@run
async def test_a_direct_channel_is_named_by_its_two_people(stage, stems):
    ana, ben = await stage.people(*stems)
    expected = direct_name(ana.user, ben.user)
    mine = (await ana.request("dm.open", user=ben.user))["channel"]
    theirs = (await ben.request("dm.open", user=ana.user))["channel"]
    assert mine["channel"] == theirs["channel"] == expected
    assert (mine["kind"], mine["member_count"], mine["epoch"]) == ("direct", 2, theirs["epoch"])
    assert (mine["name"], theirs["name"]) == (ben.user, ana.user)


@run
async def test_opening_a_direct_channel_tells_the_other_person_once(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = (await ana.request("dm.open", user=ben.user))["channel"]["channel"]
    await ben.expect("channel.created", channel=channel)
    await ana.request("dm.open", user=ben.user)
    await ben.request("dm.open", user=ana.user)
    await ben.nothing("channel.created")


@run
async def test_a_direct_channel_with_somebody_unknown_is_not_found(stage):
    ana = await stage.person()
    await refused(ana.request("dm.open", user="nobody-at-all"), "not_found")


@run
async def test_two_people_talk_in_a_direct_channel(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = (await ana.request("dm.open", user=ben.user))["channel"]["channel"]
    await ben.request("subscribe", channel=channel)
    await ana.request("message.send", channel=channel, text="just us")
    assert (await ben.expect("message", channel=channel))["text"] == "just us"
