from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.write.extraction.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I live in Oslo. I like it!", ["I live in Oslo.", "I like it!"]),
        ("One\nTwo\n\n three ", ["One", "Two", "three"]),
        ("My doctor is Dr. Hansen. He is old.", ["My doctor is Dr. Hansen.", "He is old."]),
        ("Use e.g. Go or 3.5 of it.", ["Use e.g. Go or 3.5 of it."]),
        ('She said "I left. Bye." Then not.', ['She said "I left. Bye."', "Then not."]),
        ("She said “I left. Bye.” Then not.", ["She said “I left. Bye.”", "Then not."]),
        ("Really?! Yes…", ["Really?!", "Yes…"]),
        ("", []),
    ],
)
def test_where_a_sentence_ends(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_a_quotation_that_nobody_closed_ends_somewhere() -> None:
    assert len(split_sentences('"So I said. ' + "And then it went on. " * 100)) > 50


@given(st.text(st.sampled_from('aI.!? \n"“”…)A'), max_size=200))
def test_nothing_is_lost_but_space(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())
