from __future__ import annotations

import unicodedata

from hypothesis import assume, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memory.errors import MessageRefused
from memory.ingestion.normalisation import clean_message, normalise
from memory.store.database import Database
from memory.types import MAX_MESSAGE_CHARS
from tests.tables import refusal

any_text = st.text(st.characters(), max_size=200) | st.text(
    st.sampled_from("ab \t\r\n\x00\x1b\x85\u200b\u2028\ud83d\ude00\u0301\u0958ﬀ🙂"), max_size=40
)
HOSTILE = [
    "a\x00b",
    "\ud800 half",
    "\uffff\ufffe\U0010ffff x",
    "\x1b[31mred\x1b[0m",
    "'; DROP TABLE messages; --",
    "🙂" * MAX_MESSAGE_CHARS,
    " ".join(f"{each:x}" for each in range(18_000)),
    "-".join("語" for _ in range(MAX_MESSAGE_CHARS // 2)),
    " ".join(chr(0x20000 + each) for each in range(42_000)),
    "x" * MAX_MESSAGE_CHARS,
    "https://example.org/" + "a/" * 40_000,
    "\\" * 1000 + "%s {0} $1",
]


def cleaned(text: str) -> str | None:
    try:
        return clean_message(text)
    except MessageRefused:
        return None


@given(any_text)
def test_what_is_clean_stays_as_it_is(text: str) -> None:
    once = cleaned(text)
    assume(once is not None)
    assert once is not None
    assert clean_message(once) == once
    assert any(each.isprintable() and not each.isspace() for each in once)


NOTHING = ["", " ", "\n\t", "\x00", "\ud800", "\u200b\ufeff", "\x1b\x07"]


def test_a_message_with_nothing_to_read_is_refused() -> None:
    told = [(text, refusal(MessageRefused, clean_message, text)) for text in NOTHING]
    assert [(text, said) for text, said in told if "nothing in it" not in str(said)] == []


TOO_LONG = [
    "x" * (MAX_MESSAGE_CHARS + 1),
    "x" * 1_000_000,
    "\x00" * 1_000_000,
    # Each comes apart into two characters in the composed form.
    "\u0958" * (MAX_MESSAGE_CHARS // 2 + 1),
]


def test_a_message_that_is_too_long_is_refused() -> None:
    told = [(text[:3], refusal(MessageRefused, clean_message, text)) for text in TOO_LONG]
    most = f"the most is {MAX_MESSAGE_CHARS:,}"
    assert [(text, said) for text, said in told if most not in str(said)] == []


def test_the_longest_message_is_taken() -> None:
    assert len(clean_message("x" * MAX_MESSAGE_CHARS)) == MAX_MESSAGE_CHARS


async def test_postgresql_takes_what_is_clean(database: Database) -> None:
    for text in HOSTILE:
        clean = clean_message(text)
        async with database.as_user("-") as connection:
            back = await connection.fetchrow(
                "SELECT $1::text AS said, keyword_vector($1) IS NOT NULL AS indexed",
                clean,
            )
        assert back is not None
        assert tuple(back) == (clean, True)


@profile(deadline=None, max_examples=25)
@given(st.lists(any_text, min_size=1, max_size=30))
def test_no_clean_text_is_unstorable(texts: list[str]) -> None:
    for text in filter(None, map(cleaned, texts)):
        text.encode("utf-8")
        assert "\x00" not in text
        assert unicodedata.is_normalized("NFC", text)


FOLDED = [
    ("  I  Prefer\tTEA\n", "i prefer tea"),
    ("STRASSE Straße", "strasse strasse"),
    ("ＦＵＬＬ ﬀ", "full ff"),
    ("It’s “good”, «really»", 'it\'s "good", "really"'),
    ("I like tea [1], [2, 3] and [4–6].", "i like tea, and."),
    ("So it is [source]. And [Source: a book] that [citation needed]", "so it is. and that"),
    ("Tea is old (Smith, 2020) (Smith, Jones, & Lee, 1999).", "tea is old."),
    ("(Smith et al., 2020a) (Müller & Sons, 2019, p. 4; Lee, 2018) yes", "yes"),
    ("Tea【4:0†source】 is old", "tea is old"),
    ("See https://example.org/a(b)?c=d#e, or www.example.org.", "see, or."),
    ("[the docs](https://example.org) are good", "the docs are good"),
    ("https://example.org", ""),
    ("zero\u200bwidth so\u00adft", "zerowidth soft"),
    ("İwww.example.org", "i\u0307"),
    ("", ""),
]


def test_what_does_not_count_is_folded() -> None:
    assert [(text, got) for text, expected in FOLDED if (got := normalise(text)) != expected] == []


KEPT = [
    "born in oslo, 2020",
    "since (about 2020) in c++ and c#",
    "at 10:30 it costs .5 or 3,5",
    "don't!",
    "httpserver and wwwhat",
    "-5 to +5",
]


def test_what_counts_stays() -> None:
    assert [
        (text, got)
        for text in KEPT
        if (got := normalise(text)) != text.replace("(", "").replace(")", "")
    ] == []


tangled = st.lists(
    st.sampled_from(
        [
            *(
                "[",
                "]",
                "(",
                ")",
                "【",
                "】",
                "1",
                ",",
                " ",
                ".",
                "source",
                "Smith",
                "2020",
                "et al.",
            ),
            *("https://", "www.", "x", "’", "´", "İ", "ß", "ﬀ", "\u200b", "\u0345", "\u0301", "ŉ"),
        ]
    ),
    max_size=20,
).map("".join)


@given(tangled | any_text)
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert once == once.strip()
    assert "  " not in once


@given(st.text("abcxyz ,.'", max_size=60))
def test_case_does_not_count(text: str) -> None:
    assert normalise(text.upper()) == normalise(text)


@given(st.lists(st.text("abcxyz", min_size=1, max_size=6), max_size=8))
def test_whitespace_does_not_count(words: list[str]) -> None:
    assert normalise(" \t\n ".join(words)) == " ".join(words)
