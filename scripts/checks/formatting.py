"""`swift format lint --strict` finds nothing in Sources, Tests, examples and Package.swift. Long
lines are left to `size`, which also looks into comments."""

import re

from tree import REPOSITORY, Finding, Tree, run

CONFIGURATION = REPOSITORY / ".swift-format"
_SAID = re.compile(r"(?P<path>[^:]+):(?P<line>\d+):\d+: (?:error|warning): (?P<sentence>.*)")


def check(tree: Tree):
    paths = tree.files(r"((Sources|Tests|scripts/examples)/.*|Package)\.swift$")
    if not paths:
        return
    lint = ["swift", "format", "lint", "--strict", "--parallel"]
    result = run(*lint, "--configuration", str(CONFIGURATION), *paths, cwd=tree.root)
    said = [match for line in result.stderr.splitlines() if (match := _SAID.match(line))]
    for match in said:
        if "[LineLength]" in match["sentence"]:
            continue
        yield Finding(match["path"], int(match["line"]), "format", match["sentence"])
    if result.returncode != 0 and not said:
        yield Finding(".swift-format", 1, "format", result.stderr.strip())
