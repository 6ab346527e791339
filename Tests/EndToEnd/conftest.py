"""Fixtures: one hub for each module, and a seed that every failure shows.

Needs Python 3.11 with pytest, websockets and jsonschema. HUB_BIN_DIR says where the programs are,
HUB_TEST_SEED repeats a random test. Only lines marked `# clock:` wait for time to pass."""

import os
import random

import pytest

import hub as programs
from stage import Stage

SEED = int(os.environ.get("HUB_TEST_SEED") or random.SystemRandom().randrange(2**32))


def pytest_report_header():
    return f"HUB_TEST_SEED={SEED}, binaries in {programs.BINARIES}"


def pytest_configure(config):
    if config.option.tbstyle == "auto":
        config.option.tbstyle = "short"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    """Shows with every failure the seed and the last words of the server."""
    outcome = yield
    report = outcome.get_result()
    if report.failed:
        report.sections.append(("seed", f"run again with HUB_TEST_SEED={SEED}"))
        server = item.funcargs.get("hub") or item.funcargs.get("echo")
        if server:
            report.sections.append(("server's standard error", server.stderr()[-2000:]))


@pytest.fixture(scope="module")
def hub(request):
    """The module's hub; a module may set HUB_FLAGS."""
    with programs.running_hub(getattr(request.module, "HUB_FLAGS", None)) as server:
        yield server


@pytest.fixture
def stage(hub):
    return Stage(hub)


@pytest.fixture
def rng(request):
    """Random numbers of this test's own, the same for the same seed."""
    return random.Random(f"{SEED}:{request.node.name}")
