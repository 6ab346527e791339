"""Session: hello, tokens, roles."""

import asyncio
import time

import pytest
from websockets.exceptions import ConnectionClosed

import shapes
from client import HubError, refused
from stage import run


def refusals(client):
    """The codes of all errors received, replied or pushed."""
    return [frame["error"]["code"] for frame in client.log if "error" in frame]


@run
async def test_hello_tells_who_one_is_and_what_the_limits_are(stage):
    client = await stage.connect()
    name = stage.name("ana")
    welcome = await client.hello(
        f"dev:{name}", client={"name": "acceptance", "version": "1.0"})
    shapes.assert_shape(welcome, shapes.WELCOME)
    assert (welcome["user"]["id"], welcome["user"]["name"]) == (name, name)
    assert welcome["user_stream"]["channels"] == []


@run
async def test_every_session_has_a_name_of_its_own(stage):
    ana = await stage.person()
    other = await stage.again(ana)
    assert ana.welcome["session"] != other.welcome["session"]
    assert ana.user == other.user


@run
async def test_hello_lists_ones_channels_as_summaries(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    await ana.request("message.send", channel=room, text="hi")
    again = await stage.again(ben)
    [summary] = again.welcome["user_stream"]["channels"]
    assert (summary["channel"], summary["seq"], summary["unread"]) == (room, 1, 1)
    assert (summary["role"], summary["read"], summary["member_count"]) == ("member", 0, 2)
    assert summary["last_message"]["text"] == "hi"


@run
async def test_hello_lists_200_channels_and_says_that_there_are_more(stage):
    ana = await stage.person()
    names = [stage.name("room") for _ in range(201)]
    await ana.many("channel.create", [{"channel": name, "kind": "group"} for name in names])
    stream = (await stage.again(ana)).welcome["user_stream"]
    listed = [summary["channel"] for summary in stream["channels"]]
    assert len(set(listed)) == len(listed) == 200 and set(listed) < set(names)
    assert stream["more"] is True


@run
async def test_before_hello_every_op_is_unauthenticated_and_hello_still_works(stage):
    client = await stage.connect()
    for op in ("ping", "channel.list", "message.send", "subscribe", "inbox.list"):
        await refused(client.request(op, channel="x", text="x"), "unauthenticated")
    await client.hello(f"dev:{stage.name()}")
    await client.ping()


@run
async def test_hello_may_be_followed_at_once_by_others(stage):
    client = await stage.connect()
    first = await client.begin("hello", token=f"dev:{stage.name()}")
    second = await client.begin("ping")
    assert "ok" in await first and "ok" in await second


@run
async def test_a_second_hello_is_a_bad_request_and_changes_nothing(stage):
    ana = await stage.person()
    await refused(ana.request("hello", token=f"dev:{stage.name('ben')}"), "bad_request")
    room = await stage.room(ana)
    await ana.request("subscribe", channel=room)
    await ana.request("message.send", channel=room, text="still me")
    assert (await ana.expect("message"))["user"] == ana.user


BAD_TOKENS = ["nonsense", "", "dev:", "dev:two words", "dev:@ana", "dev:ä", "dev:" + "x" * 121,
              "dev-bot:", "dev-root:x", "DEV:x", " dev:x"]


@pytest.mark.parametrize("token", BAD_TOKENS, ids=lambda token: repr(token[:12]))
@run
async def test_a_bad_token_is_unauthenticated_and_closes_4500(stage, token):
    client = await stage.connect()
    await refused(client.request("hello", token=token), "unauthenticated")
    assert await client.closed() == 4500


@run
async def test_hello_without_any_token_is_refused(stage):
    client = await stage.connect()
    await refused(client.request("hello"), "unauthenticated", "bad_request")


@run
async def test_a_user_id_may_have_120_bytes_and_every_allowed_character(stage):
    for user in ("u" * 120, "AZaz09_-.:#x@y"):
        assert (await stage.signed_in(f"dev:{user}")).user == user


@run
async def test_the_authorization_header_does_the_same_job(stage):
    user = stage.name("ana")
    client = await stage.connect(headers={"Authorization": f"Bearer dev:{user}"})
    await refused(client.request("ping"), "unauthenticated")
    assert (await client.request("hello"))["user"]["id"] == user


@pytest.mark.parametrize("options", [
    {"headers": {"Authorization": "Bearer nonsense"}},
    {"path": "/v1/ws?token=dev:ana"},
], ids=["bad header", "a dev token in the query never expires"])
@run
async def test_a_bad_token_of_the_upgrade_is_answered_after_it(stage, options):
    client = await stage.connect(**options)
    try:
        await client.send({"id": 1, "op": "hello"})
    except ConnectionClosed:
        pass
    assert await client.closed() == 4500
    assert "unauthenticated" in refusals(client)


@pytest.mark.parametrize("first", ["dev-bot", "dev-admin"])
@run
async def test_an_id_first_seen_as_a_bot_or_admin_stays_one(stage, first):
    name = stage.name("robot")
    await stage.signed_in(f"{first}:{name}")
    for prefix in {"dev", "dev-bot", "dev-admin"} - {first}:
        client = await stage.connect()
        await refused(client.request("hello", token=f"{prefix}:{name}"), "unauthenticated")
        assert await client.closed() == 4500
    assert (await stage.signed_in(f"{first}:{name}")).user == name


@run
async def test_a_bot_is_shown_as_one(stage):
    bot, ana = await stage.bot(), await stage.person()
    assert bot.welcome["user"]["bot"] is True
    assert not ana.welcome["user"].get("bot")


@run
async def test_ping_tells_the_time(stage):
    ana = await stage.person()
    first = await ana.ping()
    assert abs(first / 1000 - time.time()) < 60
    assert await ana.ping() >= first


@run
async def test_without_hello_the_connection_closes_4408_after_ten_seconds(stage):
    silent, asking = await stage.connect(), await stage.connect()
    start = time.monotonic()
    await asyncio.sleep(4)  # clock: the deadline of hello runs on while other ops are refused
    with pytest.raises(HubError, match="unauthenticated"):
        await asking.request("ping")
    assert await silent.closed(within=30) == 4408
    assert await asking.closed(within=30) == 4408
    assert 7 < time.monotonic() - start
