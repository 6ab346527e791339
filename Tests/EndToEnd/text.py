"""Looks into JSON text without giving up a byte of it."""

import json

DECODER = json.JSONDecoder()
SPACE = " \t\r\n"


def _skip(text, at):
    while text[at] in SPACE:
        at += 1
    return at


def _members(text):
    """Yields key (or index), start and end of each value in an object or array."""
    is_object = text[0] == "{"
    at, index = _skip(text, 1), 0
    while text[at] not in "]}":
        key = index
        if is_object:
            key, at = DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = DECODER.raw_decode(text, at)
        yield key, at, end
        at, index = _skip(text, end), index + 1
        at = _skip(text, at + 1) if text[at] == "," else at


def raw_at(text, *path):
    """The bytes of the value at a path of keys and indices: raw_at('{"a": [1, 2.0]}', "a", 1)
    is '2.0'. An index of -1 is the last."""
    for step in path:
        spans = {key: (start, end) for key, start, end in _members(text)}
        start, end = spans[len(spans) + step if isinstance(step, int) and step < 0 else step]
        text = text[start:end]
    return text
