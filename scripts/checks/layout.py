"""The top level holds what architecture says it holds, and dot-files; nothing else."""

from tree import Finding, Tree

ALLOWED = ["Package.swift", "Sources", "Tests", "protocol", "scripts", "README.md"]


def check(tree: Tree):
    for entry in sorted({path.split("/")[0] for path in tree.paths}):
        if entry not in ALLOWED and not entry.startswith("."):
            allowed = ", ".join(ALLOWED)
            sentence = f"the top level holds {allowed} and dot-files only"
            yield Finding(entry, 1, "layout", sentence)
