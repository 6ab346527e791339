"""Search: which words find which messages, in which order, and page by page."""

import pytest

from archive import author, displace, found, listed, pages, span
from chat import code_of, message_at
from client import refused
from stage import fill, run, say, seqs

HUB_FLAGS = {"window-memory": "1MiB"}


async def search(client, q, **arguments):
    return await client.request("message.search", q=q, **arguments)


async def numbers(client, q, channel):
    """Where in a channel a search finds something, newest first."""
    return [seq for _, seq in await found(client, q, channel=channel)]


# Words

ANIMALS = [
    "The walrus and the carpenter",     # 1
    "A WALRUS, an otter; a walrus!",    # 2
    "walruses of the north",            # 3
    "the carpenter's otter-hound",      # 4
    "nothing at all",                   # 5
    "semi wal rus",                     # 6
    "snake_case x86-64 v1.2.3",         # 7
]
WORDS = [
    ("walrus", [3, 2, 1]), ("walruses", [3]), ("wal", [6, 3, 2, 1]), ("w", [6, 3, 2, 1]),
    ("alrus", []), ("WALRUS", [3, 2, 1]), ("wAlRuS aNd", [1]), ("walrus carpenter", [1]),
    ("carpenter walrus", [1]), ("carpenter wal", [1]), ("wal carpenter", []),
    ("walrus otter", [2]), ("otter walrus", [2]), ("otter", [4, 2]), ("hound otter", [4]),
    ("carpenter", [4, 1]), ("carpenter's", [4]), ("walrus zebra", []), ("zebra", []),
    ("the the the", [4, 3, 1]), ("  walrus\t\n carpenter  ", [1]), ("north of walruses", [3]),
    ("walrus,carpenter", [1]), ("x86-64", [7]), ("v1.2", [7]), ("snake_case", [7]),
]


@run
async def test_all_words_must_be_there_and_the_last_may_be_begun(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await say(ana, room, *ANIMALS)
    for q, expected in WORDS:
        assert await numbers(ana, q, room) == expected, q


FOLDED = [
    ("Crème Brûlée à la carte", ["creme brulee", "CRÈME", "crème brûl", "cre\u0300me", "A LA"]),
    ("nai\u0308ve re\u0301sume\u0301", ["naive resume", "naïve", "RÉSUMÉ"]),
    ("Ångström Łódź ñandú", ["angstrom", "ångström", "nandu", "Ñandú"]),
    ("ПРИВЕТ, Мир", ["привет мир", "мир Прив"]), ("Καλημέρα", ["καλημέρα", "ΚΑΛΗΜΈΡΑ", "Καλη"]),
    ("שלום עולם", ["שלום", "עולם שלום"]), ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
    ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]), ("Tiếng Việt", ["tieng viet", "Tiếng"]),
]


