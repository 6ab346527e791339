"""What operators do to connections, and tokens that are replaced."""

import pytest

from chat import NOBODY, nothing_told
from client import refused
from stage import run, say, summary_of


@run
async def test_a_disconnected_person_loses_every_connection_and_may_come_back(stage):
    admin = await stage.admin()
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.shared_room(ana, ben)
    phone = await stage.again(ben)
    assert await admin.request("user.disconnect", user=ben.user) == {}
    for client in (ben, phone):
        assert await client.closed() == 4503
    await say(ana, channel, "are you there?")
    back = await stage.again(ben)
    assert (await summary_of(back, channel))["unread"] == 1
    assert await admin.request("user.disconnect", user=back.user) == {}
    assert await back.closed() == 4503
    await ana.ping()


@run
async def test_disconnecting_who_is_not_there_does_nothing(stage):
    admin, ana = await stage.admin(), await stage.person()
    await ana.close()
    assert await admin.request("user.disconnect", user=ana.user) == {}
    await refused(admin.request("user.disconnect", user=NOBODY), "not_found")


@run
async def test_only_admins_disconnect(stage):
    bot, ana, ben = await stage.bot(), *await stage.people("ana", "ben")
    for client in (bot, ana):
        for user in (ben.user, client.user, NOBODY):
            await refused(client.request("user.disconnect", user=user), "forbidden")
    await ben.ping()


@run
async def test_an_admin_may_disconnect_an_admin(stage):
    admin, other = await stage.admin(), await stage.admin()
    await admin.request("user.disconnect", user=other.user)
    assert await other.closed() == 4503


@run
async def test_a_token_is_replaced_by_one_of_the_same_person(stage):
    ana = await stage.person()
    channel = await stage.shared_room(ana)
    async with nothing_told(ana):
        assert await ana.request("token.refresh", token=f"dev:{ana.user}") == {}
    await say(ana, channel, "still me")
    assert (await ana.expect("message"))["user"] == ana.user


@pytest.mark.parametrize("token", [
    "nonsense", "", "dev:somebody-else", "dev:", "dev-admin:{user}", "dev-bot:{user}", "dev:@x"])
@run
async def test_a_wrong_token_changes_nothing(stage, token):
    ana = await stage.person()
    await refused(ana.request(
        "token.refresh", token=token.replace("{user}", ana.user)), "unauthenticated")
    await ana.ping()
    await refused(ana.request("user.disconnect", user=ana.user), "forbidden")


@run
async def test_before_hello_no_token_is_refreshed(stage):
    client = await stage.connect()
    await refused(client.request("token.refresh", token="dev:x"), "unauthenticated")
    await client.hello(f"dev:{stage.name()}")
