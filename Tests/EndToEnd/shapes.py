"""The shapes of everything the hub sends, as JSON Schema. Every frame a test receives is held
against them. Adding is allowed by the protocol, so unknown members pass."""

from jsonschema import Draft202012Validator

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
POSITIVE = {"type": "integer", "minimum": 1}
FLAG = {"type": "boolean"}
ANY = {}


def listed(items):
    return {"type": "array", "items": items}


def shape(required=None, optional=None):
    """An object with members that must be there and members that may (or are null)."""
    members = dict(required or {})
    for name, schema in (optional or {}).items():
        members[name] = {"anyOf": [schema, {"type": "null"}]} if schema else ANY
    return {"type": "object", "properties": members, "required": list(required or {})}


ERROR = shape({"code": TEXT, "message": TEXT}, {"retry_after_ms": COUNT})
USER = shape({"id": TEXT, "name": TEXT}, {"bot": FLAG, "username": TEXT, "custom": ANY})
KINDS = {"enum": ["direct", "group", "public", "broadcast"]}
ROLES = {"enum": ["owner", "moderator", "member"]}
ATTACHMENT = shape(
    {"kind": {"enum": ["image", "video", "file", "link", "gif", "sticker", "json"]}})

MESSAGE = shape(
    {"channel": TEXT, "seq": POSITIVE, "user": TEXT, "ts": POSITIVE},
    {"text": TEXT, "attachments": listed(ATTACHMENT), "data": ANY, "mentions": listed(TEXT),
     "reply_to": POSITIVE, "reply_count": COUNT, "bot": FLAG, "key": TEXT})

SUMMARY = shape(
    {"channel": TEXT, "kind": KINDS, "name": TEXT, "member_count": COUNT, "epoch": TEXT,
     "seq": COUNT, "rev": COUNT, "updated_ts": POSITIVE},
    {"details": TEXT, "avatar": TEXT, "custom": ANY, "present_count": COUNT,
     "last_message": MESSAGE, "unread": COUNT, "mentions": COUNT, "read": COUNT, "role": ROLES,
     "muted": FLAG})

COUNTS = shape({"unseen": COUNT, "unread": COUNT, "by_type": {
    "type": "object", "additionalProperties": COUNT}})
ITEM = shape(
    {"id": TEXT, "type": TEXT, "text": TEXT, "ts": POSITIVE, "count": POSITIVE, "by": TEXT,
     "state": {"enum": ["unseen", "seen", "read", "archived"]}},
    {"actor": TEXT, "title": TEXT, "target": shape({"kind": TEXT, "id": TEXT}), "data": ANY,
     "actors": ANY, "expires_ts": POSITIVE})

WELCOME = shape({
    "user": USER, "session": TEXT, "protocol": {"const": 1}, "server_ts": POSITIVE,
    "heartbeat_ms": {"const": 25000},
    "limits": {"type": "object", "required": ["message", "text", "recover", "list"]},
    "user_stream": shape({"at": TEXT, "recovered": FLAG, "channels": listed(SUMMARY)})})
SUBSCRIBED = shape({
    "epoch": TEXT, "seq": COUNT, "rev": COUNT, "recovered": FLAG, "messages": listed(MESSAGE)})

READ_BY = shape({"channel": TEXT, "read_by": {
    "type": "object", "propertyNames": {"pattern": "^[1-9][0-9]*$"},
    "additionalProperties": COUNT}})
RECEIPT = shape({"channel": TEXT, "user": TEXT, "read": COUNT, "delivered": COUNT})

EVENTS = {
    "message": MESSAGE,
    "typing": {"anyOf": [
        shape({"channel": TEXT, "users": listed(TEXT)}),
        shape({"channel": TEXT, "count": POSITIVE})]},
    "receipt": {"anyOf": [RECEIPT, READ_BY]},
    "member": shape(
        {"channel": TEXT, "user": TEXT, "change": {
            "enum": ["joined", "left", "removed", "banned", "updated"]}},
        {"role": ROLES}),
    "channel.created": shape({"channel": TEXT, "summary": SUMMARY}),
    "unread": shape({
        "channel": TEXT, "unread": {"type": "integer", "minimum": 0, "maximum": 1000},
        "mentions": COUNT, "total": COUNT, "at": COUNT}),
    "inbox.added": {"allOf": [
        shape({"counts": COUNTS, "at": POSITIVE}, {"item": ITEM, "ids": listed(TEXT)}),
        {"anyOf": [{"required": ["item"]}, {"required": ["ids"]}]}]},
    "unsubscribed": shape({
        "channel": TEXT, "reason": {"enum": ["left", "removed", "banned", "deleted"]}}),
    "error": shape({"error": ERROR}, {"op": TEXT}),
}

EVENT_VALIDATORS = {name: Draft202012Validator(schema) for name, schema in EVENTS.items()}
REPLY = Draft202012Validator({
    "type": "object", "required": ["id"],
    "properties": {"id": {"type": "integer"}, "ok": {"type": "object"}, "error": ERROR},
    "oneOf": [{"required": ["ok"]}, {"required": ["error"]}]})


def validate(frame):
    """Fails unless a received frame is a reply or an event of the right shape."""
    if "ev" not in frame:
        REPLY.validate(frame)
        return
    assert "id" not in frame, f"an event with an id: {frame}"
    if frame["ev"] in EVENT_VALIDATORS:
        EVENT_VALIDATORS[frame["ev"]].validate(frame)


def assert_shape(value, schema):
    Draft202012Validator(schema).validate(value)
