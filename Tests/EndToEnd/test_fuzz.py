"""The fuzzers for a short while; `scripts/soak` lets them run for long."""

import subprocess

from hub import REPOSITORY, binary

SECONDS = 15


def test_what_nobody_should_send_does_no_harm(rng):
    seed = rng.randrange(2**63)
    command = [
        binary("hub-fuzz"), "--seconds", str(SECONDS), "--seed", str(seed), "--vectors",
        str(REPOSITORY / "protocol" / "vectors")]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS * 4)
    print(finished.stdout)
    last = finished.stderr.replace("\r", "\n")[-1000:]
    assert finished.returncode == 0, f"seed {seed}: {finished.stdout[-4000:]}\n{last}"
