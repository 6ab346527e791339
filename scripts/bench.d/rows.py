"""What is measured."""

from dataclasses import dataclass

from programs import Programs

CONNECTIONS, BYTES = 1_000, 128
FLOOR_HEADER = 4
"""Bytes in front of a payload of 126 to 65,535: what floor's frames have beside it."""


@dataclass(frozen=True)
class Fanout:
    """The hub beside floor: CPU of the server per delivery, in a closed loop."""

    title: str
    channels: int
    window: int
    target: float
    joined: bool = False


FANOUT = {
    "window-1": Fanout("1,000 in 1 channel, 1 in flight", 1, 1, target=1.5),
    "window-8": Fanout("1,000 in 1 channel, 8 in flight", 1, 8, target=2.0),
    "rooms": Fanout("100 rooms of 10, 64 in flight", 100, 64, target=1.6),
    "joined": Fanout("1,000 members in 1 channel, 1 in flight", 1, 1, target=1.7, joined=True),
}
IDLE_TARGET_KB = 8


@dataclass(frozen=True)
class FanoutResult:
    hub: dict
    floor: dict

    @property
    def ratio(self) -> float:
        key = "server_cpu_us_per_delivery"
        return self.hub[key] / self.floor[key]


@dataclass(frozen=True)
class IdleResult:
    kb: float
    stages: dict[str, float]


def measure_fanout(programs: Programs, row: Fanout, seconds: float) -> FanoutResult:
    load = f"--conns {CONNECTIONS} --channels {row.channels} --window {row.window}".split()
    load += ["--seconds", str(seconds)]
    with programs.hub() as server:
        hub = programs.fanload(server, *load, "--bytes", str(BYTES), *_hub_messages(row))
    with programs.floor() as server:
        payload = round(hub["frame_bytes_per_delivery"]) - FLOOR_HEADER
        publish = ["--open", "SUB room:%c", "--pub", "PUB room:%c %p"]
        floor = programs.fanload(server, *load, "--bytes", str(payload), *publish)
    return FanoutResult(hub, floor)


def _hub_messages(row: Fanout) -> list[str]:
    hello = '{"id":1,"op":"hello","token":"dev:%s"}'
    join = ["--open", '{"id":2,"op":"channel.join","channel":"room:%c"}'] if row.joined else []
    return [
        *("--path", "/v1/ws", "--pub-open", hello % "publisher"),
        *("--setup", '{"id":2,"op":"channel.create","channel":"room:%c","kind":"public"}'),
        *("--open", hello % "u%i", *join),
        *("--open", '{"id":3,"op":"subscribe","channel":"room:%c"}'),
        *("--pub", '{"id":9,"op":"message.send","channel":"room:%c","text":"%p"}'),
    ]


def measure_idle(programs: Programs, connections: int) -> IdleResult:
    """One hub for the figure itself, and one where every stage is reached by all at once."""
    options = f"--connections {connections} --connect-rate 5000 --seconds 1".split()
    with programs.hub() as server:
        plain = programs.hubctl_bench(server, "idle", *options)
    with programs.hub() as server:
        staged = programs.hubctl_bench(server, "idle", "--staged", *options)
    stages = {stage["name"]: stage["kb_per_connection"] for stage in staged["stages"]}
    return IdleResult(plain["kb_per_connection"], stages)


SENDERS = 64
STORAGE_COSTS = (
    ("log", 20),
    ("replay", 1_000_000),
    ("start", 100_000),
    ("page", 1_000_000),
    ("inboxes", 100_000),
)
ROOM_MESSAGES = "--connections 200 --room-size 10 --rate 500".split()


@dataclass(frozen=True)
class NotifyResult:
    """Messages in rooms at a fixed rate, alone and while everybody is being notified."""

    quiet: dict
    busy: dict
    notifier: dict


def measure_notify(programs: Programs, seconds: float) -> NotifyResult:
    load = ["rooms", *ROOM_MESSAGES, "--seconds", str(seconds)]
    with programs.hub("commit") as server:
        quiet = programs.hubctl_bench(server, *load)
        with programs.notifier(server, seconds + 2) as finish:
            busy = programs.hubctl_bench(server, *load)
            return NotifyResult(quiet, busy, finish())


@dataclass(frozen=True)
class StorageResult:
    """64 senders, each with one message under way in a room of its own."""

    commit: dict
    none: dict

    @property
    def ratio(self) -> float:
        return self.commit["deliveries_per_s"] / self.none["deliveries_per_s"]


def measure_storage(programs: Programs, seconds: float) -> StorageResult:
    load = f"--conns {SENDERS} --channels {SENDERS} --window {SENDERS}".split()
    load += ["--seconds", str(seconds), "--bytes", str(BYTES)]
    found = {}
    for durability in ("none", "commit"):
        with programs.hub(durability) as server:
            found[durability] = programs.fanload(
                server, *load, *_hub_messages(FANOUT["rooms"]))
    return StorageResult(found["commit"], found["none"])


def measure_storage_costs(programs: Programs) -> str:
    return "".join(programs.storage_cost(part, str(size)) for part, size in STORAGE_COSTS)
