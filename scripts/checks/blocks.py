"""What each pair of braces in Swift code is: a type, a function, control flow or a closure."""

import re
from dataclasses import dataclass, field

TYPE, FUNCTION, CONTROL, CLOSURE = "type", "function", "control", "closure"

_KINDS = {
    **dict.fromkeys(["struct", "class", "enum", "protocol", "extension", "actor"], TYPE),
    **dict.fromkeys(["func", "init", "deinit", "subscript", "var"], FUNCTION),
    **dict.fromkeys(["if", "for", "while", "switch", "do", "repeat", "else", "catch"], CONTROL),
}
_ACCESSORS = {"get", "set", "willSet", "didSet", "_read", "_modify"}
_TOKEN = re.compile(r"`[^`\n]+`|[#@]?\w+|[{}()\[\].,:;\n]|[-+*/%<>=!&|^~?]+|\S")


@dataclass
class Block:
    """A pair of braces. `head` is the line of the keyword that opens it, `name` what follows it."""

    kind: str
    keyword: str
    name: str
    head: int
    opens: int
    parent: "Block | None"
    closes: int = 0
    holds_accessors: bool = False

    @property
    def body(self) -> int:
        """Lines between the braces."""
        return max(0, self.closes - self.opens - 1)

    @property
    def ancestors(self):
        block = self.parent
        while block:
            yield block
            block = block.parent

    def contains(self, line: int) -> bool:
        return self.head <= line <= self.closes


@dataclass
class _Level:
    """Inside one pair of brackets: the keyword that waits for its brace, and the last brace."""

    bracket: str
    block: Block | None
    pending: tuple[str, str, int] | None = None
    closed: Block | None = None


@dataclass
class _Reader:
    tokens: list[tuple[str, int]]
    found: list[Block] = field(default_factory=list)
    levels: list[_Level] = field(default_factory=lambda: [_Level("", None)])

    def read(self) -> list[Block]:
        for at, (token, line) in enumerate(self.tokens):
            if token == "{":
                self._open(line)
            elif token in ("(", "["):
                self.levels.append(_Level(token, self.levels[-1].block))
            elif token in ("}", ")", "]"):
                self._close(token, line)
            else:
                self._note(at, token, line)
        return self.found

    def _open(self, line: int):
        level = self.levels[-1]
        keyword, name, head = level.pending or (CLOSURE, "", line)
        kind = FUNCTION if keyword in _ACCESSORS else _KINDS.get(keyword, CLOSURE)
        if keyword in _ACCESSORS and level.block:
            level.block.holds_accessors = True
        level.pending = None
        block = Block(kind, keyword, name, head, line, parent=level.block)
        self.found.append(block)
        self.levels.append(_Level("{", block))

    def _close(self, token: str, line: int):
        if len(self.levels) == 1:
            return
        level = self.levels.pop()
        if token == "}" and level.block:
            level.block.closes = line
            self.levels[-1].closed = level.block

    def _note(self, at: int, token: str, line: int):
        """Keeps, replaces or drops the keyword that waits for its brace."""
        level = self.levels[-1]
        waiting = level.pending[0] if level.pending else ""
        if token in ("=", "\n") and waiting == "var":
            if token == "=" or self._near(at, -1) not in (":", ",", "->"):
                level.pending = None
        elif token in ("guard", "let") and _KINDS.get(waiting) != CONTROL:
            level.pending = None
        elif token in _KINDS and self._is_keyword(at, token, waiting):
            level.pending = (token, self._near(at, 1), line)
        elif token in _ACCESSORS and not waiting and self._is_accessor(at):
            level.pending = (token, "", line)

    def _is_keyword(self, at: int, token: str, waiting: str) -> bool:
        before, after, beyond = self._near(at, -1), self._near(at, 1), self._near(at, 2)
        in_brackets = self.levels[-1].bracket in ("(", "[")
        label = after == ":" or (in_brackets and beyond == ":")
        if label or before in (".", "import"):
            return False
        if token == "var" and _KINDS.get(waiting) == CONTROL:
            return False
        if token == "while":
            closed = self.levels[-1].closed
            return not (before == "}" and closed and closed.keyword == "repeat")
        return token != "actor" or bool(re.match(r"\w", after))

    def _is_accessor(self, at: int) -> bool:
        block = self.levels[-1].block
        inside = block and block.keyword in ("var", "subscript", CLOSURE)
        begins = self._near(at, -1) in ("{", "}", "\n", "mutating", "nonmutating")
        return bool(inside and begins and self._near(at, 1) in ("{", "(", "async", "throws"))

    def _near(self, at: int, offset: int) -> str:
        index = at + offset
        return self.tokens[index][0] if 0 <= index < len(self.tokens) else ""


def blocks(code: str) -> list[Block]:
    """The blocks of code in which comments and strings are blank, outer before inner."""
    tokens, line = [], 1
    for match in _TOKEN.finditer(code):
        tokens.append((match.group(), line))
        line += match.group() == "\n"
    return _Reader(tokens).read()
