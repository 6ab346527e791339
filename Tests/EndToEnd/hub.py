"""Starts and stops the programs under test."""

import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import threading

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("HUB_BIN_DIR", REPOSITORY / ".build" / "release"))

# Generous: a deadline says that something never came, not how fast it is.
DEADLINE = 10.0
STOP_DEADLINE = 35.0

CRASHES = ("Fatal error", "Illegal instruction", "Segmentation fault", "Thread 0 crashed",
           "Program crashed", "Precondition failed")


def binary(name):
    """The path of a program; fails with a sentence when it was not built."""
    path = BINARIES / name
    assert path.exists(), f"{path} is missing: build first, or set HUB_BIN_DIR"
    return str(path)


def environment(extra=None):
    """The environment of a child: ours without HUB_ settings that would change its behaviour."""
    ours = {key: value for key, value in os.environ.items() if not key.startswith("HUB_")}
    return ours | (extra or {})


def run_hub(*arguments, env=None):
    """Runs `hub serve` where it is expected to refuse; returns the finished process."""
    return subprocess.run(
        [binary("hub"), "serve", *arguments], env=environment(env), cwd=tempfile.gettempdir(),
        capture_output=True, text=True, timeout=STOP_DEADLINE)


class Server:
    """One running server program: its process, its address, and what it wrote."""

    def __init__(self, command, announcement, env=None):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.errors, env=environment(env),
            cwd=tempfile.gettempdir())
        try:
            self.port = self._announced_port(announcement)
        except BaseException:
            self.kill()
            raise

    def _announced_port(self, announcement):
        # A pipe cannot be read with a deadline; ending the process ends the read.
        watchdog = threading.Timer(DEADLINE, self.process.kill)
        watchdog.start()
        line = self.process.stdout.readline().decode().rstrip("\n")
        watchdog.cancel()
        found = re.fullmatch(announcement, line)
        assert found, f"expected {announcement!r}, got {line!r}; stderr: {self.stderr()}"
        return int(found.group(1))

    @property
    def http(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.port}"

    def stderr(self):
        # Not by seek and read: the child shares the file's position and writes there.
        size = os.fstat(self.errors.fileno()).st_size
        return os.pread(self.errors.fileno(), size, 0).decode(errors="replace")

    def assert_alive(self):
        assert self.process.poll() is None, f"the server is gone: {self.stderr()[-4000:]}"

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024

    def stop(self, by=signal.SIGTERM):
        """Asks the server to stop; it must exit 0, unharmed, having printed one line only."""
        self.assert_alive()
        self.process.send_signal(by)
        rest, _ = self.process.communicate(timeout=STOP_DEADLINE)
        stderr = self.stderr()
        assert self.process.returncode == 0, f"exit {self.process.returncode}: {stderr[-4000:]}"
        assert not any(word in stderr for word in CRASHES), stderr[-4000:]
        assert rest == b"", f"more than one line on standard output: {rest!r}"

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@contextlib.contextmanager
def _stopped_at_the_end(server):
    try:
        yield server
        if server.process.poll() is None or server.process.returncode != 0:
            server.stop()
    finally:
        server.kill()


@contextlib.contextmanager
def running_hub(flags=None, env=None):
    """A hub on a free port with its own data directory. `flags` maps names to values; a value of
    True is a flag without argument, None removes a default."""
    with tempfile.TemporaryDirectory(prefix="hub-") as directory:
        settings = {"dev": True, "port": 0, "rate-limit": "off",
                    "data-dir": os.path.join(directory, "data")} | (flags or {})
        command = [binary("hub"), "serve"]
        for name, value in settings.items():
            if value is not None:
                command += [f"--{name}"] if value is True else [f"--{name}", str(value)]
        server = Server(command, r"hub listening on http://127\.0\.0\.1:(\d+)", env)
        with _stopped_at_the_end(server):
            yield server


@contextlib.contextmanager
def running_echo():
    command = [binary("websocket-echo"), "--port", "0"]
    server = Server(command, r"listening on ws://127\.0\.0\.1:(\d+)")
    try:
        yield server
        server.assert_alive()
    finally:
        server.kill()


@contextlib.contextmanager
def taken_port():
    """A port on which something else listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]
