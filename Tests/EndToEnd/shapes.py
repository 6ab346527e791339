"""The shapes of everything that is sent, by the JSON Schema files in `protocol/schema`.

The files allow members that they do not name, as the protocol does. What the hub sends is held
against them closed: every object of the protocol gets `unevaluatedProperties: false`, so a member
that the files do not name fails the test."""

import collections
import functools
import json
import re

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry, Resource

from hub import REPOSITORY

FOLDER = REPOSITORY / "protocol" / "schema"
BASE = "https://hub.invalid/protocol/v1/"

# Keywords whose schemas describe a part of the same value, and those that describe another value.
PARTS = {"allOf", "anyOf", "oneOf", "then", "else"}
VALUES = {"items", "additionalProperties"}


# Keywords

def is_integer(_, value):
    """A number written without fraction and exponent; 5.0 is none (protocol, "Envelope")."""
    return isinstance(value, int) and not isinstance(value, bool)


@functools.cache
def expression(pattern):
    """ECMA-262's `$` is the very end, Python's may stand before a line feed."""
    return re.compile(re.sub(r"\$$", r"\\Z", pattern))


def check_pattern(_, pattern, value, __):
    if isinstance(value, str) and not expression(pattern).search(value):
        yield ValidationError(f"{value!r:.200} does not match {pattern!r}")


def check_bytes(_, limit, value, __):
    if isinstance(value, str) and len(value.encode("utf-8", "surrogatepass")) > limit:
        yield ValidationError(f"{value!r:.80}… has more than {limit} bytes of UTF-8")


def check_depth(_, limit, value, __):
    level = [value]
    for _ in range(limit + 1):
        level = [each for each in level if isinstance(each, (dict, list))]
        if not level:
            return
        level = [inner for each in level
                 for inner in (each.values() if isinstance(each, dict) else each)]
    yield ValidationError(f"is more than {limit} levels deep")


Validator = validators.extend(
    Draft202012Validator,
    {"pattern": check_pattern, "x-maxBytes": check_bytes, "x-maxDepth": check_depth},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", is_integer))


# Files

@functools.cache
def file(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def names(name):
    """The operations of `requests`, the events of `events`: what the file's root chooses from."""
    return [each["$ref"].removeprefix("#/$defs/") for each in file(name)["anyOf"]]


@functools.cache
def registry():
    resources = [Resource.from_contents(file(path.stem)) for path in FOLDER.glob("*.json")]
    return Registry().with_resources((each.id(), each) for each in resources).crawl()


# Validators. A schema is put together from all that it refers to once, not for every frame.

def whole(schema, resolver):
    """The schema with what it refers to in place of each `$ref`."""
    if isinstance(schema, list):
        return [whole(each, resolver) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: whole(inner, resolver) for key, inner in schema.items() if key != "$ref"}
    if not isinstance(schema.get("$ref"), str):
        return made
    found = resolver.lookup(schema["$ref"])
    return both(whole(found.contents, found.resolver), made)


def both(one, other):
    """A schema that asks for what two ask for."""
    if isinstance(one, bool) or isinstance(other, bool):
        return {"allOf": [one, other]}
    made = dict(one)
    for keyword, value in other.items():
        if keyword == "description":
            made[keyword] = value
        elif keyword == "properties" and keyword in made:
            shared = {name: both(made[keyword][name], value[name])
                      for name in made[keyword].keys() & value}
            made[keyword] = made[keyword] | value | shared
        elif keyword == "required" and keyword in made:
            made[keyword] = sorted({*made[keyword], *value})
        elif made.setdefault(keyword, value) != value:
            return {"allOf": [one, other]}
    return made


def closed(schema, is_value=True):
    """The schema with every object closed that it describes as a value, be it in several parts."""
    if isinstance(schema, list):
        return [closed(each, is_value) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for keyword, inner in schema.items():
        if keyword in ("properties", "dependentSchemas"):
            is_part = keyword != "properties"
            made[keyword] = {name: closed(each, not is_part) for name, each in inner.items()}
        elif keyword in PARTS | VALUES:
            made[keyword] = closed(inner, keyword in VALUES)
        else:
            made[keyword] = inner
    is_object = schema.get("type", "object") == "object" and not {"enum", "const"} & set(schema)
    if is_value and is_object:
        made["unevaluatedProperties"] = False
    return made


@functools.cache
def validator(name, definition=None, is_closed=True):
    """Of one definition in a file, or of the file's root."""
    where = f"{BASE}{name}.json" + (f"#/$defs/{definition}" if definition else "")
    schema = whole({"$ref": where}, registry().resolver())
    schema.pop("$defs", None)
    return Validator(closed(schema) if is_closed else schema)


# Checks

def check(value, name, definition=None, is_closed=True):
    """Fails, with what is wrong where, unless a value is as a file says."""
    error = best_match(validator(name, definition, is_closed).iter_errors(value))
    if error is not None:
        shown = json.dumps(value, ensure_ascii=False)
        raise AssertionError(
            f"{definition or name}{error.json_path[1:]}: {error.message:.500}; in {shown:.2000}")


def validate(frame, op=None):
    """Fails unless a received frame is an event or a reply; `op` is what the reply answers."""
    if "ev" in frame:
        assert frame["ev"] in file("events")["$defs"], f"an unknown event: {frame!s:.500}"
        check(frame, "events", frame["ev"])
        return
    check(frame, "replies")
    if "ok" in frame and op is not None:
        check(frame["ok"], "replies", op)


def validate_request(request):
    """Fails unless a request is what its operation takes. Further arguments are ignored."""
    check(present(request), "requests", request["op"], is_closed=False)


KEPT = {"data", "custom", "segment", "attachments", "client"}


def present(value):
    """The value without members that are null: absent, unless they are the app's own."""
    if isinstance(value, dict):
        return {key: inner if key in KEPT else present(inner)
                for key, inner in value.items() if inner is not None}
    return [present(inner) for inner in value] if isinstance(value, list) else value


SEEN = collections.Counter()


def is_due(kind):
    """True for the 1st, 2nd, 4th, 8th… frame of a kind: a sample where frames are too many."""
    SEEN[kind] += 1
    return SEEN[kind] & (SEEN[kind] - 1) == 0


# Shapes that tests ask for by name

SUMMARY = ("objects", "summary")
ITEM = ("objects", "inboxItem")
WELCOME = ("replies", "hello")
SUBSCRIBED = ("replies", "subscribe")


def assert_shape(value, shape):
    check(value, *shape)
