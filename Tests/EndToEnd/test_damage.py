"""Whatever happens to a file of a data directory: a hub that starts on it shows what was there, or
it refuses and names the file, or it says that old history is gone. Never silently less.

HUB_SOAK_DAMAGE is how often each file of each directory is damaged."""

import asyncio
import os

import pytest

from survey import differences, survey
from wreck import COMMIT, USERS, Damage, make, outcome

TIMES = int(os.environ.get("HUB_SOAK_DAMAGE", 2))
HEADER = 64


def places(scene, name, rng):
    """Where to flip bits: in the head, anywhere, and about the end of what was written."""
    size, end = scene.files()[name], scene.end_of(name)
    while True:
        yield rng.randrange(end)
        yield rng.randrange(min(HEADER, size))
        yield max(0, end - 1 - rng.randrange(600))
        yield min(size - 1, end + rng.randrange(600))


def lengths(scene, name, rng):
    size, end = scene.files()[name], scene.end_of(name)
    while True:
        yield rng.randrange(size)
        yield from {0, 1, HEADER // 2, max(0, end - 1 - rng.randrange(200)), size - 1}


def damages(scene, name, rng):
    """Damage to one file, without end: flipped mostly, truncated, once deleted."""
    if not scene.files()[name]:
        yield Damage.lost(name)
        return
    flips, cuts = places(scene, name, rng), lengths(scene, name, rng)
    once = [Damage.lost(name), Damage.cut(scene, name, 0)]
    rng.shuffle(once)
    while True:
        yield Damage.flip(scene, name, next(flips), rng.randrange(8))
        yield once.pop() if once else Damage.cut(scene, name, next(cuts))


def some(endless, count):
    return [each for each, _ in zip(endless, range(count), strict=False)]


async def try_all(scene, found, work):
    """The outcomes of one damage after the other; fails in the end with all that went wrong."""
    outcomes, wrong = {}, []
    for damage in found:
        try:
            outcomes[str(damage)] = await outcome(scene, damage, work)
        except AssertionError as failure:
            wrong.append(str(failure)[:1500])
    assert not wrong, f"{len(wrong)} of {len(found)}:\n" + "\n---\n".join(wrong)
    return outcomes


@pytest.mark.timeout(120 + 40 * TIMES)
@pytest.mark.parametrize("end", ["killed", "stopped"])
def test_damage_to_any_file_costs_nothing_or_is_told(tmp_path, rng, end):
    async def play():
        scene = await make(tmp_path, rng, end)
        found = [damage for name in scene.files()
                 for damage in some(damages(scene, name, rng), TIMES)]
        rng.shuffle(found)
        outcomes = await try_all(scene, found, tmp_path / "work")
        assert {"same", "refused"} <= set(outcomes.values()), outcomes

    asyncio.run(play())


@pytest.mark.timeout(120 + 40 * TIMES)
def test_a_flip_in_the_last_record_of_a_killed_hub_is_no_interrupted_write(tmp_path, rng):
    async def play():
        scene = await make(tmp_path, rng, "killed")
        name = scene.segments()[-1]
        end = scene.end_of(name)
        found = [Damage.flip(scene, name, end - rng.randrange(1, 50), rng.randrange(8))
                 for _ in range(3 * TIMES)]
        await try_all(scene, found, tmp_path / "work")

    asyncio.run(play())


@pytest.mark.timeout(120 + 40 * TIMES)
def test_what_history_has_cannot_be_missing_in_the_journal_unnoticed(tmp_path, rng):
    async def play():
        scene = await make(tmp_path, rng, "asked")
        name = scene.segments()[-1]
        end, data = scene.end_of(name), (scene.path / name).read_bytes()
        found = []
        for count in [1, *(rng.randrange(1, 2000) for _ in range(TIMES))]:
            zeros = data[:end - count] + bytes(len(data) - end + count)
            found.append(Damage(name, f"without its last {count} bytes", zeros, named="journal"))
        await try_all(scene, found, tmp_path / "work")

    asyncio.run(play())


@pytest.mark.timeout(120)
def test_damage_to_what_is_not_needed_is_told_and_costs_nothing(tmp_path, rng):
    async def play():
        scene = await make(tmp_path, rng, "stopped")
        newest = max(name for name in scene.files() if name.startswith("snapshot"))
        for name in (scene.segments()[0], newest):
            damage = Damage.flip(scene, name, rng.randrange(HEADER, scene.end_of(name)))
            home = scene.copy(tmp_path / "work")
            damage.inflict(home.path)
            server = await asyncio.to_thread(home.attempt, COMMIT)
            try:
                assert server.port and str(home.path / name) in server.said(), server.said()
                assert differences(scene.seen, await survey(server, USERS)) == []
            finally:
                server.kill()

    asyncio.run(play())
