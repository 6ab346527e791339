"""Starts and stops the servers and runs the clients, each on its core."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

SERVER_CORE, CLIENT_CORE = 0, 1
DEADLINE = 120.0
"""Seconds that a client may take beyond its measurement; it says that something hangs."""


class Failed(Exception):
    """Something did not run, or did not deliver."""


@dataclass(frozen=True)
class Server:
    pid: int
    port: int


@dataclass(frozen=True)
class Programs:
    """`hub` and `hubctl` in one directory, `fanload` and `floor` in the other, and the Python that
    has `websockets`."""

    built: Path
    tools: Path
    python: Path

    @contextlib.contextmanager
    def hub(self, durability: str = "none"):
        options = f"--dev --loops 1 --rate-limit off --durability {durability} --port 0".split()
        with tempfile.TemporaryDirectory() as data, tempfile.TemporaryFile() as errors:
            command = [str(self.built / "hub"), "serve", *options, "--data-dir", data]
            process = _start(command, stdout=subprocess.PIPE, stderr=errors, text=True)
            with _stopping(process):
                line = process.stdout.readline()
                found = re.search(r":(\d+)$", line.strip())
                if not found:
                    errors.seek(0)
                    raise Failed(f"the hub did not start: {line}{errors.read().decode()}")
                yield Server(process.pid, int(found[1]))

    @contextlib.contextmanager
    def floor(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = _start([str(self.tools / "floor"), str(port)])
        with _stopping(process):
            _await_port(port)
            yield Server(process.pid, port)

    def fanload(self, server: Server, *options: str) -> dict:
        where = ["--port", str(server.port), "--pid", str(server.pid)]
        found = _measure([str(self.tools / "fanload"), *where, *options])
        if found["errors"] or found["closed"]:
            raise Failed(f"{found['errors']} errors and {found['closed']} closes: {found}")
        return found

    def hubctl_bench(self, server: Server, *options: str) -> dict:
        url = f"ws://127.0.0.1:{server.port}"
        where = ["--url", url, "--server-pid", str(server.pid), "--json"]
        return _measure([str(self.built / "hubctl"), "bench", *options, *where])

    @contextlib.contextmanager
    def notifier(self, server: Server, seconds: float):
        """A bot that is ready to notify, and how to let it: that answers what it has to say."""
        script = Path(__file__).with_name("notifier.py")
        command = [str(self.python), str(script), f"ws://127.0.0.1:{server.port}", str(seconds)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with _start(command, CLIENT_CORE, **pipes) as process:
            if process.stdout.readline() != "ready\n":
                raise Failed("the bot that notifies did not start")
            process.stdin.write("go\n")
            process.stdin.flush()
            yield lambda: json.loads(process.communicate(timeout=DEADLINE)[0])

    def storage_cost(self, *options: str) -> str:
        """What the program says of itself, on both cores."""
        command = [str(self.built / "storage-cost"), *options]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _start(command: list[str], core: int = SERVER_CORE, **options) -> subprocess.Popen:
    return subprocess.Popen(["taskset", "-c", str(core), *command], **options)


@contextlib.contextmanager
def _stopping(process: subprocess.Popen):
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(35)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await_port(port: int):
    for _ in range(200):
        with contextlib.suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        time.sleep(0.02)
    raise Failed(f"nothing listens on port {port}")


def _measure(command: list[str]) -> dict:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = _start(command, CLIENT_CORE, **pipes)
    try:
        out, errors = process.communicate(timeout=DEADLINE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise Failed(f"{command[0]} did not end in time") from None
    if process.returncode != 0:
        raise Failed(f"{command[0]} failed ({process.returncode}): {out}{errors}")
    return json.loads(out)
