from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memory.database import Database
from memory.errors import MessageRefused
from memory.models import MAX_MESSAGE_CHARS
from memory.write.normalise import clean_message

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


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\x00", "\ud800", "\u200b\ufeff", "\x1b\x07"])
def test_a_message_with_nothing_to_read_is_refused(text: str) -> None:
    with pytest.raises(MessageRefused, match="nothing in it"):
        clean_message(text)


@pytest.mark.parametrize(
    "text",
    [
        "x" * (MAX_MESSAGE_CHARS + 1),
        "x" * 1_000_000,
        "\x00" * 1_000_000,
        # Each comes apart into two characters in the composed form.
        "\u0958" * (MAX_MESSAGE_CHARS // 2 + 1),
    ],
)
def test_a_message_that_is_too_long_is_refused(text: str) -> None:
    with pytest.raises(MessageRefused, match=f"the most is {MAX_MESSAGE_CHARS:,}"):
        clean_message(text)


def test_the_longest_message_is_taken() -> None:
    assert len(clean_message("x" * MAX_MESSAGE_CHARS)) == MAX_MESSAGE_CHARS


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_postgresql_takes_what_is_clean(database: Database, text: str) -> None:
    clean = clean_message(text)
    async with database.as_user("-") as connection:
        back = await connection.fetchrow(
            "SELECT $1::text AS said, keyword_vector($1) IS NOT NULL AS indexed", clean
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
