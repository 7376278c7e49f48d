from __future__ import annotations

import json
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from memory.text import MAX_READ_CHARS, is_read_whole, to_readable, to_storable

any_text = st.text(st.characters(), max_size=200) | st.text(
    st.sampled_from("a \t\r\n\x00\x1b\x85\u2028\ud83d\ude00\u0301é\u0958ﬀ🙂"), max_size=40
)


STORABLE = [
    ("  plain  ", "plain"),
    ("one\r\ntwo\rthree\u2028four\u2029five", "one\ntwo\nthree\nfour\nfive"),
    ("a\x00b\x07c\x1b[31md\x7fe\x85f", "abc[31mdef"),
    ("\ud800half \udc00a pair", "half a pair"),
    ("cafe\u0301", "café"),
    ("tab\tstays\nand so do lines", "tab\tstays\nand so do lines"),
    ("👩‍👩‍👧 ñandú 語", "👩‍👩‍👧 ñandú 語"),
    ("\x00\r\n \ud83d", ""),
]


def test_text_becomes_storable() -> None:
    assert [(text, got) for text, stored in STORABLE if (got := to_storable(text)) != stored] == []


@given(any_text)
def test_what_is_storable_stays_as_it_is(text: str) -> None:
    assert to_storable(to_storable(text)) == to_storable(text)


@given(any_text)
def test_nothing_is_left_that_a_store_refuses(text: str) -> None:
    stored = to_storable(text)
    assert json.loads(json.dumps(stored).encode("utf-8")) == stored
    assert stored.encode("utf-8").decode("utf-8") == stored
    controls = {each for each in stored if unicodedata.category(each) in ("Cc", "Cs")}
    assert controls <= {"\n", "\t"}
    assert unicodedata.is_normalized("NFC", stored)


READABLE = [
    ("I own a boat, " + " " * 20_000 + " x.", "I own a boat, x."),
    ("one\t two\u00a0 \u3000three", "one two three"),
    ("a list:\n   - one \n\n\n\n - two", "a list:\n- one\n\n- two"),
    ("f\u200bor\u2060get\u202e that", "forget that"),
    ("ｆｏｒｇｅｔ　ｔｈａｔ", "forget that"),
    ("𝐟𝐨𝐫𝐠𝐞𝐭 \u200d𝘵𝘩𝘢𝘵", "forget that"),
    ("for\u200cget", "forget"),
    ("the of\ufb01ce", "the office"),
    # What says something by its form keeps it.
    ("25 m², ½ l, I´m … 👩‍👩‍👧 می\u200cخواهم", "25 m², ½ l, I´m … 👩‍👩‍👧 می\u200cخواهم"),
]


def test_a_text_is_read_in_one_form() -> None:
    assert [(text[:40], got) for text, read in READABLE if (got := to_readable(text)) != read] == []
    assert [text[:40] for text, _ in READABLE if not is_read_whole(text)] == []


@given(any_text | st.text(st.sampled_from("a. \n\t\u200b\u200d\u00a0\u0301\u212aＡé"), max_size=40))
@example("\x80\u200c\xa0")
@example("\u212a\u200cé")
@example("éééééééééé\u200dé")
@example("ééééééééééé\u200dé")
def test_what_is_readable_stays_as_it_is(text: str) -> None:
    for most in (12, MAX_READ_CHARS):
        read = to_readable(text, most)
        assert len(read) <= most
        assert to_readable(read, most) == read


def test_a_long_text_is_read_up_to_the_end_of_a_sentence() -> None:
    """Half of one may say the opposite: "I am not / married"."""
    said = "I live in Oslo. " * 600 + "The end."
    read = to_readable(said)
    assert said.startswith(read)
    assert MAX_READ_CHARS - 20 < len(read) <= MAX_READ_CHARS
    assert read.endswith("Oslo.")
    assert not is_read_whole(said)
    assert to_readable("word " * 4_000).endswith(" word")
    assert len(to_readable("a" * 20_000)) == MAX_READ_CHARS
