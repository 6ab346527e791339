"""Shell scripts pass shellcheck."""

import re

from tree import Finding, Tree, run

_SAID = re.compile(r"(?P<path>[^:]+):(?P<line>\d+):\d+: (?P<sentence>.*)")
_SHELL = re.compile(r"#!.*\b(ba)?sh\b|# shellcheck shell=")


def check(tree: Tree):
    scripts = [path for path in tree.files(r"(scripts|\.ci)/") if _SHELL.match(tree.text(path))]
    if not scripts:
        return
    result = run("shellcheck", "--format=gcc", "--external-sources", *scripts, cwd=tree.root)
    for line in result.stdout.splitlines():
        if match := _SAID.match(line):
            yield Finding(match["path"], int(match["line"]), "shell", match["sentence"])
