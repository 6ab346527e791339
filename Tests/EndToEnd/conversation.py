"""Real input: what people write, and what programs send along. Each line is who says it, the
text, and the JSON text of `data`; either of the two may be None."""

FAMILY = "👨‍👩‍👧‍👦"
MARKS = "".join(chr(0x300 + index % 0x70) for index in range(40))


def zalgo(text):
    return "".join(letter + MARKS for letter in text)


LINES = [
    ("ana", "Hi Ben! 👋", None),
    ("ben", "¡Hola! ¿Qué tal? — „gut“, «bien», 元気ですか", None),
    ("ana", f"This is us: {FAMILY} {FAMILY}, with 👩🏽‍🚀, 🏳️‍🌈, 🏴󠁧󠁢󠁳󠁣󠁴󠁿, 🇩🇪🇫🇷 and 1️⃣", None),
    ("ben", "❤️ is not ❤, and 👍🏻👍🏼👍🏽👍🏾👍🏿 are not 👍", None),
    ("ana", "שלום עולם، مرحبا بالعالم ‏(RTL)‏ \u2067mixed ABC\u2069 \u202bold\u202c", None),
    ("ben", zalgo("He comes"), None),
    ("ana", "\u00e9 is not e\u0301; \u00c5 \u212b A\u030a; \ufb01; \u1e9b\u0323; \ud55c is not "
     "\u1112\u1161\u11ab", None),
    ("ben", "क्षि, நி, กำ, ဂြိုဟ်, བོད་ཡིག, ᚠᛇᚻ, 𝔘𝔫𝔦𝔠𝔬𝔡𝔢, 𠜎𠜱𠝹, 𓂀", None),
    ("ana", "tab\there, lines\nand\r\nlines\rand\u2028and\u2029, \u00a0nb, \u200bzero\ufeff", None),
    ("ben", "\"quoted\", \\back\\slashes\\, </script><!-- &amp; ${x} %s %00 '; DROP TABLE--", None),
    ("ana", "  leading and trailing spaces  ", None),
    ("ben", "\u0001\u0002\u001b[31mcontrol\u001b[0m\u007f\u0080\u009f", None),
    ("ana", "\ufdd0 \ufffe \uffff \ufffd \U0010ffff \ue000", None),
    ("ben", "a" * 5000, None),
    ("ana", "e\u0301" * 5000, None),
    ("ben", FAMILY * 1310 + "x" * 18, None),
    ("ana", "🇩🇪" * 4096, None),
    ("ben", "Z" + "\u0301" * 16383 + "!", None),
    ("ana", None, '{ "poll" : {"question":"Lunch?", "options":[ "🍕","🍜" ]} }'),
    ("ben", "a vote", '{"poll":1, "choice" : 0, "weight":1.0, "big":12345678901234567890123}'),
    ("ana", None, r'["\u0041\/\ud83d\ude00", 1e+400, -0, {"":null,"":0}]'),
    ("ben", None, '"' + FAMILY * 1000 + '"'),
    ("ana", None, "[" * 32 + "]" * 32),
    ("ben", "bye 👋🏽", "false"),
]
