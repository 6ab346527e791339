"""A target imports what imports.txt allows it; tests import what they test, never `@testable`."""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from tree import Finding, Tree

_IMPORT = re.compile(
    r"\s*(?P<before>(?:@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|private|fileprivate)\s+)*)"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(?P<module>\w+)"
)
_C_LIBRARY = {"Musl": "Glibc", "Darwin": "Glibc"}


def check(tree: Tree):
    for path in tree.files(r"(Sources|Tests|scripts/examples)/.*\.swift$"):
        for line in tree.swift(path).lines("code"):
            if match := _IMPORT.match(line.text):
                yield from _judge(path, line.number, match)


def _judge(path: str, line: int, match: re.Match):
    if "@testable" in match["before"]:
        yield Finding(path, line, "testable", "tests use `package` and `public` declarations")
    if path.startswith("Tests/"):
        return
    target = path.removeprefix("scripts/examples/").removeprefix("Sources/").split("/")[0]
    module = _C_LIBRARY.get(match["module"], match["module"])
    if target not in _allowed():
        yield Finding(path, line, "imports", f"{target} has no line in scripts/checks/imports.txt")
    elif module not in _allowed()[target]:
        sentence = f"{target} may not import {match['module']} (scripts/checks/imports.txt)"
        yield Finding(path, line, "imports", sentence)


@cache
def _allowed() -> dict[str, set[str]]:
    allowed = defaultdict(set)
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            target, modules = line.split(":")
            allowed[target].update(modules.split())
    return dict(allowed)
