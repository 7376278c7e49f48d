"""What the offline reader makes of any text: segments in order, inside it, with all its words."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from memory.text import MOST_READ, readable
from memory.understanding import (
    COMMANDS,
    Kind,
    Message,
    OfflineReader,
    Reading,
    Segment,
    without_left_out,
)
from memory.understanding.encoded import encode, words_of
from memory.understanding.encoder import Array, load_encoder, packed, unpacked
from memory.understanding.linear_head import load_head, quantised, save_head
from memory.understanding.segments import spans_of

READER = OfflineReader()
CODE = "def f(x):\n    return {x: [y for y in x if y > 0]}\n"
TABLE = "| name | age |\n|------|-----|\n| Ann  | 34  |\n"
MAIL = "From: Ann <ann@example.org>\nTo: Ben\nSubject: Tea\n\nI live in Oslo.\nAnn"
ARABIC = "أعيش في أوسلو. أختي ممرضة."
PIECES = ["I live in Oslo. ", "can you", "?", "\n", '"', "“a b c d e f g h i j k l”", "> ", "```"]
texts = st.one_of(
    st.text(max_size=120),
    st.lists(st.sampled_from([*PIECES, CODE, TABLE]), max_size=8).map("".join),
)


def read(text: str) -> Reading:
    return READER.read(Message(text, datetime(2026, 5, 4, tzinfo=UTC)))


@settings(deadline=None)
@given(texts, st.booleans())
def test_segments_lie_in_order_inside_the_text_and_hold_all_its_words(
    text: str, quotations: bool
) -> None:
    text = readable(text)
    spans = spans_of(text, READER.gaps(text), quotations=quotations)
    ends = [0, *(each.end for each in spans)]
    assert all(end <= each.start < each.end for end, each in zip(ends, spans, strict=False))
    assert ends[-1] <= len(text)
    held = "".join(text[each.start : each.end] for each in spans)
    assert Counter(filter(str.isalnum, held)) == Counter(filter(str.isalnum, text))


@settings(deadline=None)
@given(texts)
def test_each_segment_is_a_piece_of_what_is_read_with_probabilities(text: str) -> None:
    for each in read(text).segments:
        assert readable(text)[each.start : each.end] == each.text
        assert sum(each.kinds.values()) == pytest.approx(1, abs=1e-4)
        assert each.kind == max(each.kinds, key=lambda kind: each.kinds[kind])
        assert 0 <= each.forgetting <= 1


@pytest.mark.parametrize("text", ["", " \n\t ", "🙂🙃 🎉", "?!…", "\x00\ud800"])
def test_what_has_no_words_has_no_segments(text: str) -> None:
    assert read(text) == Reading()


@pytest.mark.parametrize("text", [f"```\n{CODE}```", MAIL])
def test_what_somebody_else_wrote_is_a_quotation(text: str) -> None:
    assert {each.kind for each in read(text).segments} == {"quotation"}


@pytest.mark.parametrize("text", ["https://example.org/a?b=c", TABLE, ARABIC])
def test_other_forms_of_text_are_read_as_any_other(text: str) -> None:
    assert read(text).segments


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (ARABIC, ["fact", "fact"]),
        ("Меня зовут Ирина. Я живу в Казани.", ["fact", "fact"]),
        ("猫を二匹飼っています。明日の天気はどう？", ["fact", "question"]),
    ],
)
def test_what_is_told_in_letters_that_it_does_not_know_is_told(text: str, kinds: list[str]) -> None:
    assert [each.kind for each in read(text).segments] == kinds


@pytest.mark.parametrize("text", ["I live in Oslo. " * 6250, "tea\n" * 1000, "a" * 100_000])
def test_of_a_long_text_so_much_is_read(text: str) -> None:
    segments = read(text).segments
    assert 0 < len(segments) <= 1000
    assert segments[-1].end <= MOST_READ


@pytest.mark.parametrize("text", ["I live in Oslo. " * 400, "tea " * 2000])
def test_a_text_of_many_windows_is_seen_whole_and_cut_inside_words_nowhere(text: str) -> None:
    encoded = encode(text.strip(), load_encoder())
    assert len(encoded.windows) > 1
    assert encoded.windows[-1].end == len(encoded.offsets)
    assert [each.start for each, _ in encoded.gaps()] == [each.start for each in words_of(text)]


@given(npst.arrays(np.float32, (3, 64), elements=st.floats(-3, 3, width=16)))
def test_vectors_of_four_bits_are_near_what_was_packed(vectors: Array) -> None:
    words, scales = packed(vectors)
    step = np.repeat(np.abs(scales.astype(np.float32)), 32, axis=1)
    assert (np.abs(unpacked(words, scales) - vectors) <= step * 1.01 + 1e-3).all()


def test_what_was_unpacked_is_packed_again_without_loss() -> None:
    encoder = load_encoder()
    vectors = unpacked(encoder.words[5:50], encoder.scales[5:50])
    assert np.array_equal(unpacked(*packed(vectors)), vectors)


def test_a_head_is_the_same_when_it_is_read_again_and_rounded_by_little(tmp_path: Path) -> None:
    weights = np.random.default_rng(1).normal(size=(2, 64))
    head = quantised(weights, np.array([0.5, -0.5]))
    assert (
        np.abs(head.weights.T * head.scale[:, None] - weights).max() <= head.scale.max() / 2 + 1e-6
    )
    save_head(head, tmp_path / "head.npz")
    again = load_head(tmp_path / "head.npz")
    assert np.array_equal(again.weights, head.weights)


def told(text: str) -> Segment:
    return Segment(text, 0, len(text), "fact", {"fact": 1.0})


def unkept(text: str, *, wish: bool = False, back: bool = False) -> Segment:
    """Something that is not to be kept, or the `wish` that it be not."""
    commands = dict.fromkeys(("none", *COMMANDS), 0.0) | {"do_not_remember": float(wish)}
    kind: Kind = "do_not_remember"
    return Segment(text, 0, len(text), kind, {kind: 1.0}, points_back=back, commands=commands)


DOG, ILL = told("we have a dog"), unkept("Sara is ill")
WISH = unkept("that is not for your notes", wish=True, back=True)
NAMED = unkept("please leave out of your notes that Sara is ill at home", wish=True)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ([DOG, ILL, WISH], [DOG]),
        ([ILL, WISH, DOG], [DOG]),
        ([DOG, WISH], []),
        ([WISH, DOG], []),
        ([NAMED, DOG], [DOG]),
        ([DOG, NAMED], []),
        ([DOG, ILL], [DOG]),
    ],
)
def test_what_is_to_be_left_out_goes_alone_where_the_message_says_what_it_is(
    said: list[Segment], kept: list[Segment]
) -> None:
    assert list(without_left_out(said)) == kept
