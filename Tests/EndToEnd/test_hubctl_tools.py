"""hubctl as the operator's tool: load tests with thresholds, and snapshots on disk."""

import json
import pathlib
import subprocess

import pytest
from hub import CRASHES, DEADLINE, binary, environment, running_hub

SMALL = ("--connections", "20", "--seconds", "0.3", "--connect-rate", "500", "--json")


def tool(*arguments, expecting=0):
    """Runs hubctl to its end; its standard output and standard error."""
    done = subprocess.run(
        [binary("hubctl"), *arguments], env=environment(), capture_output=True, text=True,
        timeout=DEADLINE * 2, check=False)
    assert not any(word in done.stderr for word in CRASHES), done.stderr
    assert done.returncode == expecting, (done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


def answer(*arguments):
    return json.loads(tool(*arguments)[0])


@pytest.mark.parametrize(
    ("scenario", "more"),
    [
        ("fanout", ("--window", "4")),
        ("fanout", ("--rate", "200", "--joined")),
        ("rooms", ("--room-size", "5", "--window", "8")),
        ("idle", ("--staged",)),
    ])
def test_a_load_test_delivers_all_of_it_in_order(scenario, more):
    with running_hub() as hub:
        report = answer(
            "bench", scenario, *SMALL, *more, "--url", hub.url, "--server-pid",
            str(hub.process.pid))
    counts = report["counts"]
    assert report["scenario"] == scenario and report["failures"] == []
    assert counts["delivered"] == counts["expected"] >= (0 if scenario == "idle" else 1)
    wrong = ("duplicates", "corrupt", "misrouted", "gap_events")
    assert [counts[name] for name in wrong] == [0] * len(wrong) and report["missing"] == 0


def test_a_missed_threshold_is_exit_1_and_named():
    with running_hub() as hub:
        said = tool(
            "bench", "fanout", *SMALL, "--url", hub.url, "--min-deliveries-per-s", "1e12",
            expecting=1)
    assert "min-deliveries-per-s" in said[0] + said[1]


def test_refused_messages_fail_the_run():
    with running_hub({"rate-limit": 5}) as hub:
        tool("bench", "fanout", *SMALL, "--rate", "200", "--url", hub.url, expecting=1)


def test_a_snapshot_is_taken_looked_at_and_checked(tmp_path):
    with running_hub() as hub:
        at = ("--url", hub.url, "--token")
        tool("send", "room", "hello", "--create", *at, "dev:ana")
        _, said = tool("snapshot", "take", *at, "dev:ana", expecting=1)
        assert "admin" in said
        taken = answer("snapshot", "take", *at, "dev-admin:root")
        assert sorted(taken) == ["bytes", "file", "lsn", "took_ms"]
        seen = answer("snapshot", "inspect", "--json", taken["file"])
        assert (seen["bytes"], seen["lsn"]) == (taken["bytes"], taken["lsn"])
        checked = answer("snapshot", "verify", "--json", taken["file"])
        assert (checked["users"], checked["channels"]) == (2, 1)
        content = bytearray(pathlib.Path(taken["file"]).read_bytes())
    content[len(content) // 2] ^= 1
    damaged = tmp_path / "damaged"
    damaged.write_bytes(content)
    _, said = tool("snapshot", "verify", str(damaged), expecting=1)
    assert "damaged at byte" in said and str(damaged) in said
