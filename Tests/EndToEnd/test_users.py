"""Users: profiles, unique usernames, people made by bots and admins, and search."""

import asyncio

import pytest

from chat import NOBODY, code_of, ghosts, members, nothing_told, open_direct, profile
from client import refused
from stage import run, summary_of
from text import raw_at

CUSTOM = '{ "b" : 1.0,"a":[1e3 , "\\u00e9\\/" ],"a":0 }'
FULL = {"name": "Zoë 🎈", "avatar": "https://example.com/z.png", "bio": "hi\nthere",
        "custom": {"a": [1]}}


async def update(client, **changes):
    [changed] = (await client.request("user.update", **changes))["users"]
    assert changed["id"] == client.user
    return changed


async def put(client, *users):
    return (await client.request("user.put", users=list(users)))["users"]


async def found(client, q, **arguments):
    """The ids that a search finds."""
    reply = await client.request("user.search", q=q, **arguments)
    return {user["id"] for user in reply["users"]}


# Profiles

@pytest.mark.parametrize("kind", ["group", "public", "broadcast", "direct"])
@run
async def test_a_changed_profile_is_told_to_those_who_share_a_channel(stage, kind):
    ana, ben, stranger = await stage.people("ana", "ben", "stranger")
    if kind == "direct":
        await open_direct(ana, ben)
    else:
        await stage.room(ana, ben, kind=kind)
    await stage.room(ana, ben)
    username = stage.name("Zoe")
    changed = await update(ben, username=username, **FULL)
    assert (FULL | {"username": username.lower()}).items() <= changed.items()
    assert (await ana.expect("user"))["user"] == changed
    for client in (ana, stranger):
        await client.nothing("user")
        assert await profile(client, ben.user) == changed
    assert (await stage.again(ben)).welcome["user"] == changed


@run
async def test_what_is_absent_stays_and_what_is_empty_goes(stage):
    ana = await stage.person()
    full = FULL | {"username": stage.name("zoe")}
    await update(ana, **full)
    for key, empty in (("avatar", ""), ("bio", ""), ("custom", {}), ("username", ""), ("name", "")):
        del full[key]
        changed = await update(ana, **{key: empty})
        assert changed == await profile(ana)
        assert {each: changed[each] for each in full} == full
        assert key not in changed or (key, changed[key]) == ("name", ana.user)


@run
async def test_people_are_shown_in_the_order_asked_for(stage):
    ana, ben, cy = await stage.people("ana", "ben", "cy")
    users = [cy.user, ana.user, ben.user]
    shown = (await ana.request("user.get", users=users))["users"]
    assert [user["id"] for user in shown] == users
    await refused(ana.request("user.get", users=[ben.user, NOBODY]), "not_found")


@run
async def test_custom_of_a_profile_comes_back_byte_for_byte(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben)
    replied = await ben.request_raw("user.update", f'"custom" : {CUSTOM} ')
    told = await ana.expect("user")
    got = await ana.request("user.get", users=[ben.user])
    listed = await ana.request("member.list", channel=channel)
    index = [each["user"] for each in listed["members"]].index(ben.user)
    again = await stage.again(ben)
    assert raw_at(replied.raw, "ok", "users", 0, "custom") == CUSTOM
    assert raw_at(told.raw, "user", "custom") == CUSTOM
    assert raw_at(got.raw, "ok", "users", 0, "custom") == CUSTOM
    assert raw_at(listed.raw, "ok", "members", index, "profile", "custom") == CUSTOM
    assert raw_at(again.welcome.raw, "ok", "user", "custom") == CUSTOM


@run
async def test_a_direct_channel_is_called_after_the_other_persons_present_name(stage):
    ana, ben = await stage.people("ana", "ben")
    direct = await open_direct(ana, ben)
    await update(ben, name="Benjamin")
    assert (await summary_of(ana, direct))["name"] == "Benjamin"
    assert (await summary_of(ben, direct))["name"] == ana.user
    [listed] = (await ana.request("channel.list"))["channels"]
    assert listed["name"] == "Benjamin"


@run
async def test_a_large_channel_is_not_told_of_profiles(stage):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben, kind="public")
    absent = await ghosts(stage, 99)
    await ana.request("member.add", channel=channel, users=absent[:98])
    await update(ben, name="of a hundred")
    await ana.expect("user")
    await ana.request("member.add", channel=channel, users=absent[98:])
    async with nothing_told(ana):
        await update(ben, name="of a hundred and one")
    assert (await members(ana, channel))[ben.user]["profile"]["name"] == "of a hundred and one"


# Usernames

@run
async def test_usernames_are_lower_cased_and_given_once(stage):
    ana, ben = await stage.people("ana", "ben")
    name = stage.name("Zoe")
    assert (await update(ana, username=name))["username"] == name.lower()
    for taken in (name, name.lower(), name.upper()):
        await refused(ben.request(
            "user.update", name="changed", username=taken), "already_exists")
    assert (await profile(ben)).items() >= {"id": ben.user, "name": ben.user}.items()
    assert "username" not in await profile(ben)
    await update(ana, username=name.upper())
    await update(ana, username=f"{name}-2")
    await update(ben, username=name)
    await refused(ana.request("user.update", username=name), "already_exists")
    await update(ben, username="")
    assert (await update(ana, username=name))["username"] == name.lower()


@pytest.mark.parametrize("username", ["x" * 60, "ünï-çødé", "元気", "a.b_c-d", "💬", "1", "Ä" * 20])
@run
async def test_a_username_may_be_any_word(stage, username):
    ana = await stage.person()
    given = (await update(ana, username=username))["username"]
    assert given == username.lower() == (await profile(ana))["username"]
    await update(ana, username="")


