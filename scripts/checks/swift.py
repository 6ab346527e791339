"""Swift source, understood as far as the checks need it: code apart from comments and strings, and
the blocks that braces make. No parser: `swift-format` has read the file, so its shape is known.
Regular expressions between bare slashes are not recognised; write them `#/…/#`."""

import re
from dataclasses import dataclass
from functools import cached_property

from blocks import Block, blocks

_MARK = re.compile(r'//|/\*|#*"|#+/(?![/*])|[()]|`[^`\n]*`')
_COMMENT_EDGE = re.compile(r"/\*|\*/")


@dataclass(frozen=True)
class Line:
    number: int
    text: str


class Source:
    """One file in three views of equal shape: `text`; `code`, where comments and string literals
    are blank (interpolations are code); `comments`, where everything else is."""

    def __init__(self, text: str):
        self.text = text
        self._comments: list[tuple[int, int]] = []
        self._literals: list[tuple[int, int]] = []
        self._scan_code(0)
        self.code = _blank(text, self._comments + self._literals)
        self.comments = _keep(text, self._comments)

    @cached_property
    def blocks(self) -> list[Block]:
        """Every pair of braces, outer before inner."""
        return blocks(self.code)

    def lines(self, view: str = "text") -> list[Line]:
        return [Line(n, text) for n, text in enumerate(getattr(self, view).split("\n"), 1)]

    def _scan_code(self, at: int, interpolated: bool = False) -> int:
        """Scans to the end, or to the parenthesis that ends an interpolation."""
        depth = 0
        while mark := _MARK.search(self.text, at):
            start, at, token = mark.start(), mark.end(), mark.group()
            if token == "(":
                depth += 1
            elif token == ")":
                if interpolated and depth == 0:
                    return at
                depth -= 1
            elif token == "//":
                at = self._until(start, self.text.find("\n", at), self._comments)
            elif token == "/*":
                at = self._until(start, self._end_of_comment(at), self._comments)
            elif token.endswith('"'):
                at = self._scan_string(start, hashes=len(token) - 1)
            elif token.startswith("`"):
                self._literals += [] if token.strip("`").isidentifier() else [(start, at)]
            else:
                closing = "/" + "#" * (len(token) - 1)
                at = self._until(start, self.text.find(closing, at), self._literals)
        return len(self.text)

    def _scan_string(self, start: int, hashes: int) -> int:
        at = start + hashes
        quotes = '"""' if self.text.startswith('"""', at) else '"'
        at += len(quotes)
        fence = "#" * hashes
        edge = re.compile(rf"{quotes}{fence}|\\{fence}(?P<escaped>.)")
        while mark := edge.search(self.text, at):
            at = mark.end()
            if mark["escaped"] == "(":
                self._literals.append((start, at))
                at = self._scan_code(at, interpolated=True)
                start = at - 1
            elif not mark["escaped"]:
                break
        return self._until(start, at, self._literals)

    def _end_of_comment(self, at: int) -> int:
        depth = 1
        while depth and (edge := _COMMENT_EDGE.search(self.text, at)):
            depth += 1 if edge.group() == "/*" else -1
            at = edge.end()
        return at

    def _until(self, start: int, end: int, spans: list[tuple[int, int]]) -> int:
        end = len(self.text) if end < 0 else end
        spans.append((start, end))
        return end


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in sorted(spans):
        pieces += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
        at = end
    return "".join([*pieces, text[at:]])


def _keep(text: str, spans: list[tuple[int, int]]) -> str:
    edges = [0, *(edge for span in sorted(spans) for edge in span), len(text)]
    return _blank(text, list(zip(edges[::2], edges[1::2])))
