"""Messages: order, texts, attachments, mentions, threads, and sending once."""

import asyncio

import pytest

from client import refused
from stage import fill, run, say, seqs

FAMILY = "👨‍👩‍👧‍👦"  # one character of 25 bytes
FLAG = "🇩🇪"  # one character of 8 bytes


@run
async def test_a_message_reaches_everybody_subscribed_its_sender_included(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    elsewhere = await stage.again(ana)
    await elsewhere.request("subscribe", channel=room)
    sent = await ana.request("message.send", channel=room, text="hello")
    for client in (ana, elsewhere, ben):
        event = await client.expect("message", channel=room)
        got = {key: event[key] for key in ("seq", "ts", "user", "text")}
        assert got == {"seq": 1, "ts": sent["ts"], "user": ana.user, "text": "hello"}
    assert sent["seq"] == 1 and not sent.get("duplicate")


@run
async def test_everybody_sees_the_messages_of_many_in_one_order(stage):
    people = await stage.people("ana", "ben", "cy")
    room = await stage.shared_room(*people)
    await asyncio.gather(*(fill(person, room, 100) for person in people))
    for person in people:
        await person.expect("message", seq=300)
    first, *others = [person.events("message") for person in people]
    assert seqs(first) == list(range(1, 301))
    times = [event["ts"] for event in first]
    assert times == sorted(times)
    assert all(other == first for other in others)
    for person in people:
        own = [event["text"] for event in first if event["user"] == person.user]
        assert own == [f"message {index}" for index in range(1, 101)]


TEXTS = {
    "5,000 letters": ("a" * 5000, None),
    "5,001 letters": ("a" * 5001, "too_large"),
    "5,000 composed": ("e\u0301" * 5000, None),
    "5,001 composed": ("e\u0301" * 5001, "too_large"),
    "5,000 line ends of two code points": ("\r\n" * 5000, None),
    "32 KiB of families": (FAMILY * 1310 + "a" * 18, None),
    "32 KiB of families and a byte": (FAMILY * 1310 + "a" * 19, "too_large"),
    "32 KiB of flags": (FLAG * 4096, None),
    "32 KiB of flags and a byte": (FLAG * 4096 + "a", "too_large"),
    "5,000 families are too many bytes": (FAMILY * 5000, "too_large"),
    "one character of 32 KiB": ("aZ" + "\u0301" * 16383, None),
    "one character": (FAMILY, None),
    "nothing": ("", "bad_request"),
    "a NUL": ("a\u0000b", "bad_request"),
    "only a NUL": ("\u0000", "bad_request"),
    "other control characters": ("a\u0001\u001f\u007f\t\r\n", None),
    "noncharacters": ("\ufffe\uffff\U0010ffff\ufdd0", None),
    "right to left": ("\u202eשלום، عالم\u202c", None),
}


@pytest.mark.parametrize("text, error", TEXTS.values(), ids=TEXTS.keys())
@run
async def test_texts_are_kept_or_refused_by_their_size(stage, text, error):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    if error:
        await refused(ana.request("message.send", channel=room, text=text), error)
        await ben.nothing("message")
        return
    await ana.request("message.send", channel=room, text=text)
    assert (await ben.expect("message"))["text"] == text


ESCAPED = {
    r'"\ud83d\ude00"': "😀", r'"\u0041\u00e9\/"': "Aé/", r'"a\"b\\c"': 'a"b\\c',
    r'"\u202e\u0085"': "\u202e\u0085",
}


@pytest.mark.parametrize("literal, text", ESCAPED.items())
@run
async def test_an_escaped_text_means_what_it_says(stage, literal, text):
    ana = await stage.person()
    room = await stage.shared_room(ana)
    await ana.request_raw("message.send", f'"channel":"{room}","text":{literal}')
    assert (await ana.expect("message"))["text"] == text


@pytest.mark.parametrize("literal", [
    r'"\ud83d"', r'"\ude00"', r'"\ude00\ud83d"', r'"a\ud83db"', r'"\ud83d\u0041"', r'"\u0000"'])
@run
async def test_a_lone_surrogate_or_nul_is_a_bad_request(stage, literal):
    ana = await stage.person()
    room = await stage.shared_room(ana)
    await refused(ana.request_raw(
        "message.send", f'"channel":"{room}","text":{literal}'), "bad_request")
    await ana.nothing("message")


@pytest.mark.parametrize("kind", ["image", "video", "file", "link", "gif", "sticker", "json"])
@run
async def test_every_kind_of_attachment_is_delivered(stage, kind):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    attachment = {"kind": kind, "url": "https://example.com/ä?b=c#d"}
    await ana.request("message.send", channel=room, attachments=[attachment])
    [got] = (await ben.expect("message"))["attachments"]
    assert attachment.items() <= got.items()


@pytest.mark.parametrize("attachments", [
    "x", {"kind": "image"}, ["x"], [{}], [{"kind": "virus", "url": "http://example.com"}],
    [{"kind": "image", "url": "javascript:alert(1)"}], [{"kind": "link", "url": 5}],
    [{"kind": "link", "url": "ftp://example.com"}], [{"kind": "image", "url": "data:,x"}],
], ids=str)
@run
async def test_a_bad_attachment_is_a_bad_request(stage, attachments):
    ana = await stage.person()
    room = await stage.room(ana)
    await refused(ana.request(
        "message.send", channel=room, text="x", attachments=attachments), "bad_request")


@run
async def test_mentions_of_people_are_delivered_and_unknown_ones_not_found(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await ben.request("message.send", channel=room, text="x", mentions=[ana.user])
    assert (await ana.expect("message"))["mentions"] == [ana.user]
    await refused(ben.request(
        "message.send", channel=room, text="x", mentions=[ana.user, "nobody-at-all"]), "not_found")
    await ana.nothing("message")


@run
async def test_the_whole_channel_is_mentioned_by_moderators_only(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await refused(ben.request(
        "message.send", channel=room, text="x", mentions=["@channel"]), "forbidden")
    await ana.request("message.send", channel=room, text="x", mentions=["@channel"])
    assert (await ben.expect("message"))["mentions"] == ["@channel"]


@run
async def test_a_bots_message_says_so_and_stops_at_eight_hops(stage):
    bot, ben = await stage.bot(), await stage.person("ben")
    room = await stage.shared_room(bot, ben)
    await bot.request("message.send", channel=room, text="x", hops=8)
    assert (await ben.expect("message"))["bot"] is True
    await refused(bot.request("message.send", channel=room, text="x", hops=9), "forbidden")
    await ben.nothing("message")


@run
async def test_replies_are_counted_on_what_they_reply_to(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    await say(ana, room, "question", "other")
    for text in ("answer", "another"):
        await ben.request("message.send", channel=room, text=text, reply_to=1)
    assert (await ana.expect("message", text="answer"))["reply_to"] == 1
    history = (await ana.request("message.history", channel=room, after=0))["messages"]
    assert [message.get("reply_count") or 0 for message in history] == [2, 0, 0, 0]
    await refused(ben.request(
        "message.send", channel=room, text="x", reply_to=99), "not_found")


# Sending once

async def send(client, channel, text, key):
    return await client.request("message.send", channel=channel, text=text, key=key)


@run
async def test_the_same_key_again_answers_the_first_seq_and_delivers_nothing(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    first = await send(ana, room, "once", "k")
    await send(ana, room, "between", "other")
    again = await send(ana, room, "a different payload", "k")
    elsewhere = await send(await stage.again(ana), room, "from another device", "k")
    for reply in (again, elsewhere):
        assert (reply["seq"], reply["ts"], reply["duplicate"]) == (first["seq"], first["ts"], True)
    await ben.nothing("message", seq=lambda seq: seq > 2)
    assert [event["text"] for event in ben.events("message")] == ["once", "between"]


@run
async def test_of_many_sends_with_one_key_at_once_one_is_delivered(stage):
    ana = await stage.person()
    devices = [ana, await stage.again(ana), await stage.again(ana)]
    room = await stage.shared_room(ana)
    every = [{"channel": room, "text": "x", "key": "k"}] * 10
    replies = sum(await asyncio.gather(*(d.many("message.send", every) for d in devices)), [])
    assert sum(not reply.get("duplicate") for reply in replies) == 1
    assert {reply["seq"] for reply in replies} == {1}
    await ana.nothing("message", seq=lambda seq: seq > 1)


@run
async def test_a_key_belongs_to_one_sender_and_one_channel(stage):
    ana, ben = await stage.people("ana", "ben")
    room, other = await stage.room(ana, ben), await stage.room(ana, ben)
    replies = [await send(ana, room, "x", "k"), await send(ben, room, "x", "k"),
               await send(ana, other, "x", "k")]
    assert not any(reply.get("duplicate") for reply in replies)
    assert seqs(replies) == [1, 2, 1]


@run
async def test_a_key_is_shown_to_its_sender_only(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.shared_room(ana, ben)
    elsewhere = await stage.again(ana)
    await elsewhere.request("subscribe", channel=room)
    await send(ana, room, "x", "secret")
    for client, key in ((ana, "secret"), (elsewhere, "secret"), (ben, None)):
        seen = [await client.expect("message")]
        seen += (await client.request("message.history", channel=room, before=9))["messages"]
        seen += (await client.request("subscribe", channel=room, limit=5))["messages"]
        assert [message.get("key") for message in seen] == [key] * 3


@run
async def test_a_refused_send_does_not_use_up_its_key(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await refused(send(ana, room, "x" * 5001, "k"), "too_large")
    assert not (await send(ana, room, "x", "k")).get("duplicate")


@run
async def test_a_key_has_at_most_64_bytes(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await send(ana, room, "x", "k" * 64)
    await send(ana, room, "x", "é" * 32)
    for key in ("k" * 65, "é" * 33):
        await refused(send(ana, room, "x", key), "bad_request", "too_large")
