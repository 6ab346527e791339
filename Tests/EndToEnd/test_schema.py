"""The schema files: well-formed, complete, in step with the source, and able to fail."""

import re

import pytest
from jsonschema import Draft202012Validator

import shapes
from hub import REPOSITORY

SOURCE = REPOSITORY / "Sources" / "HubProtocol"
FILES = ["values", "objects", "requests", "replies", "events"]


def swift(pattern, files="*.swift"):
    """What a regular expression finds in the source."""
    texts = [path.read_text() for path in sorted(SOURCE.rglob(files))]
    return {found for text in texts for found in re.findall(pattern, text)}


def operations():
    """The operations' names on the wire, as the source has them."""
    return swift(r'case [^"\n]+: "([a-z.]+)"', files="Operation+Name.swift")


def told():
    """The events' names on the wire, as the source writes them."""
    return swift(r'\\"ev\\":\\"([a-z.]+)\\"')


def references(value):
    if isinstance(value, dict):
        yield from [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def test_every_file_is_known():
    assert sorted(FILES) == sorted(path.stem for path in shapes.FOLDER.glob("*.json"))


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_a_schema_and_all_it_refers_to_is_there(name):
    schema = shapes.file(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"{shapes.BASE}{name}.json"
    resolver = shapes.registry().resolver(schema["$id"])
    for reference in references(schema):
        resolver.lookup(reference)


def test_no_definition_is_left_over():
    used = {f"{name}.json#/$defs/{each}" for name in ("requests", "events")
            for each in shapes.names(name)}
    used |= {f"replies.json#/$defs/{op}" for op in shapes.names("requests")}
    for name in FILES:
        used |= {reference if reference[0] != "#" else f"{name}.json{reference}"
                 for reference in references(shapes.file(name))}
    defined = {f"{name}.json#/$defs/{each}" for name in FILES
               for each in shapes.file(name)["$defs"]}
    assert defined == used


def test_every_operation_has_a_request_and_a_reply():
    ops = operations()
    assert len(ops) > 50
    assert set(shapes.names("requests")) == ops
    assert ops <= set(shapes.file("replies")["$defs"])


def test_every_event_has_a_schema():
    assert len(told()) > 20
    assert set(shapes.names("events")) == told()


@pytest.mark.parametrize("file, member", [("requests", "op"), ("events", "ev")])
def test_a_definition_says_its_own_name(file, member):
    for name in shapes.names(file):
        assert shapes.file(file)["$defs"][name]["properties"][member] == {"const": name}


# Where a limit of the source stands in the schema.
LIMITS = {
    "largestInteger": [("values", "count", "maximum"), ("values", "seq", "maximum"),
                       ("values", "timestampArgument", "maximum")],
    "pageItems": [("values", "pageLimit", "maximum")],
    "listEntries": [("values", "users", "maxItems"), ("values", "channels", "maxItems"),
                    ("values", "mentions", "maxItems"), ("requests", "attachments", "maxItems")],
    "tokenBytes": [("values", "token", "x-maxBytes")],
    "cursorBytes": [("values", "cursor", "x-maxBytes")],
    "labelBytes": [("values", "label", "x-maxBytes"), ("values", "epochArgument", "x-maxBytes")],
    "detailsBytes": [("values", "details", "x-maxBytes")],
    "reasonBytes": [("values", "reason", "x-maxBytes")],
    "textBytes": [("values", "text", "x-maxBytes"), ("values", "textUpdate", "x-maxBytes")],
    "keyBytes": [("values", "word", "x-maxBytes")],
    "typeBytes": [("values", "word", "x-maxBytes")],
    "signalNameBytes": [("values", "word", "x-maxBytes")],
    "queryBytes": [("values", "query", "x-maxBytes")],
    "reactionBytes": [("values", "reaction", "x-maxBytes")],
    "usernameBytes": [("values", "username", "x-maxBytes"),
                      ("values", "usernameUpdate", "x-maxBytes")],
    "urlBytes": [("values", "url", "x-maxBytes")],
    "jsonDepth": [("values", "json", "x-maxDepth")],
    "segmentFields": [("requests", "segment", "maxProperties")],
    "inboxItems": [("events", "itemIds", "maxItems")],
    "unreadMessages": [("values", "limitedCount", "maximum")],
}


def limits():
    """Every limit of the source: its name and value."""
    found = swift(r"static let (\w+) = ([\d_* ]+)", files="Limits.swift")
    factors = {name: [int(each) for each in product.replace("_", "").split("*")]
               for name, product in found}
    return {name: each[0] * (each[1] if len(each) == 2 else 1) for name, each in factors.items()}


def test_limits_are_those_of_the_source():
    values = limits()
    assert len(values) > 30
    for name, places in LIMITS.items():
        for file, definition, keyword in places:
            said = shapes.file(file)["$defs"][definition][keyword]
            assert said == values[name], f"{name} in {file}.json, {definition}"
    alphabet = {"userId": "userIDBytes", "channelName": "channelNameBytes"}
    for definition, name in alphabet.items():
        pattern = shapes.file("values")["$defs"][definition]["pattern"]
        assert pattern.endswith(f"{{0,{values[name] - 1}}}$")


# What the tests would notice

MESSAGE = {"ev": "message", "channel": "room", "seq": 1, "user": "ann", "ts": 5, "text": "hi"}
ITEM = {"id": "1", "type": "like", "text": "x", "ts": 5, "state": "unseen", "count": 1,
        "actors": [], "by": "shop"}
COUNTS = {"unseen": 1, "unread": 1, "by_type": {"like": 1}}
NOTHING = {"unseen": 0, "unread": 0, "by_type": {}}
MADE = ITEM | {"by": "@hub", "actor": "ann", "target": {"kind": "user", "id": "ann"}}
STAND = {"counts": COUNTS, "at": 1}
NOTICE = {"ev": "notice", "surface": "toast", "channel": "room", "seq": 1, "title": "t" * 2051,
          "preview": "hi", "sender": {"id": "ann", "name": "Ann"}, "kind": "group"}
RIGHT = [
    MESSAGE, MESSAGE | {"data": {"x": {"y": None}}},
    MESSAGE | {"attachments": [{"kind": "json", "url": None, "own": {"z": 1}}]},
    {"ev": "message", "channel": "room", "seq": 1, "hidden": True},
    {"ev": "inbox.added", "item": ITEM, "counts": COUNTS, "at": 1},
    {"ev": "inbox.updated", "item": MADE | {"acted_ts": 6, "title": "t" * 2051}, **STAND},
    {"ev": "inbox.updated", "ids": ["1", "2"], "state": "seen", **STAND},
    {"ev": "inbox.removed", "ids": ["1"], "item": ITEM | {"title": "t" * 1024}, **STAND},
    {"ev": "inbox.removed", "ids": ["1", "2"], **STAND}, NOTICE,
    {"ev": "inbox.cleared", "counts": NOTHING, "at": 1},
    {"id": 1, "error": {"code": "internal", "message": "sorry"}}, {"id": 1, "ok": {}},
]
WRONG = [
    {**MESSAGE, "own": 1}, {**MESSAGE, "seq": 1.0}, {**MESSAGE, "seq": 0}, {**MESSAGE, "id": 1},
    {**MESSAGE, "seq": True}, {**MESSAGE, "channel": "room\n"}, {**MESSAGE, "text": "a\x00"},
    {**MESSAGE, "text": "\ud800"}, {**MESSAGE, "key": "é" * 33}, {**MESSAGE, "deleted_ts": 6},
    {**MESSAGE, "reactions": {"+": {"count": 1, "mine": True}}},
    {**MESSAGE, "reactions": {"+": {"count": 1, "by": ["ann"]}}},
    {**MESSAGE, "reactions": {"+": {"count": 0}}}, {**MESSAGE, "attachments": [{"kind": "virus"}]},
    {key: value for key, value in MESSAGE.items() if key != "text"},
    {"ev": "message", "channel": "room", "seq": 1, "hidden": True, "user": "ann"},
    {"ev": "nonsense"}, {"ev": "gap", "scope": "channel"}, {"ev": "channel.deleted"},
    {"ev": "inbox.added", "item": ITEM | {"own": 1}, "counts": COUNTS, "at": 1},
    {"ev": "inbox.added", "item": ITEM, "counts": COUNTS | {"by_type": {"like": "1"}}, "at": 1},
    {"ev": "inbox.added", "ids": ["1"], **STAND}, {"ev": "inbox.removed", "item": ITEM, **STAND},
    {"ev": "inbox.added", "item": {**MADE, "by": "@me"}, **STAND},
    {"ev": "inbox.added", "item": {**ITEM, "by": "@hub"}, **STAND},
    {"ev": "inbox.added", "item": ITEM | {"title": "t" * 1025}, **STAND},
    {"ev": "inbox.added", "item": MADE | {"title": "t" * 2052}, **STAND},
    {"ev": "inbox.added", "item": MADE | {"own": 1}, **STAND},
    {"ev": "inbox.added", "item": ITEM | {"acted_ts": 0}, **STAND},
    {"ev": "inbox.added", "item": ITEM | {"data": "d" * 65535}, **STAND},
    {"ev": "inbox.updated", "ids": ["1"], **STAND}, {"ev": "inbox.updated", **STAND},
    {"ev": "inbox.updated", "item": ITEM, "state": "seen", **STAND},
    {"ev": "inbox.updated", "item": ITEM, "ids": ["1"], "state": "seen", **STAND},
    {"ev": "inbox.updated", "ids": [], "state": "seen", **STAND},
    {"ev": "inbox.removed", "ids": ["1", "2"], "item": ITEM, **STAND},
    {"ev": "inbox.removed", "ids": [1], **STAND}, {"ev": "inbox.cleared", **STAND},
    {"ev": "inbox.cleared", "counts": NOTHING | {"own": 1}, "at": 1},
    {"ev": "inbox.cleared", "counts": NOTHING, "at": 1, "ids": ["1"]},
    NOTICE | {"surface": "push"}, NOTICE | {"title": ""}, NOTICE | {"title": "t" * 2052},
    NOTICE | {"own": 1}, NOTICE | {"sender": "ann"}, NOTICE | {"seq": 0},
    {"ev": "notice.retract", "channel": "room"},
    {"id": 1}, {"id": 1, "ok": {}, "error": {"code": "internal", "message": "sorry"}},
    {"id": 1, "error": {"code": "nonsense", "message": "sorry"}}, {"id": 1, "ok": {"own": 1}},
    {"id": 1, "error": {"code": "internal", "message": "sorry", "own": 1}}, {"id": 0, "ok": {}},
]


@pytest.mark.parametrize("frame", RIGHT, ids=str)
def test_what_is_right_passes(frame):
    shapes.validate(frame, "typing")


@pytest.mark.parametrize("frame", WRONG, ids=ascii)
def test_what_is_wrong_or_unknown_is_noticed(frame):
    with pytest.raises(AssertionError):
        shapes.validate(frame, "typing")


@pytest.mark.parametrize("change", [{"own": 1}, {"own": {"z": None}}, {"key": None}], ids=str)
def test_what_the_protocol_ignores_in_requests_passes(change):
    request = {"id": 1, "op": "message.send", "channel": "room", "data": {"x": None}}
    shapes.validate_request(request | change)


def test_the_schema_as_it_stands_lets_unknown_members_pass():
    shapes.check(MESSAGE | {"own": 1}, "events", "message", is_closed=False)
    shapes.check(MESSAGE | {"own": 1}, "events", is_closed=False)
