"""The files a check looks at, and what it says about them."""

import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from swift import Source

REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    rule: str
    sentence: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}: {self.sentence}"


class Tree:
    """A directory as git sees it: tracked or new, not ignored. Fixtures are no part of it."""

    def __init__(self, root: Path):
        self.root = root
        git = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others"]
        listing = subprocess.run(
            [*git, "--exclude-standard"], cwd=root, check=True, capture_output=True, text=True
        ).stdout
        self.paths = sorted(
            path
            for path in set(filter(None, listing.split("\0")))
            if (root / path).is_file() and not path.startswith("scripts/fixtures/")
        )

    def files(self, pattern: str) -> list[str]:
        """Paths that match a regular expression from their beginning."""
        return [path for path in self.paths if re.match(pattern, path)]

    @cache
    def text(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    @cache
    def swift(self, path: str) -> Source:
        return Source(self.text(path))


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess:
    """Runs a tool for its output; whether it failed is for the check to judge."""
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)