@run
async def test_of_many_who_want_a_username_at_once_one_gets_it(stage):
    people = await stage.people(*["ana"] * 8)
    name = stage.name("wanted")
    codes = await asyncio.gather(*(
        code_of(person.request("user.update", username=name)) for person in people))
    assert sorted(codes) == ["already_exists"] * 7 + ["ok"]
    names = [(await profile(person)).get("username") for person in people]
    assert [name == each for each in names] == [code == "ok" for code in codes]


# Made by bots and admins

@pytest.mark.parametrize("role", ["bot", "admin"])
@run
async def test_a_bot_or_admin_makes_people_who_have_not_come_yet(stage, role):
    maker, ana = await getattr(stage, role)(), await stage.person()
    new, robot = stage.name("new"), stage.name("robot")
    made = await put(maker, {"id": new, "username": stage.name("NEW")} | FULL,
                     {"id": robot, "bot": True})
    assert [user["id"] for user in made] == [new, robot]
    assert made[1]["bot"] is True and "bot" not in made[0]
    assert await profile(ana, new) == made[0]
    channel = await stage.room(ana)
    await ana.request("member.add", channel=channel, users=[new, robot])
    await ana.request("message.send", channel=channel, text="x", mentions=[new])
    came = await stage.signed_in(f"dev:{new}")
    assert came.welcome["user"] == made[0]
    [summary] = came.welcome["user_stream"]["channels"]
    assert (summary["unread"], summary["mentions"]) == (1, 1)


@run
async def test_what_is_put_changes_who_is_there_and_is_told(stage):
    bot = await stage.bot()
    ana, ben = await stage.people("ana", "ben")
    await stage.room(ana, ben)
    await update(ben, bio="hi", name="Ben")
    [changed] = await put(bot, {"id": ben.user, "name": "Benjamin", "avatar": "http://e.com/b"})
    assert (changed["name"], changed["bio"]) == ("Benjamin", "hi")
    assert (await ana.expect("user", user=lambda user: user["name"] == "Benjamin"))
    assert "bio" not in (await put(bot, {"id": ben.user, "bio": ""}))[0]


@run
async def test_people_are_put_all_or_none(stage):
    admin, ana = await stage.admin(), await stage.person()
    new, other, taken = stage.name("new"), stage.name("new"), stage.name("taken")
    await update(ana, username=taken)
    wrong = [
        ([{"id": new}, {"id": other, "username": taken}], ("already_exists",)),
        ([{"id": new}, {"id": other, "username": "two words"}], ("bad_request",)),
        ([{"id": new}, {"id": new}], ("bad_request",)),
        ([{"id": new}, {"name": "x"}], ("bad_request",)),
        ([{"id": new}, {"id": "@x"}], ("bad_request",)),
        ([{"id": new}, "x"], ("bad_request",)),
        ([], ("bad_request",)), ([{"id": f"{new}-{index}"} for index in range(101)],
                                 ("bad_request",)),
        ([{"id": new, "username": f"{new}-x"}, {"id": other, "username": f"{new}-X"}],
         ("already_exists", "bad_request")),
    ]
    for users, codes in wrong:
        await refused(admin.request("user.put", users=users), *codes)
        await refused(ana.request("user.get", users=[new]), "not_found")
    await refused(ana.request("user.put", users=[{"id": new}]), "forbidden")
    await refused(ana.request("user.get", users=[new]), "not_found")
    await put(admin, {"id": new})


# Search

@run
async def test_people_are_found_by_the_beginning_of_a_word(stage):
    admin, ana = await stage.admin(), await stage.person()
    stem = stage.name("q").replace("-", "x")
    one, two, three = [stage.name("user") for _ in range(3)]
    await put(admin, {"id": one, "name": f"Anna {stem}Maria Ödegård", "username": f"{stem}_one"},
              {"id": two, "name": f"{stem.upper()}", "username": f"other-{stem}"},
              {"id": three, "name": f"pre{stem}"})
    expected = [
        (stem, {one, two}), (stem.upper(), {one, two}), (f"{stem}m", {one}),
        (f"{stem}MARIA", {one}), (f"{stem}_o", {one}), (f"other-{stem}", {two}),
        (f"pre{stem}", {three}), (f"{stem}mariax", set()), (f"x{stem}", set())]
    for q, users in expected:
        assert await found(ana, q) == users, q
    assert len(await found(ana, stem, limit=1)) == 1


@run
async def test_search_does_not_care_for_case_in_any_script(stage):
    admin, ana = await stage.admin(), await stage.person()
    stem = stage.name("ö").replace("-", "x")
    user = stage.name("user")
    await put(admin, {"id": user, "name": f"{stem}ÄÖ привет"})
    for q in (f"{stem}äö", f"{stem}Äö".upper(), f"{stem}ÄÖ"):
        assert await found(ana, q) == {user}, q


@run
async def test_search_knows_present_names_only(stage):
    ana = await stage.person()
    old, new = (stage.name(stem).replace("-", "x") for stem in ("oldname", "newname"))
    await update(ana, name=old, username=f"u{old}")
    assert await found(ana, old) == await found(ana, f"u{old}") == {ana.user}
    await update(ana, name=new, username=f"u{new}")
    assert await found(ana, old) == await found(ana, f"u{old}") == set()
    assert await found(ana, new) == await found(ana, f"u{new}") == {ana.user}
    await update(ana, username="")
    assert await found(ana, f"u{new}") == set()


@run
async def test_a_search_finds_50_people_unless_told_otherwise(stage):
    ana = await stage.person()
    stem = stage.name("many").replace("-", "x")
    await ghosts(stage, 120, name=f"{stem} person")
    for arguments, count in (({}, 50), ({"limit": 100}, 100), ({"limit": 7}, 7)):
        assert len(await found(ana, stem, **arguments)) == count
