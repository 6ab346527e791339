"""How the hub is started, and how it refuses to start."""

import contextlib
import http.client
import os
import signal
import urllib.parse

import pytest

from hub import CRASHES, DEADLINE, STOP_DEADLINE, run_hub, running_hub, taken_port
from wire import signed_in

BAD_CONFIGURATION = 78
PORT_IN_USE = 69


def said(finished):
    """What was written to standard error, however keys are spelled and slashes escaped."""
    assert not any(word in finished.stderr for word in CRASHES), finished.stderr
    return finished.stderr.lower().replace("_", "-").replace("\\/", "/")


def assert_refused(finished, status, *words):
    """A refusal has its status, says nothing on standard output, and tells why."""
    assert finished.returncode == status, finished.stderr
    assert finished.stdout == ""
    assert all(word in said(finished) for word in words), finished.stderr


def named(path):
    """A path as `said` spells it."""
    return str(path).lower().replace("_", "-")


def is_healthy(hub):
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=DEADLINE)
    connection.request("GET", "/healthz")
    status = connection.getresponse().status
    connection.close()
    return status == 200


@pytest.fixture
def data_dir(tmp_path):
    return f"--data-dir={tmp_path / 'data'}"


DEV = ["--dev", "--port=0"]


@pytest.mark.parametrize("wrong, words", [
    (["--port=99999"], ["port"]),
    (["--port=many"], ["port"]),
    (["--durability=sometimes"], ["durability"]),
    (["--rate-limit=many"], ["rate-limit"]),
    (["--rate-limit=0"], ["rate-limit"]),
    (["--loops=0"], ["loops"]),
    (["--loops=some"], ["loops"]),
    (["--window-memory=lots"], ["window-memory"]),
    (["--snapshot-interval=soon"], ["snapshot-interval"]),
    (["--host=0.0.0.0"], ["dev", "0.0.0.0"]),
    (["--host=192.168.1.7"], ["dev"]),
    (["--config=/no/such/file.yaml"], ["/no/such/file.yaml"]),
], ids=str)
def test_a_bad_setting_exits_78_and_is_named(data_dir, wrong, words):
    replaced = {each.split("=")[0] for each in wrong}
    kept = [each for each in DEV if each.split("=")[0] not in replaced]
    assert_refused(run_hub(*kept, *wrong, data_dir), BAD_CONFIGURATION, *words)


def test_every_problem_is_named_at_once(data_dir):
    finished = run_hub("--dev", data_dir, "--port=99999", "--durability=sometimes",
                       "--rate-limit=many", "--loops=0", "--window-memory=lots")
    assert_refused(finished, BAD_CONFIGURATION,
                   "port", "durability", "rate-limit", "loops", "window-memory")


def test_without_dev_a_way_to_verify_tokens_is_required(data_dir):
    finished = run_hub("--port=0", data_dir)
    assert_refused(finished, BAD_CONFIGURATION, "token")


def test_a_port_in_use_exits_69(data_dir):
    with taken_port() as port:
        finished = run_hub("--dev", f"--port={port}", data_dir)
    assert_refused(finished, PORT_IN_USE, str(port))


def test_a_second_hub_on_the_same_data_refuses(tmp_path):
    directory = str(tmp_path / "data")
    with running_hub({"data-dir": directory}) as first:
        second = run_hub(*DEV, f"--data-dir={directory}")
        assert second.returncode != 0 and second.stdout == ""
        assert named(directory) in said(second) and len(said(second).split()) > 3
        assert is_healthy(first)
    with running_hub({"data-dir": directory}) as third:
        assert is_healthy(third)


def test_the_data_directory_is_created(tmp_path):
    directory = tmp_path / "deep" / "er"
    directory.parent.mkdir()
    with running_hub({"data-dir": directory}):
        assert directory.is_dir()


def test_a_data_directory_that_cannot_be_made_is_explained(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    finished = run_hub(*DEV, f"--data-dir={blocked / 'data'}")
    assert finished.returncode > 0 and finished.stdout == ""
    assert named(blocked) in said(finished)


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_hub_with_0_while_people_are_connected(by):
    with running_hub() as hub, signed_in(hub.port, "ana") as wire:
        hub.process.send_signal(by)
        with contextlib.suppress(EOFError, ConnectionError):
            assert wire.close_code() in (1001, 4430)
        assert hub.process.wait(STOP_DEADLINE) == 0
        assert hub.process.stdout.read() == b""


def settings_from(tmp_path, source, settings):
    """The flags and environment that bring settings in by one of the ways."""
    removed = {name: None for name in settings}
    if source == "environment":
        return removed, {f"HUB_{name.upper().replace('-', '_')}": value
                         for name, value in settings.items()}
    path = tmp_path / "hub.yaml"
    path.write_text("".join(f"{name}: {value}\n" for name, value in settings.items()))
    return removed | {"config": str(path)}, {}


@pytest.mark.parametrize("source", ["environment", "file"])
def test_settings_may_come_from_elsewhere(tmp_path, source):
    flags, env = settings_from(tmp_path, source, {
        "port": "0", "host": "127.0.0.1", "dev": "true", "durability": "interval",
        "data-dir": str(tmp_path / "elsewhere")})
    with running_hub(flags, env) as hub:
        assert is_healthy(hub)
        assert os.path.isdir(tmp_path / "elsewhere")


@pytest.mark.parametrize("source", ["environment", "file"])
def test_bad_settings_from_elsewhere_exit_78_too(tmp_path, data_dir, source):
    flags, env = settings_from(tmp_path, source, {"port": "99999", "durability": "sometimes"})
    given = [f"--{name}={value}" for name, value in flags.items() if value is not None]
    finished = run_hub("--dev", data_dir, *given, env=env)
    assert_refused(finished, BAD_CONFIGURATION, "port", "durability")


def test_a_flag_wins_over_the_environment_and_that_over_the_file(tmp_path):
    path = tmp_path / "hub.yaml"
    path.write_text("durability: sometimes\nport: 99999\n")
    env = {"HUB_DURABILITY": "sometimes", "HUB_PORT": "0"}
    with running_hub({"config": path, "port": None, "durability": "commit"}, env) as hub:
        assert urllib.parse.urlparse(hub.http).port not in (0, 99999)
        assert is_healthy(hub)


def test_help_names_every_flag():
    finished = run_hub("--help")
    assert finished.returncode == 0
    for flag in ("host", "port", "data-dir", "dev", "durability", "loops", "window-memory",
                 "rate-limit", "config", "accept-data-loss", "snapshot-interval", "retention",
                 "retention-interval"):
        assert f"--{flag}" in finished.stdout
