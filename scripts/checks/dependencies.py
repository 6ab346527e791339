"""Every package that Package.swift depends on has a row in the README's table."""

import re

from tree import Finding, Tree

_PACKAGE = re.compile(r'\.package\([^")]*url:\s*"[^"]*/(?P<name>[^"/]+?)(?:\.git)?"')


def check(tree: Tree):
    manifest = tree.text("Package.swift") if "Package.swift" in tree.paths else ""
    readme = tree.text("README.md") if "README.md" in tree.paths else ""
    rows = [line for line in readme.splitlines() if line.lstrip().startswith("|")]
    for match in _PACKAGE.finditer(manifest):
        name = re.compile(rf"(?<![\w-]){re.escape(match['name'])}(?![\w-])")
        if not any(name.search(row) for row in rows):
            line = manifest.count("\n", 0, match.start()) + 1
            sentence = f"{match['name']} has no row in README.md that says why we depend on it"
            yield Finding("Package.swift", line, "dependencies", sentence)
