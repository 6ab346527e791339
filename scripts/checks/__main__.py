"""The static checks: python3 scripts/checks [--self-test] [NAME…]

Each module named in CHECKS has `check(tree)`, which yields findings. `--self-test` proves that each
one finds in its fixture `bad` exactly what `expected` lists, and nothing in `good`."""

import sys

import compiler
import dependencies
import formatting
import imports
import layout
import nesting
import safety
import shell
import size
import words
from tree import REPOSITORY, Tree

FIXTURES = REPOSITORY / "scripts" / "fixtures"
CHECKS = {
    module.__name__: module
    for module in [
        *(layout, formatting, size, nesting, imports, safety),
        *(words, dependencies, shell, compiler),
    ]
}


def findings(module, tree: Tree) -> list:
    return sorted(set(module.check(tree)))


def self_test(name: str) -> list[str]:
    """What is wrong with a check, judged by its fixture; nothing if it works."""
    fixture, module = FIXTURES / name, CHECKS[name]
    listed = (fixture / "expected").read_text(encoding="utf-8").splitlines()
    found = [f"{f.path}:{f.line}: {f.rule}" for f in findings(module, Tree(fixture / "bad"))]
    problems = [f"does not find {line}" for line in listed if line not in found]
    problems += [f"finds {line}, which is not expected" for line in found if line not in listed]
    problems += [f"finds in good: {f}" for f in findings(module, Tree(fixture / "good"))]
    problems += [] if listed else ["expects nothing, which proves nothing"]
    problems += module.prove(fixture) if hasattr(module, "prove") else []
    return [f"scripts/fixtures/{name}: {problem}" for problem in problems]


def main(arguments: list[str]) -> int:
    names = [argument for argument in arguments if argument != "--self-test"] or list(CHECKS)
    if unknown := [name for name in names if name not in CHECKS]:
        print(f"no check is called {unknown[0]}; there are {', '.join(CHECKS)}", file=sys.stderr)
        return 64
    testing, tree = "--self-test" in arguments, Tree(REPOSITORY)
    found = []
    for name in names:
        found += self_test(name) if testing else findings(CHECKS[name], tree)
    for problem in found:
        print(problem)
    subject = "proved on their fixtures" if testing else f"on {len(tree.paths)} files"
    print(f"{len(names)} checks {subject}: {len(found) or 'no'} findings", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
