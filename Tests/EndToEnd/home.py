"""A data directory that several hubs use, one after the other."""

import asyncio
import os
import re
import signal
import subprocess
import threading

import pytest

from client import Client
from hub import CRASHES, DEADLINE, STOP_DEADLINE, Server, binary, environment, run_hub
from stage import say

ANNOUNCEMENT = r"hub listening on http://127\.0\.0\.1:(\d+)"
DEV = ["--dev", "--port=0", "--durability=none", "--rate-limit=off"]


class Attempt(Server):
    """A hub that may refuse to start: it has no port then, and has ended."""

    def _announced_port(self, announcement):
        watchdog = threading.Timer(STOP_DEADLINE, self.process.kill)
        watchdog.start()
        line = self.process.stdout.readline().decode().rstrip("\n")
        found = re.fullmatch(announcement, line)
        if not found:
            rest, _ = self.process.communicate()
            assert line == "" and rest == b"", (line, rest)
        watchdog.cancel()
        return int(found.group(1)) if found else None

    def said(self):
        """What it logged, with paths as they are."""
        return self.stderr().replace("\\/", "/")


class Home:
    """A data directory, and the hubs that were started on it one after the other."""

    def __init__(self, path):
        self.path = path
        self.flags = list(DEV)
        self.hubs = []

    def command(self, flags):
        return [binary("hub"), "serve", *self.flags, f"--data-dir={self.path}", *flags]

    def start(self, *flags):
        self.hubs.append(Server(self.command(flags), ANNOUNCEMENT))
        return self.hubs[-1]

    def attempt(self, *flags):
        """Starts a hub that may refuse."""
        self.hubs.append(Attempt(self.command(flags), ANNOUNCEMENT))
        return self.hubs[-1]

    def interrupt(self, seconds, *flags):
        """Starts a hub and kills it so much later, whether it serves by then or not."""
        process = subprocess.Popen(
            self.command(flags), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=environment())
        try:
            process.wait(seconds)  # clock: the kill is to fall into the start
        except subprocess.TimeoutExpired:
            process.kill()
        said = process.communicate()[1].decode(errors="replace")
        assert process.returncode == -signal.SIGKILL, said[-4000:]

    def refuses(self, *flags):
        """Starts a hub that must not start; what it says, and the files as they were."""
        before = self.snapshots()
        finished = run_hub(*self.flags, f"--data-dir={self.path}", *flags)
        assert finished.returncode == 78, finished.stderr
        assert finished.stdout == "" and not any(word in finished.stderr for word in CRASHES)
        assert self.snapshots() == before
        return finished.stderr.replace("\\/", "/")

    def snapshots(self):
        return sorted(name for name in os.listdir(self.path) if name.startswith("snapshot-"))

    def file(self, name):
        return self.path / name

    def damage(self, name):
        """Flips a bit in the middle of a file."""
        data = bytearray(self.file(name).read_bytes())
        data[len(data) // 2] ^= 1
        self.file(name).write_bytes(data)


@pytest.fixture(name="home")
def home_fixture(tmp_path):
    """A data directory of the test's own."""
    home = Home(tmp_path / "data")
    yield home
    for server in home.hubs:
        if server.process.poll() is None:
            server.kill()
        assert not any(word in server.stderr() for word in CRASHES), server.stderr()[-4000:]


async def signed_in(server, token, check=True):
    client = await Client.connect(server, check=check)
    await client.hello(token)
    return client


async def snapshot(admin):
    return await admin.request("admin.snapshot")


async def until(client, condition):
    """Asks the hub, which lets time pass, until something outside the connection has happened."""
    async with asyncio.timeout(DEADLINE):
        while not condition():
            await client.ping()


async def stop(server):
    """Stops a hub in order; meanwhile its clients here read on."""
    await asyncio.to_thread(server.stop)


async def room_with(server, *texts, kind="public", name="room"):
    owner = await signed_in(server, "dev:owner")
    await owner.request("channel.create", channel=name, kind=kind)
    await say(owner, name, *texts)
    return owner
