"""Every escape from the compiler's guarantees carries a `// SAFETY:` note that names the invariant.

Escapes are `@unchecked`, `nonisolated(unsafe)`, `unowned(unsafe)`, `assumeIsolated`, and every name
with `unsafe` or `Unsafe` in it. A note explains an escape when it stands
- in the same paragraph, on the line or at most 12 lines above with no blank line between, or
- earlier in the same function, or
- in the comment directly above a function or type that contains the escape."""

import re

from blocks import FUNCTION, TYPE
from swift import Source
from tree import Finding, Tree

REACH = 12
_ESCAPE = re.compile(r"@unchecked\b|\b\w*[uU]nsafe\w*|\bassumeIsolated\b")
_NOTE = re.compile(r"//+ SAFETY: \S+ \S+")
_ABOVE = re.compile(r"\s*(//|@|$)")


def check(tree: Tree):
    for path in tree.files(r"(Sources|scripts/examples)/.*\.swift$"):
        source = tree.swift(path)
        escapes = [(line, m) for line in source.lines("code") if (m := _ESCAPE.search(line.text))]
        notes = _notes(source) if escapes else set()
        for line, match in escapes:
            if not _explained(source, line.number, notes):
                sentence = "needs a `// SAFETY:` note: which invariant, kept by whom"
                yield Finding(path, line.number, "safety", f"`{match.group()}` {sentence}")


def _notes(source: Source) -> set[int]:
    return {line.number for line in source.lines("comments") if _NOTE.search(line.text)}


def _explained(source: Source, line: int, notes: set[int]) -> bool:
    places = _paragraph(source, line)
    for block in source.blocks:
        if block.kind in (FUNCTION, TYPE) and block.contains(line):
            places |= _above(source, block.head)
            if block.kind == FUNCTION:
                places |= set(range(block.head, line + 1))
    return bool(places & notes)


def _paragraph(source: Source, line: int) -> set[int]:
    lines, first = source.lines(), line
    while first > max(1, line - REACH) and lines[first - 2].text.strip():
        first -= 1
    return set(range(first, line + 1))


def _above(source: Source, head: int) -> set[int]:
    """The comments and attributes that lead up to a declaration."""
    lines, first = source.lines(), head
    while first > 1 and (text := lines[first - 2].text).strip() and _ABOVE.match(text):
        first -= 1
    return set(range(first, head))
