"""Settings: what a person wishes, kept, told to their own connections and to nobody else."""

import asyncio

import pytest

from chat import expect_unread, nothing_told, settings
from stage import fill, run, summary_of

DEFAULTS = {"dm_policy": "everyone", "receipts": True, "typing": True, "dnd_schedule": [],
            "mute": {"types": [], "users": [], "channels": []}, "blocked": []}
PERIOD = {"days": ["mon", "sun"], "from": "22:00", "to": "07:00", "tz": "Europe/Berlin"}
OTHER_PERIOD = {"days": ["sat"], "from": "00:00", "to": "23:59", "tz": "Etc/GMT+5"}
CHANGES = [
    {"dm_policy": "contacts"}, {"dm_policy": "nobody", "receipts": False}, {"typing": False},
    {"dnd_until_ts": 2_000_000_000_000}, {"dnd_schedule": [PERIOD, OTHER_PERIOD]},
    {"mute": {"types": ["like"], "users": ["somebody"], "channels": ["a", "b"]}},
    {"receipts": True, "typing": True, "dm_policy": "everyone"}, {"dnd_schedule": [OTHER_PERIOD]},
    {"mute": {"types": [], "users": [], "channels": []}}, {"dnd_schedule": []},
]


@run
async def test_who_has_said_nothing_has_the_defaults(stage):
    ana = await stage.person()
    async with nothing_told(ana):
        assert await settings(ana) == DEFAULTS


@run
async def test_a_change_is_kept_and_told_to_ones_own_connections(stage):
    ana, ben = await stage.people("ana", "ben")
    await stage.shared_room(ana, ben)
    elsewhere = await stage.again(ana)
    expected = dict(DEFAULTS)
    async with nothing_told(ben):
        for changes in CHANGES:
            expected |= changes
            assert await settings(ana, **changes) == expected
            for client in (ana, elsewhere):
                assert (await client.expect("self"))["settings"] == expected
                await client.nothing("self")
            assert await settings(elsewhere) == expected


@run
async def test_what_is_null_stays(stage):
    ana = await stage.person()
    expected = await settings(ana, dm_policy="nobody", receipts=False, dnd_schedule=[PERIOD])
    changed = await settings(ana, dm_policy=None, receipts=None, dnd_schedule=None, typing=False)
    assert changed == expected | {"typing": False}


@run
async def test_a_zero_ends_not_wanting_to_be_disturbed(stage):
    ana = await stage.person()
    assert (await settings(ana, dnd_until_ts=2**53 - 1))["dnd_until_ts"] == 2**53 - 1
    assert await settings(ana, dnd_until_ts=0) == DEFAULTS


@run
async def test_lists_are_kept_without_repetition_in_the_order_given(stage):
    ana = await stage.person()
    mute = {"types": ["b", "a", "b"], "users": ["z", "y", "z", "y"], "channels": ["q", "p", "q"]}
    kept = (await settings(ana, mute=mute))["mute"]
    assert kept == {"types": ["b", "a"], "users": ["z", "y"], "channels": ["q", "p"]}


@run
async def test_the_largest_settings_fit(stage):
    ana = await stage.person()
    everything = {
        "dnd_schedule": [
            PERIOD | {"tz": f"Etc/GMT+{index // 10}", "from": f"22:{index % 60:02}"}
            for index in range(100)],
        "mute": {key: [f"{key}-{index}" for index in range(100)]
                 for key in ("types", "users", "channels")}}
    assert everything.items() <= (await settings(ana, **everything)).items()


@pytest.mark.parametrize("kind", ["group", "public", "broadcast"])
@run
async def test_a_channel_muted_by_a_list_is_muted(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    channel = await stage.room(ana, ben, kind=kind)
    for muted in (True, False):
        channels = [channel] if muted else []
        await settings(ben, mute={"types": [], "users": [], "channels": channels})
        assert (await summary_of(ben, channel))["muted"] is muted
    assert (await summary_of(ana, channel))["muted"] is False


@run
async def test_what_a_list_mutes_is_not_in_the_total(stage):
    ana, ben = await stage.people("ana", "ben")
    muted, loud = await stage.room(ana, ben), await stage.room(ana, ben)
    await fill(ana, muted, 3)
    await expect_unread(ben, muted, 3)
    await settings(ben, mute={"types": [], "users": [], "channels": [muted]})
    await fill(ana, loud, 1)
    assert (await ben.expect("unread", channel=loud, unread=1))["total"] == 1


@run
async def test_changes_from_two_devices_at_once_leave_one_truth(stage, rng):
    ana = await stage.person()
    devices = [ana, await stage.again(ana), await stage.again(ana)]
    await asyncio.gather(*(
        settings(device, **rng.choice(CHANGES)) for _ in range(20) for device in devices))
    final = await settings(ana)
    for device in devices:
        await device.ping()
        told = device.events("self")
        assert told[-1]["settings"] == final
