"""Measures and prints Markdown; started by scripts/bench."""

import argparse
import os
import sys
from pathlib import Path

import tables
from programs import CLIENT_CORE, SERVER_CORE, Failed, Programs
from rows import (
    FANOUT,
    FanoutResult,
    IdleResult,
    NotifyResult,
    StorageResult,
    measure_fanout,
    measure_idle,
    measure_notify,
    measure_storage,
    measure_storage_costs,
)

IDLE = "idle"
NOTIFY = "notify"
STORAGE = "storage"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    names = [*FANOUT, IDLE, NOTIFY, STORAGE]
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"{', '.join(names)}; default: all")
    parser.add_argument("--programs", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--tools", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--python", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3, help="of each fan-out measurement")
    parser.add_argument("--idle-connections", type=int, default=10_000)
    parser.add_argument("--storage-seconds", type=float, default=60, help="of each durability")
    given = parser.parse_args()
    if unknown := [row for row in given.rows if row not in names]:
        parser.error(f"no row is called {unknown[0]}; there are {', '.join(names)}")
    if given.rounds < 1:
        parser.error("ROUNDS must be at least 1")
    given.rows = given.rows or names
    return given


def say(sentence: str):
    print(sentence, file=sys.stderr, flush=True)


def main() -> int:
    given = arguments()
    if not {SERVER_CORE, CLIENT_CORE} <= os.sched_getaffinity(0):
        say("Two cores are needed: the server runs on one, its clients on the other.")
        return 69
    if (load := os.getloadavg()[0]) > 0.5:
        say(f"The load average is {load:.1f}: something else runs, the numbers will be noisy.")
    programs = Programs(given.programs, given.tools, given.python)
    fanout: dict[str, list[FanoutResult]] = {}
    idle: list[IdleResult] = []
    notify: list[NotifyResult] = []
    storage: list[StorageResult] = []
    for round in range(1, given.rounds + 1):
        for name in given.rows:
            say(f"round {round} of {given.rounds}: {name}")
            if name == IDLE:
                idle.append(measure_idle(programs, given.idle_connections))
            elif name == NOTIFY:
                notify.append(measure_notify(programs, given.seconds))
            elif name == STORAGE:
                storage.append(measure_storage(programs, given.storage_seconds))
            else:
                result = measure_fanout(programs, FANOUT[name], given.seconds)
                fanout.setdefault(name, []).append(result)
    print(f"Medians of {given.rounds}; load average at the start {load:.1f}.\n")
    if fanout:
        print(tables.fanout(fanout))
    if idle:
        print(tables.idle(idle, given.idle_connections))
    if notify:
        print(tables.notify(notify))
    if storage:
        print(tables.storage(storage))
        print(f"```\n{measure_storage_costs(programs)}```")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        say(str(failure))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
