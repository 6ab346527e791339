"""The golden vectors against the schema: what the hub takes, refuses and says."""

import json

import pytest

import shapes
from hub import REPOSITORY

VECTORS = REPOSITORY / "protocol" / "vectors"

# Refused requests that the schema lets pass, and why it cannot do better.
BEYOND_SCHEMA = {
    "message.send with a URL twice": "a JSON reader keeps one of two members of equal name",
    "message.edit with text of 5,001 characters": "no keyword counts grapheme clusters",
    "user.update with a username that is longer in lower case": "no keyword changes the case",
    "notify a segment with the same key twice": "a JSON reader keeps one of two members",
    "notify a segment with the same key twice, once escaped": "the same",
    "notify.retract from a segment with the same key twice": "the same",
    "user.put with the same id twice": "`uniqueItems` compares whole entries",
}

# `ok` of some replies and the operation they answer, where the vector's name is not that of one.
ANSWERS = {"empty": "unsubscribe", "channel": "channel.get", "channels": "channel.list"}


def vectors(name):
    """The vectors of a file; the name of each is its test's."""
    read = json.loads((VECTORS / f"{name}.json").read_text())
    return [pytest.param(vector, id=vector["name"]) for vector in read]


def refusals(vector):
    """What a vector's request is refused for, as far as shapes are concerned."""
    return vector.get("refused", {}).get("code")


REQUESTS = vectors("requests")
ACCEPTED = [each for each in REQUESTS if "request" in each.values[0]]
REFUSED = [each for each in REQUESTS
           if refusals(each.values[0]) in ("bad_request", "too_large")]


def parsed(text):
    """The request in a text; the last of two members of equal name counts."""
    return shapes.present(json.loads(text))


@pytest.mark.parametrize("vector", ACCEPTED)
def test_an_accepted_request_is_valid(vector):
    for text in (vector["in"], vector["request"]):
        shapes.validate_request(parsed(text))


@pytest.mark.parametrize("vector", ACCEPTED)
def test_the_schema_names_every_argument_that_the_hub_reads(vector):
    request = json.loads(vector["request"])
    shapes.check(request, "requests", request["op"])


def refuses(request):
    op = request.get("op")
    if op not in shapes.names("requests"):
        return True
    return not shapes.validator("requests", op, is_closed=False).is_valid(request)


@pytest.mark.parametrize("vector", REFUSED)
def test_a_request_of_the_wrong_shape_is_not_valid(vector):
    expected = vector["name"] not in BEYOND_SCHEMA
    assert refuses(parsed(vector["in"])) is expected


def test_every_exception_is_a_vector():
    assert set(BEYOND_SCHEMA) <= {each.id for each in REFUSED}


def answered(name):
    """The operation that the reply of this name answers."""
    words = name.split()
    op = ANSWERS.get(words[0], words[0])
    assert op in shapes.names("requests"), f"{name!r} does not begin with an operation"
    return op


def said(text):
    """What a text of the hub says. The vectors are the codec's alone: to a channel summary without
    a name the hub, before it is written, adds the channel's own."""
    def named(members):
        is_summary = "member_count" in members
        return {"name": members["channel"]} | members if is_summary else members

    return json.loads(text, object_hook=named)


@pytest.mark.parametrize("vector", vectors("replies"))
def test_a_reply_is_valid(vector):
    reply = said(vector["out"])
    shapes.validate(reply, answered(vector["name"]) if "ok" in reply else None)


@pytest.mark.parametrize("vector", vectors("events"))
def test_an_event_is_valid(vector):
    shapes.validate(said(vector["out"]))


def test_every_operation_and_every_event_has_a_vector():
    accepted = {json.loads(each.values[0]["request"])["op"] for each in ACCEPTED}
    told = {json.loads(each.values[0]["out"])["ev"] for each in vectors("events")}
    assert accepted == set(shapes.names("requests"))
    assert told == set(shapes.names("events"))
