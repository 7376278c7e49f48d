from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text import storable

any_text = st.text(st.characters(), max_size=200) | st.text(
    st.sampled_from("a \t\r\n\x00\x1b\x85\u2028\ud83d\ude00\u0301é\u0958ﬀ🙂"), max_size=40
)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("  plain  ", "plain"),
        ("one\r\ntwo\rthree\u2028four\u2029five", "one\ntwo\nthree\nfour\nfive"),
        ("a\x00b\x07c\x1b[31md\x7fe\x85f", "abc[31mdef"),
        ("\ud800half \udc00a pair", "half a pair"),
        ("cafe\u0301", "café"),
        ("tab\tstays\nand so do lines", "tab\tstays\nand so do lines"),
        ("👩‍👩‍👧 ñandú 語", "👩‍👩‍👧 ñandú 語"),
        ("\x00\r\n \ud83d", ""),
    ],
)
def test_text_becomes_storable(text: str, stored: str) -> None:
    assert storable(text) == stored


@given(any_text)
def test_what_is_storable_stays_as_it_is(text: str) -> None:
    assert storable(storable(text)) == storable(text)


@given(any_text)
def test_nothing_is_left_that_a_store_refuses(text: str) -> None:
    stored = storable(text)
    assert json.loads(json.dumps(stored).encode("utf-8")) == stored
    assert stored.encode("utf-8").decode("utf-8") == stored
    controls = {each for each in stored if unicodedata.category(each) in ("Cc", "Cs")}
    assert controls <= {"\n", "\t"}
    assert unicodedata.is_normalized("NFC", stored)
