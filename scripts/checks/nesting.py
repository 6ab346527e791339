"""Control flow inside a function nests three levels deep at most. `if`, `else`, `for`, `while`,
`repeat`, `switch`, `do` and `catch` each are a level; `case`, `defer` and closures are none."""

from itertools import takewhile

from blocks import CONTROL, FUNCTION, TYPE, Block
from tree import Finding, Tree

LEVELS = 3


def check(tree: Tree):
    for path in tree.files(r"(Sources|Tests|scripts/examples)/.*\.swift$"):
        for block in tree.swift(path).blocks:
            if block.kind == CONTROL and _depth(block) == LEVELS + 1:
                sentence = f"`{block.keyword}` is level {LEVELS + 1}; at most {LEVELS} are clear"
                yield Finding(path, block.head, "nesting", sentence)


def _depth(block: Block) -> int:
    around = takewhile(lambda outer: outer.kind not in (FUNCTION, TYPE), block.ancestors)
    return 1 + sum(outer.kind == CONTROL for outer in around)
