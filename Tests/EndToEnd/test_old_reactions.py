"""Reactions to messages that have left memory, counted exactly however many there are at once; and
everything that changes old messages at once."""

import asyncio

from archive import OLD, author, displace, old_room, pages, subscribed
from chat import members, message_at, past, without
from client import HubError, refused
from replica import Replica
from stage import fill, run, summary_of

HUB_FLAGS = {"window-memory": "1MiB"}

# Reactions

@run
async def test_reactions_to_an_old_message_are_counted_exactly(stage, rng):
    people = [await author(stage) for _ in range(12)]
    room = await old_room(stage, *people, kind="public")
    await subscribed(room, people[0])
    made = {"👍": set(), "🎉": set()}

    async def like(client):
        for _ in range(12):
            reaction, on = rng.choice("👍🎉"), rng.random() < 0.6
            await client.request("reaction.add" if on else "reaction.remove",
                                 channel=room, seq=1, reaction=reaction)
            (made[reaction].add if on else made[reaction].discard)(client.user)

    await asyncio.gather(*(like(client) for client in people))
    await people[0].ping()
    counted = {"👍": set(), "🎉": set()}
    for rev, event in enumerate(people[0].events("reaction"), 1):
        users = counted[event["reaction"]]
        assert event["rev"] == rev and (event["user"] in users) is not event["on"], event
        (users.add if event["on"] else users.discard)(event["user"])
        assert event["count"] == len(users), event
    assert counted == made
    for client in people:
        shown = (await message_at(client, room, 1)).get("reactions", {})
        assert shown == {
            name: {"count": len(users)} | ({"mine": True} if client.user in users else {})
            for name, users in made.items() if users}


@run
async def test_likes_of_many_old_messages_at_once_all_count(stage, rng):
    people = [await author(stage) for _ in range(5)]
    room = await old_room(stage, *people, texts=["post"] * 400)
    await asyncio.gather(*(client.many("reaction.add", [
        {"channel": room, "seq": seq, "reaction": "👍"} for seq in rng.sample(range(1, 401), 400)])
        for client in people))
    liked = await pages(people[0], room)
    assert [each.get("reactions") for each in liked] == \
        [{"👍": {"count": 5, "mine": True}}] * 400 + [None] * OLD
    assert (await summary_of(people[0], room))["rev"] == 2000


@run
async def test_a_reaction_to_an_old_message_made_twice_is_one(stage):
    ana, ben = await author(stage), await stage.person("ben")
    room = await old_room(stage, ana, ben)
    await subscribed(room, ana)
    react = {"channel": room, "seq": 3, "reaction": "👍"}
    for op in ("reaction.remove", "reaction.add", "reaction.add", "reaction.remove",
               "reaction.remove"):
        await displace(stage, 1 << 20)
        assert await ben.request(op, **react) == {}
    await ana.ping()
    told = [(event["on"], event["count"], event["rev"]) for event in ana.events("reaction")]
    assert told == [(True, 1, 1), (False, 0, 2)]
    assert "reactions" not in await message_at(ben, room, 3)


@run
async def test_an_old_message_takes_100_different_reactions(stage):
    ana = await author(stage)
    room = await old_room(stage, ana)
    for start in (0, 50):
        for number in range(start, start + 50):
            await ana.request("reaction.add", channel=room, seq=1, reaction=f"r{number}")
        await displace(stage, 1 << 20)
    await refused(
        ana.request("reaction.add", channel=room, seq=1, reaction="one more"), "too_large")
    assert len((await message_at(ana, room, 1))["reactions"]) == 100


# All of it at once

async def patient(client, op, **arguments):
    """The code of an answer; what the hub cannot do now is asked again when it says so."""
    while True:
        try:
            await client.request(op, **arguments)
            return "ok"
        except HubError as error:
            if error.code != "unavailable":
                return error.code
            await past(client, await client.ping() + error.retry_after_ms)


@run
async def test_a_copy_kept_by_events_equals_the_history(stage, rng):
    """People change anything of a long channel; what events told is what pages then show."""
    people = [await author(stage) for _ in range(4)]
    room = await stage.room(*people)
    for person in people * 2:
        await fill(person, room, 300)
    copy = Replica(room, people[0].user)
    listener = await author(stage, "listener")
    await people[0].request("member.add", channel=room, users=[listener.user])
    copy.user, copy.at = listener.user, {"epoch": "", "seq": 2400, "rev": 0}
    await subscribed(room, listener)
    for message in await pages(listener, room):
        copy.keep(message)

    async def meddle(client):
        for _ in range(150):
            at = {"channel": room, "seq": rng.randrange(1, 2400)}
            text = f"{client.user} {rng.random()}"
            op, more = rng.choice([
                ("message.send", {"text": text, "reply_to": at["seq"]}),
                ("message.edit", {"text": text}), ("message.edit", {"data": text * 20}),
                ("message.delete", {}), ("reaction.add", {"reaction": rng.choice("👍🎉x")}),
                ("reaction.add", {"reaction": "👍"}), ("reaction.remove", {"reaction": "👍"})])
            code = await patient(client, op, **at | more)
            assert code in ("ok", "forbidden", "conflict"), (op, code)

    await asyncio.gather(*(meddle(client) for client in people), meddle(listener),
                         displace(stage, 2 << 20))
    await listener.ping()
    for event in listener.pending:
        copy.take(event)
    shown = await pages(listener, room, backwards=True)
    assert [without(each, "reply_count") for each in shown] == copy.messages
    for message in shown:
        count = sum(each.get("reply_to") == message["seq"] and "deleted_ts" not in each
                    for each in shown)
        assert message.get("reply_count", 0) == count
    assert len(await members(listener, room)) == 5 and copy.at["rev"] > 100
