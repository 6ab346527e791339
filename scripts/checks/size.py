"""Files, functions and lines stay small enough to read at one go."""

from blocks import FUNCTION
from tree import Finding, Tree

FILE, FUNCTION_BODY, COLUMNS = 350, 50, 100
EXECUTABLE = 100
"""Lines of all of Sources/hub: it wires, it does not work."""


def check(tree: Tree):
    for path in tree.files(r"(Sources|Tests)/.*\.(swift|py)$|Package\.swift$|(scripts|\.ci)/"):
        yield from _lines(path, tree.text(path).splitlines())
    for path in tree.files(r"(Sources|Tests|scripts/examples)/.*\.swift$"):
        yield from _functions(path, tree)
    yield from _executable(tree)


def _lines(path: str, lines: list[str]):
    if len(lines) > FILE:
        sentence = f"{len(lines)} lines; a file has about 300, at most {FILE}: split it by aspect"
        yield Finding(path, FILE + 1, "file-length", sentence)
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            sentence = f"{len(line)} columns; a line has at most {COLUMNS}"
            yield Finding(path, number, "line-length", sentence)


def _functions(path: str, tree: Tree):
    for block in tree.swift(path).blocks:
        if block.kind == FUNCTION and not block.holds_accessors and block.body > FUNCTION_BODY:
            name = f"{block.keyword} {block.name}".strip(" (")
            sentence = f"`{name}` has {block.body} lines; a body has at most {FUNCTION_BODY}"
            yield Finding(path, block.head, "function-length", sentence)


def _executable(tree: Tree):
    paths = tree.files(r"Sources/hub/.*\.swift$")
    total = sum(len(tree.text(path).splitlines()) for path in paths)
    if total > EXECUTABLE:
        sentence = f"{total} lines in all; the executable wires in at most {EXECUTABLE}"
        yield Finding("Sources/hub", 1, "executable-length", sentence)
