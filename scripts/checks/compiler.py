"""With HUB_WARNINGS_AS_ERRORS set, the manifest makes the compiler's warnings errors in every
target of ours. The build of scripts/check then is the check."""

import json
import os
import subprocess
from pathlib import Path

from tree import Finding, Tree, run


def check(tree: Tree):
    if "Package.swift" not in tree.paths:
        return
    result = subprocess.run(
        ["swift", "package", "dump-package"],
        cwd=tree.root,
        env=os.environ | {"HUB_WARNINGS_AS_ERRORS": "1"},
        capture_output=True,
        text=True,
    )
    if result.returncode != 0:
        yield Finding("Package.swift", 1, "warnings", result.stderr.strip())
        return
    for target in json.loads(result.stdout)["targets"]:
        kinds = [setting["kind"] for setting in target["settings"]]
        if {"treatAllWarnings": {"_0": "error"}} not in kinds:
            sentence = f"{target['name']} does not take warnings as errors in scripts/check"
            yield Finding("Package.swift", 1, "warnings", sentence)


def prove(fixture: Path) -> list[str]:
    """That a warning fails a compilation when it counts as an error, and only then."""
    compile = ["swiftc", "-typecheck", "warning.swift"]
    problems = []
    if run(*compile, cwd=fixture).returncode != 0:
        problems.append("warning.swift does not compile")
    if run(*compile, "-warnings-as-errors", cwd=fixture).returncode == 0:
        problems.append("warning.swift compiles although warnings are errors")
    return problems
