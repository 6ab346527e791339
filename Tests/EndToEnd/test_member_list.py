"""The member list: its order, its pages, and what it shows to whom."""

import pytest

from chat import ghosts, members, open_direct, settings
from client import refused
from stage import fill, run, say
from text import raw_at

CUSTOM = '{ "b" : 1.0,"a":[1e3 , "\\u00e9\\/" ],"a":0 }'


async def renamed(stage, *names):
    """People who are shown under these names."""
    people = await stage.people(*["person"] * len(names))
    for person, name in zip(people, names, strict=True):
        await person.request("user.update", name=name)
    return people


async def pages(client, channel, limit, **arguments):
    """The whole list, page by page."""
    found, cursor = [], None
    while True:
        page = await client.request(
            "member.list", channel=channel, limit=limit, cursor=cursor, **arguments)
        assert len(page["members"]) <= limit
        found += page["members"]
        if not (cursor := page.get("cursor")):
            return found


@run
async def test_a_member_is_shown_with_profile_role_and_pointers(stage):
    ana, ben = await stage.people("ana", "ben")
    before = await ana.ping()
    channel = await stage.room(ana, ben)
    await ben.request("user.update", name="Ben", bio="hi", avatar="http://e.com/b")
    await fill(ana, channel, 4)
    await ben.request("delivered", channel=channel, seq=3)
    await ben.request("read", channel=channel, seq=2)
    listed = await members(ana, channel)
    assert {user: each["role"] for user, each in listed.items()} == {
        ana.user: "owner", ben.user: "member"}
    shown = listed[ben.user]
    profile = {"id": ben.user, "name": "Ben", "bio": "hi", "avatar": "http://e.com/b"}
    assert profile.items() <= shown["profile"].items()
    assert (shown["present"], shown["read"], shown["delivered"]) == (True, 2, 3)
    assert before <= shown["joined_ts"] <= await ana.ping()
    assert (listed[ana.user]["read"], listed[ana.user]["delivered"]) == (4, 4)


@pytest.mark.parametrize("kind", ["group", "public", "broadcast"])
@run
async def test_those_present_come_first_and_each_part_is_sorted_by_name(stage, kind):
    cleo, ada, bea = await renamed(stage, "cleo", "ada", "bea")
    admin, absent = await stage.admin(), await ghosts(stage, 3)
    for user, name in zip(absent, ("zoe", "abe", "mia"), strict=True):
        await admin.request("user.put", users=[{"id": user, "name": name}])
    channel = await stage.room(cleo, ada, bea, kind=kind)
    await cleo.request("member.add", channel=channel, users=absent)
    names = [each["profile"]["name"] for each in (await members(ada, channel)).values()]
    assert names == ["ada", "bea", "cleo", "abe", "mia", "zoe"]
    present = await members(ada, channel, present=True)
    assert [each["profile"]["name"] for each in present.values()] == ["ada", "bea", "cleo"]
    assert all(each["present"] for each in present.values())
    assert len(await members(ada, channel, present=False)) == 6


@run
async def test_a_name_sorts_its_member_anew(stage):
    ada, bea = await renamed(stage, "ada", "bea")
    channel = await stage.room(ada, bea)
    await ada.request("user.update", name="zoe")
    assert list(await members(bea, channel)) == [bea.user, ada.user]


@pytest.mark.parametrize("limit", [1, 7, 50, 100])
@run
async def test_pages_together_are_the_whole_list(stage, limit):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind="public")
    count = 20 if limit == 1 else 130
    absent = await ghosts(stage, count)
    for start in range(0, count, 100):
        await ana.request("member.add", channel=channel, users=absent[start:start + 100])
    listed = await pages(ana, channel, limit)
    users = [each["user"] for each in listed]
    assert sorted(users) == sorted([ana.user, ben.user, *absent])
    assert set(users[:2]) == {ana.user, ben.user} and users[2:] == sorted(users[2:])
    present = await pages(ana, channel, limit, present=True)
    assert {each["user"] for each in present} == {ana.user, ben.user}


@run
async def test_a_page_has_50_members_when_nothing_is_said(stage):
    ana = await stage.person()
    channel = await stage.room(ana)
    await ana.request("member.add", channel=channel, users=await ghosts(stage, 60))
    page = await ana.request("member.list", channel=channel)
    assert len(page["members"]) == 50 and page["cursor"]


@run
async def test_both_sides_of_a_direct_channel_are_listed(stage):
    ana, ben, stranger = await stage.people("ana", "ben", "stranger")
    direct = await open_direct(ana, ben)
    await fill(ana, direct, 2)
    assert set(await members(ben, direct)) == {ana.user, ben.user}
    assert (await members(ana, direct))[ben.user]["read"] == 0
    await refused(stranger.request("member.list", channel=direct), "not_found")


@run
async def test_a_groups_members_are_not_shown_to_strangers(stage):
    ana, stranger = await stage.people("ana", "stranger")
    group = await stage.room(ana)
    await refused(stranger.request("member.list", channel=group), "not_found")


@run
async def test_custom_of_a_member_comes_back_byte_for_byte(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    await ana.request_raw("member.update", f'"channel":"{channel}","custom" : {CUSTOM} ')
    reply = await ben.request("member.list", channel=channel)
    [index] = [at for at, each in enumerate(reply["members"]) if each["user"] == ana.user]
    assert raw_at(reply.raw, "ok", "members", index, "custom") == CUSTOM


@run
async def test_pointers_are_hidden_of_and_from_who_hides_receipts(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.room(ana, ben, cy)
    await say(ana, channel, "x")
    await settings(ben, receipts=False)
    for client in (ana, cy):
        listed = await members(client, channel)
        assert [user for user, each in listed.items() if "read" not in each] == [ben.user]
        assert "delivered" not in listed[ben.user]
    listed = await members(ben, channel)
    assert all("read" not in listed[other.user] for other in (ana, cy))
    await settings(ben, receipts=True)
    assert all("read" in each for each in (await members(ben, channel)).values())


@run
async def test_who_is_invisible_or_gone_from_the_channel_is_not_present(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    channel = await stage.room(ana, ben, cy)
    await ben.request("presence.set", status="invisible")
    listed = await members(ana, channel)
    assert {user for user, each in listed.items() if each["present"]} == {ana.user, cy.user}
    assert list(listed)[-1] == ben.user
    await cy.request("channel.leave", channel=channel)
    assert set(await members(ana, channel, present=True)) == {ana.user}
