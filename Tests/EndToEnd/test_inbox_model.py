"""Inbox: whatever publishers and a reader do in whatever order, what is listed, counted and told
is exactly what a plain model says. HUB_SOAK_INBOX is a number of steps, for more."""

import asyncio
import os

import pytest

from archive import LITTLE_MEMORY, reopened
from home import home_fixture, signed_in  # the fixture is `home`
from inbox_play import Play
from inboxes import Copy
from stage import run

HUB_FLAGS = {"durability": "none"}
STEPS = int(os.environ.get("HUB_SOAK_INBOX", 300))
DEVICES = 3


@pytest.mark.timeout(60 + STEPS)
@run
async def test_an_inbox_is_what_a_plain_model_says(stage, rng):
    bots, ana = [await stage.bot(), await stage.bot()], await stage.person()
    devices = [ana] + [await stage.again(ana) for _ in range(DEVICES - 1)]
    play = Play(bots, [await Copy.of(device) for device in devices], rng)
    await play.play(STEPS)


async def connections(server):
    """Two bots, and the devices of ana."""
    bots = [await signed_in(server, f"dev-bot:{name}", check=False) for name in ("one", "other")]
    return bots, [await signed_in(server, "dev:ana", check=False) for _ in range(DEVICES)]


@pytest.mark.timeout(60 + STEPS)
@run
async def test_an_inbox_is_what_a_plain_model_says_over_the_end_of_hubs(home, rng):
    flags = [*LITTLE_MEMORY, "--snapshot-interval=1s"]
    bots, devices = await connections(await asyncio.to_thread(home.start, *flags))
    play = Play(bots, [await Copy.of(device) for device in devices], rng)

    async def end_a_hub(number):
        if rng.random() < 0.05:
            await play.let_expire(margin=2**53)
            play.happened.append(rng.choice(["stop", "kill"]))
            server = await reopened(home, play.happened[-1], *flags[2:])
            await play.go_on(*await connections(server))

    await play.play(STEPS // 2, end_a_hub)
