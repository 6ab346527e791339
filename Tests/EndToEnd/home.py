"""A data directory that several hubs use, one after the other."""

import asyncio
import os

import pytest

from client import Client
from hub import CRASHES, DEADLINE, Server, binary, run_hub
from stage import say

ANNOUNCEMENT = r"hub listening on http://127\.0\.0\.1:(\d+)"
DEV = ["--dev", "--port=0", "--durability=none", "--rate-limit=off"]


class Home:
    """A data directory, and the hubs that were started on it one after the other."""

    def __init__(self, path):
        self.path = path
        self.hubs = []

    def start(self, *flags):
        command = [binary("hub"), "serve", *DEV, f"--data-dir={self.path}", *flags]
        self.hubs.append(Server(command, ANNOUNCEMENT))
        return self.hubs[-1]

    def refuses(self, *flags):
        """Starts a hub that must not start; what it says, and the files as they were."""
        before = self.snapshots()
        finished = run_hub(*DEV, f"--data-dir={self.path}", *flags)
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
