"""The normative text: complete, and its examples are what it says."""

import json
import re

import pytest

import shapes
from hub import REPOSITORY
from test_schema import limits

TEXT = (REPOSITORY / "protocol" / "hub-v1.md").read_text()
CODES = (REPOSITORY / "protocol" / "codes.md").read_text()


def section(title, text=TEXT):
    """A section of the text, by the words of its heading."""
    heading = re.search(rf"^(#+) .*{re.escape(title)}$", text, re.M)
    assert heading, f"there is no section {title!r}"
    rest = text[heading.end():]
    end = re.search(rf"^#{{1,{len(heading[1])}}} ", rest, re.M)
    return rest[:end.start()] if end else rest


def rows(text):
    """The rows of a section's first table; of each first cell the code in it."""
    lines = re.findall(r"^\|(.*)\|$", text, re.M)
    cells = [[cell.strip() for cell in line.split("|")] for line in lines[2:]]
    return [[first.strip("`"), *others] for first, *others in cells]


def test_every_operation_has_a_heading_or_a_place_in_one():
    headings = " ".join(re.findall(r"^#+ .*$", TEXT, re.M))
    assert set(shapes.names("requests")) == set(re.findall(r"`([a-z.]+)`", headings))


def test_every_event_stands_in_the_table():
    events = [row[0] for row in rows(section("12. Events"))]
    assert sorted(events) == sorted(shapes.names("events"))


def test_the_table_of_an_event_names_its_members():
    for name, members, *_ in rows(section("12. Events")):
        schema = shapes.file("events")["$defs"][name]
        own = set(schema["properties"]) - {"ev"} - {
            member for member, each in schema["properties"].items() if each is False}
        assert own <= set(re.findall(r"`([a-z_]+)\??`", members)) or "message object" in members


def test_every_limit_stands_in_the_table_with_its_value():
    table = {name: int(value.replace(",", "")) for name, value, _ in rows(section("16. Limits"))}
    assert table == limits()


def test_what_comes_later_is_not_there_yet():
    later = set(re.findall(r"`([a-z.]+)`", section("17. What comes later")))
    assert {"drain", "ticket"} <= later
    assert not later & {*shapes.names("requests"), *shapes.names("events")} - {"hello"}


def test_the_codes_of_the_schema_are_those_of_the_table():
    table = [row[0] for row in rows(section("Error codes", CODES))]
    assert sorted(table) == sorted(shapes.file("values")["$defs"]["errorCode"]["enum"])


def examples():
    """The messages of each example, in order."""
    blocks = re.findall(r"^```json\n(.*?)^```$", TEXT, re.M | re.S)
    return [[json.loads(line) for line in block.splitlines()] for block in blocks]


@pytest.mark.parametrize("messages", examples(), ids=lambda messages: str(messages[0])[:60])
def test_an_example_is_what_the_schema_says(messages):
    asked = {}
    for message in messages:
        if "op" in message and "ev" not in message:
            shapes.validate_request(message)
            shapes.check(message, "requests", message["op"])
            asked[message.get("id")] = message["op"]
        else:
            shapes.validate(message, asked.get(message.get("id")))
            assert "ev" in message or message["id"] in asked


def test_there_are_examples_of_much():
    ops = {message.get("op") for messages in examples() for message in messages}
    told = {message.get("ev") for messages in examples() for message in messages}
    assert len(ops) > 12 and len(told) > 10
