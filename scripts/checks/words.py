"""Words that have no place here: traps, notes to self, sleeping and skipped tests, vague names."""

import re
from dataclasses import dataclass

from tree import Finding, Tree

SOURCES = r"(Sources|scripts/examples)/.*\.swift$"
TESTS, PYTHON = r"Tests/.*\.swift$", r"Tests/.*\.py$"
SWIFT = r"(Sources|Tests|scripts/examples)/.*\.swift$"


@dataclass(frozen=True)
class Ban:
    rule: str
    files: str
    view: str
    words: str
    sentence: str


SKIPPED = "a test runs, or it goes"
_TYPE = r"\b(?:struct|class|enum|actor|protocol|typealias)\s+"
BANS = [
    Ban("trap", SOURCES, "code", r"\b(?:try|as)!", "throws or refuses; it never traps"),
    Ban("trap", SOURCES, "code", r"\bfatalError\s*\(", "a sentence in `precondition` instead"),
    Ban("note-to-self", SOURCES, "comments", r"\b(?:TODO|FIXME|XXX)\b", "do it or drop it"),
    Ban("sleep", TESTS, "code", r"\bu?sleep\s*\(", "time is an argument; await what happens"),
    Ban(
        "sleep",
        PYTHON,
        "text",
        r"\bsleep\((?!.*# clock: \w)",
        "await what happens; where only the clock will do, add `# clock: why`",
    ),
    Ban("skipped", TESTS, "code", r"\.disabled\s*\(|\bXCTSkip", SKIPPED),
    Ban("skipped", PYTHON, "text", r"\bmark\.(skip|xfail)|\bpytest\.(skip|xfail)", SKIPPED),
    Ban(
        "name",
        SWIFT,
        "code",
        _TYPE + r"\w*(?:(?:Manager|Helper|Util|Info)s?\b|V2|New(?![a-z]))",
        "say what it is: no Manager, Helper, Util, Info, New, V2",
    ),
]


def check(tree: Tree):
    for ban in BANS:
        words = re.compile(ban.words)
        for path in tree.files(ban.files):
            for number, text in _lines(tree, path, ban.view):
                if match := words.search(text):
                    found = match.group().strip()
                    yield Finding(path, number, ban.rule, f"`{found}`: {ban.sentence}")


def _lines(tree: Tree, path: str, view: str):
    if view == "text":
        return enumerate(tree.text(path).splitlines(), 1)
    return ((line.number, line.text) for line in tree.swift(path).lines(view))
