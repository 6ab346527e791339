"""hubctl search: finding messages at the command line."""

from stage import run, say
from test_hubctl import assert_helpful, hubctl, parsed_json, room_with, succeeded


async def places(stage, user, *arguments):
    out = await succeeded(stage.hub.url, user, "search", "--json", *arguments)
    return [(message["channel"], message["seq"]) for message in parsed_json(out)] if out else []


@run
async def test_search_finds_words_in_all_channels_or_one_newest_first(stage):
    me = stage.name("me")
    ana, one = await room_with(stage, me)
    ben, two = await room_with(stage, me)
    _, others = await room_with(stage)
    await say(ana, one, "green tea", "black tea")
    await say(ben, two, "tea, green or white")
    assert await places(stage, me, "tea", "green") == [(two, 1), (one, 1)]
    assert await places(stage, me, "green tea", "--channel", one) == [(one, 1)]
    assert await places(stage, me, "te", "--limit", "2") == [(two, 1), (one, 2)]
    assert await places(stage, me, "coffee") == []
    assert await succeeded(stage.hub.url, me, "search", "coffee") == ""
    lines = (await succeeded(stage.hub.url, me, "search", "green")).splitlines()
    assert "tea, green or white" in lines[0] and two in lines[0]
    assert "green tea" in lines[1] and one in lines[1] and len(lines) == 2
    status, _, err = await hubctl(stage.hub.url, me, "search", "tea", "--channel", others)
    assert_helpful(status, err, others, "not_found", "not found")


@run
async def test_search_goes_on_beyond_what_the_hub_gives_at_once(stage):
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    await say(ana, room, *["walrus"] * 250)
    assert await places(stage, me, "walrus", "--limit", "230") == [
        (room, seq) for seq in range(250, 20, -1)]
    assert len(await places(stage, me, "walrus")) == 20


@run
async def test_search_drives_no_terminal(stage):
    me = stage.name("me")
    ana, room = await room_with(stage, me)
    await say(ana, room, "walrus \u001b[2J")
    out = await succeeded(stage.hub.url, me, "search", "walrus")
    assert "walrus" in out and "\u001b" not in out
