"""Medians as Markdown."""

from statistics import median

from rows import FANOUT, IDLE_TARGET_KB, FanoutResult, IdleResult, NotifyResult, StorageResult

STAGES = {
    "TCP accepted": "TCP accepted: the channel, its pipeline, the HTTP coders",
    "WebSocket": "upgraded: WebSocket and connection handlers, after the HTTP ones are gone",
    "hello": "hello: session, user, presence",
    "channel": None,
    "subscribed": "subscribed to one channel (not in the sum)",
}


def fanout(results: dict[str, list[FanoutResult]]) -> str:
    lines = [
        "| load, 128 bytes of text | hub | floor | ratio | target | deliveries/s | p99 |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, found in results.items():
        row = FANOUT[name]
        cpu = "server_cpu_us_per_delivery"
        hub, floor = (_median(found, side, cpu) for side in ("hub", "floor"))
        lines.append(
            f"| {row.title} | {hub:.2f} µs | {floor:.2f} µs"
            f" | **{median(result.ratio for result in found):.2f}** | ≤ {row.target}"
            f" | {_median(found, 'hub', 'deliveries_per_s'):,.0f}"
            f" | {_median(found, 'hub', 'p99_ms'):.1f} ms |"
        )
    first = next(iter(results.values()))[0]
    size = first.hub["frame_bytes_per_delivery"]
    lines.append(
        "\nServer CPU per delivery, the server alone on one core, its client on the other; the"
        f" ratio is the median of each round's. Frames of equal size on both sides ({size:.0f}"
        " bytes in the first row); deliveries/s and p99 are the hub's.\n"
    )
    return "\n".join(lines)


def idle(results: list[IdleResult], connections: int) -> str:
    lines = [
        f"| memory per idle connection, {connections:,} connections | KB |",
        "|---|---|",
        f"| **hello'd, nothing else** (target ≤ {IDLE_TARGET_KB}) |"
        f" **{median(result.kb for result in results):.2f}** |",
    ]
    for name, title in STAGES.items():
        if title:
            lines.append(f"| {title} | {median(r.stages[name] for r in results):.2f} |")
    lines.append(
        "\nGrowth of the server's resident memory; sockets in the kernel are not in it. The stages"
        " are a run of their own, in which all connections reach one before any goes on: their sum"
        " is higher, because memory for HTTP is not used again by the next connection.\n"
    )
    return "\n".join(lines)


def notify(results: list[NotifyResult]) -> str:
    lines = ["| 500 messages/s in rooms of 10 | p50 | p99 |", "|---|---|---|"]
    for title, side in (("alone", "quiet"), ("while 10,000 are notified, again and again", "busy")):
        p50, p99 = (
            median(getattr(result, side)["latency"][key] for result in results)
            for key in ("p50_ms", "p99_ms")
        )
        lines.append(f"| {title} | {p50:.2f} ms | {p99:.2f} ms |")
    took = median(result.notifier["p50_ms"] for result in results)
    lines.append(f"\nOne `notify` to 10,000 is answered in {took:.0f} ms meanwhile.\n")
    return "\n".join(lines)


def storage(results: list[StorageResult]) -> str:
    lines = ["| 64 senders, 1 in flight each | messages/s | p50 | p99 |", "|---|---|---|---|"]
    for mode in ("none", "commit"):
        rate, p50, p99 = (
            median(getattr(result, mode)[key] for result in results)
            for key in ("deliveries_per_s", "p50_ms", "p99_ms")
        )
        lines.append(f"| `--durability {mode}` | {rate:,.0f} | {p50:.1f} ms | {p99:.1f} ms |")
    ratio = median(result.ratio for result in results)
    lines.append(f"\n`commit` reaches **{ratio:.0%}** of the rate of `none` (at least 60 %).\n")
    return "\n".join(lines)


def _median(found: list[FanoutResult], side: str, key: str) -> float:
    return median(getattr(result, side)[key] for result in found)
