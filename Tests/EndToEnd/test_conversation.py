"""Two people and a bot, with real input, compared byte for byte at every receiver."""

import json

from client import compact, refused
from conversation import LINES
from stage import run, seqs, summary_of
from text import raw_at


def members(channel, text, data):
    """The arguments of a line as JSON text."""
    parts = [f'"channel":{json.dumps(channel)}']
    if text is not None:
        parts.append(f'"text":{compact(text)}')
    if data is not None:
        parts.append(f'"data":{data}')
    return ",".join(parts)


def assert_line(message, raw, path, line):
    """Compares a received message with what was said, its text as bytes, its data as JSON text."""
    _, text, data = line
    got = message.get("text")
    assert (got and got.encode()) == (text and text.encode()), line
    if data is None:
        assert "data" not in message, line
    else:
        assert raw_at(raw, *path, "data") == data, line


async def hold(people, room):
    """Everybody says their lines, each as the answer to the one before."""
    for who, text, data in LINES:
        await people[who].request_raw("message.send", members(room, text, data))


@run
async def test_a_conversation_arrives_as_it_was_said_at_every_receiver(stage):
    ana, ben = await stage.people("ana", "ben")
    bot = await stage.bot()
    people = {"ana": ana, "ben": ben}
    room = await stage.shared_room(ana, ben, bot)
    phone = await stage.again(ben)
    start = await phone.request("subscribe", channel=room)
    await hold(people, room)
    for receiver in (ana, ben, bot, phone):
        for seq, line in enumerate(LINES, 1):
            event = await receiver.expect("message")
            assert (event["seq"], event["user"]) == (seq, people[line[0]].user)
            assert_line(event, event.raw, (), line)
    late = await stage.again(ana)
    since = {"epoch": start["epoch"], "seq": 0}
    for reply in (await late.request("subscribe", channel=room, since=since),
                  await late.request("subscribe", channel=room, limit=300),
                  await late.request("message.history", channel=room, after=0)):
        assert seqs(reply["messages"]) == list(range(1, len(LINES) + 1))
        for index, line in enumerate(LINES):
            path = ("ok", "messages", index)
            assert_line(reply["messages"][index], reply.raw, path, line)


@run
async def test_two_people_and_a_bot_chat(stage):
    ana, ben = await stage.people("ana", "ben")
    bot = await stage.bot()
    room = await stage.shared_room(ana, ben, bot)

    await ana.request("typing", channel=room, on=True)
    for client in (ana, ben, bot):
        assert (await client.expect("typing"))["users"] == [ana.user]
    await ana.request("message.send", channel=room, text="what is the weather?", key="a-1")
    for client in (ana, ben, bot):
        assert (await client.expect("typing"))["users"] == []
        assert (await client.expect("message"))["text"] == "what is the weather?"

    await bot.request("message.send", channel=room, text="☀️ 21°", reply_to=1, hops=1,
                      data={"celsius": 21.0}, mentions=[ana.user])
    answer = await ana.expect("message")
    assert (answer["bot"], answer["reply_to"], answer["seq"]) == (True, 1, 2)
    assert (await ana.expect("inbox.added"))["item"]["type"] == "reply"
    unread = await ben.expect("unread", channel=room, at=2)
    assert (unread["unread"], unread["mentions"], unread["total"]) == (2, 0, 2)

    await ben.request("read", channel=room, seq=2)
    for client in (ana, bot):
        receipt = await client.expect("receipt", user=ben.user)
        assert (receipt["read"], receipt["delivered"]) == (2, 2)
    assert (await ben.expect("unread", channel=room, unread=0))["total"] == 0

    await bot.request("notify", to=[ana.user, ben.user], type="system", text="☔ tomorrow")
    for client, unseen in ((ana, 2), (ben, 1)):
        added = await client.expect("inbox.added")
        assert (added["item"]["text"], added["counts"]["unseen"]) == ("☔ tomorrow", unseen)

    await ben.request("channel.leave", channel=room)
    assert (await ana.expect("member"))["change"] == "left"
    await refused(ben.request("message.send", channel=room, text="x"), "not_found")
    assert (await summary_of(ana, room))["member_count"] == 2