@run
async def test_case_and_diacritics_do_not_matter_in_any_script(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await say(ana, room, *(text for text, _ in FOLDED))
    for seq, (_, queries) in enumerate(FOLDED, 1):
        for q in queries:
            assert await numbers(ana, q, room) == [seq], q


UNSPACED = [
    ("你好世界", ["你好", "世界", "你好世界", "好世", "你", "界", "世界 你好"]),
    ("Swift编程语言真好", ["swift", "编程", "语言", "编程语言", "swift编程", "编程 swift"]),
    ("さくらの花、カタカナ", ["さくら", "くら", "花", "カタ", "タカナ", "カタカナ さくら"]),
    ("안녕하세요 세계", ["안녕", "하세요", "세계 안녕", "녕하"]),
    ("สวัสดีชาวโลก", ["สวัสดีชาวโลก", "สวัสดี", "ชาวโลก"]),
]


@run
async def test_scripts_without_spaces_are_found_by_any_part(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await say(ana, room, *(text for text, _ in UNSPACED))
    for seq, (_, queries) in enumerate(UNSPACED, 1):
        for q in queries:
            assert await numbers(ana, q, room) == [seq], q
    for q in ("世好", "你界", "界世", "你好世界人", "言语", "らく", "세녕"):
        assert await numbers(ana, q, room) == [], q


@run
async def test_words_among_emoji_are_found_and_emoji_do_no_harm(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await say(ana, room, "🎉party🎉 👨‍👩‍👧 tonight 👍🏽", "party", "🎉", "just talk")
    assert await numbers(ana, "party", room) == [2, 1]
    assert await numbers(ana, "party tonight", room) == [1]
    assert 4 not in await numbers(ana, "🎉", room)
    assert 1 in await numbers(ana, "🎉 party", room)
    for q in ("👨‍👩‍👧", "👍🏽", "🏳️‍🌈" * 10):
        assert set(await numbers(ana, q, room)) <= {1, 3}, q


# What means something to a search engine means nothing here: the words alone count.
OPERATORS = [
    ('"walrus"', [2, 1]), ('"walrus', [2, 1]), ('wal"rus', []), ("walrus*", [2, 1]),
    ("*walrus", [2, 1]), ("wal*", [2, 1]), ("-walrus", [2, 1]), ("otter -walrus", [2]),
    ("NOT walrus", []), ("walrus OR otter", []), ("walrus AND otter", []), ("near", []),
    ("NEAR(walrus otter)", []), ("NEAR(walrus otter, 5)", []), ("^walrus", [2, 1]),
    ("text:walrus", []), ("body : walrus", []), ("{walrus}", [2, 1]), ("walrus + otter", [2]),
    ("(walrus", [2, 1]), ("walrus)", [2, 1]), ("'walrus'", [2, 1]), ("walrus'; DROP TABLE x", []),
    ("walrus\\", [2, 1]), ("%walrus%", [2, 1]), ("wal_us", []), ("wal?us", []), ("[w]alrus", []),
    ("walrus\u0001", [2, 1]), ("\ufeffwalrus", [2, 1]), ("walrus\u202e", [2, 1]),
]
EMPTY = ['"', '""', "*", "-", "()", "'", "!?", "...", "   ", "\t", "\u3000", "^", ":", "+", "\\"]


@run
async def test_operators_of_search_engines_are_plain_text(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await say(ana, room, "one walrus", "walrus, otter", "otter")
    for q, expected in OPERATORS:
        assert await numbers(ana, q, room) == expected, q


@run
async def test_a_query_without_words_finds_nothing(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await say(ana, room, "one", *EMPTY[:8])
    for q in EMPTY:
        assert await numbers(ana, q, room) == [], q
    for q in ("", "a\u0000b"):
        await refused(search(ana, q), "bad_request")


@run
async def test_a_query_has_at_most_256_bytes(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await say(ana, room, "x" * 256, "a " * 128, "語" * 85)
    assert await numbers(ana, "x" * 256, room) == [1]
    assert await numbers(ana, "a " * 127 + "a", room) == [2]
    assert await numbers(ana, "語" * 85, room) == [3]
    for q in ("x" * 257, "語" * 86, "a " * 129):
        await refused(search(ana, q), "bad_request", "too_large")


@run
async def test_text_of_any_length_is_found_to_its_end(stage):
    ana = await stage.person()
    room = await stage.room(ana)
    await say(ana, room, "lorem ipsum " * 400 + "zanzibar", "語" * 4000 + "終")
    assert await numbers(ana, "lorem zanzibar", room) == [1]
    assert await numbers(ana, "語終", room) == [2]


# Order and pages

@run
async def test_what_is_found_comes_newest_first_as_history_shows_it(stage):
    ana, ben = await stage.people("ana", "ben")
    rooms = [await stage.room(ana, ben) for _ in range(3)]
    expected = []
    for number in range(30):
        room = rooms[number * 7 % 3]
        [seq] = await say(ana, room, f"walrus {number}")
        expected.insert(0, (room, seq))
    assert await found(ben, "walrus") == expected
    await ben.request("reaction.add", channel=rooms[0], seq=1, reaction="👍")
    await ana.request("message.send", channel=rooms[0], text="answer", reply_to=1)
    for message in (await search(ben, "walrus"))["messages"]:
        assert message == await message_at(ben, message["channel"], message["seq"])
    assert await found(ben, "answer") == [(rooms[0], 11)]


@pytest.mark.parametrize("limit", [1, 7, 50, 100])
@run
async def test_pages_together_are_everything_though_more_is_sent(stage, limit):
    ana = await author(stage)
    rooms = [await stage.room(ana) for _ in range(2)]
    for index in range(6):
        await say(ana, rooms[index % 2], *["walrus", "otter"] * 15)
    whole = await found(ana, "walrus", limit=100)
    assert len(whole) == 90
    places, cursor = [], None
    while True:
        page = await search(ana, "walrus", limit=limit, cursor=cursor)
        assert len(page["messages"]) <= limit
        places += [(each["channel"], each["seq"]) for each in page["messages"]]
        if not (cursor := page.get("cursor")):
            break
        await say(ana, rooms[0], "walrus again")
    assert places == whole
    assert len((await search(ana, "walrus"))["messages"]) == 50


@run
async def test_large_messages_are_found_in_pages_of_bounded_size(stage):
    ana = await author(stage)
    room = await stage.room(ana)
    await ana.many("message.send", [
        {"channel": room, "text": "walrus", "data": "x" * 100_000}] * 12)
    messages, count = await listed(ana, "message.search", q="walrus")
    assert seqs(messages) == span(1, 12)[::-1] and count > 2


@run
async def test_one_word_is_found_in_a_long_history(stage):
    ana = await author(stage)
    room = await stage.room(ana)
    await fill(ana, room, 1500)
    await say(ana, room, "walrus")
    await fill(ana, room, 1500)
    await displace(stage)
    assert await numbers(ana, "walrus", room) == [1501]
    assert await numbers(ana, "message 1499", room) == [3000, 1499]
    assert len(await numbers(ana, "message", room)) == 3000
    assert seqs(await pages(ana, room)) == span(1, 3001)


@run
async def test_a_find_beneath_much_that_others_wrote_is_reached(stage):
    """The hub may end a page early; the cursor then leads on."""
    ana, others = await author(stage), await author(stage, "others")
    mine, theirs = await stage.room(ana), await stage.room(others)
    await say(ana, mine, "walrus")
    for _ in range(5):
        await others.many("message.send", [{"channel": theirs, "text": "walrus"}] * 5000)
    assert await found(ana, "walrus") == [(mine, 1)]
    assert await found(ana, "walrus", channel=mine) == [(mine, 1)]


# Read your writes

@run
async def test_a_message_is_found_as_soon_as_it_is_acknowledged(stage):
    ana, ben = await stage.people("ana", "ben")
    room = await stage.room(ana, ben)
    for number in range(10, 70):
        [seq] = await say(ana, room, f"walrus{number}")
        client = (ana, ben)[number % 2]
        assert await numbers(client, f"walrus{number}", room) == [seq] == [number - 9]
    for number in range(10, 70, 3):
        at = {"channel": room, "seq": number - 9}
        await ana.request("message.edit", **at, text=f"otter{number}")
        assert await numbers(ben, f"otter{number}", room) == [number - 9]
        assert await numbers(ben, f"walrus{number}", room) == []
        await ana.request("message.delete", **at)
        assert await numbers(ben, f"otter{number}", room) == []
    assert await code_of(search(ana, "walrus", cursor="no such cursor")) == "bad_request"
