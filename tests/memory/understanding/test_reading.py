"""What the offline reader makes of any text: segments in order, inside it, with all its words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from memory.text import MAX_READ_CHARS, to_readable
from memory.understanding import (
    COMMANDS,
    Interpretation,
    Kind,
    MessageText,
    OfflineReader,
    Segment,
    without_left_out,
)
from memory.understanding.encoded_text import encode_text, find_words
from memory.understanding.linear_models import fold_text, load_heads, quantise, save_heads
from memory.understanding.multilingual_encoder import (
    Array,
    load_multilingual_encoder,
    pack_vectors,
    unpack_vectors,
)
from memory.understanding.segmentation import split_segments

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


def read(text: str) -> Interpretation:
    return READER.read(MessageText(text, datetime(2026, 5, 4, tzinfo=UTC)))


@settings(deadline=None)
@given(texts, st.booleans())
def test_segments_lie_in_order_inside_the_text_and_hold_all_its_words(
    text: str, quotations: bool
) -> None:
    text = to_readable(text)
    spans = split_segments(text, READER.gaps(text), quotations=quotations)
    ends = [0, *(each.end for each in spans)]
    assert all(end <= each.start < each.end for end, each in zip(ends, spans, strict=False))
    assert ends[-1] <= len(text)
    held = "".join(text[each.start : each.end] for each in spans)
    assert Counter(filter(str.isalnum, held)) == Counter(filter(str.isalnum, text))


@settings(deadline=None)
@given(texts)
def test_each_segment_is_a_piece_of_what_is_read_with_probabilities(text: str) -> None:
    for each in read(text).segments:
        assert to_readable(text)[each.start : each.end] == each.text
        assert sum(each.kinds.values()) == pytest.approx(1, abs=1e-4)
        assert each.kind == max(each.kinds, key=lambda kind: each.kinds[kind])
        assert 0 <= each.forgetting <= 1


WORDLESS = ["", " \n\t ", "🙂🙃 🎉", "?!…", "\x00\ud800"]


def test_what_has_no_words_has_no_segments() -> None:
    assert [text for text in WORDLESS if read(text) != Interpretation()] == []


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
    assert segments[-1].end <= MAX_READ_CHARS


@pytest.mark.parametrize("text", ["I live in Oslo. " * 400, "tea " * 2000])
def test_a_text_of_many_windows_is_seen_whole_and_cut_inside_words_nowhere(text: str) -> None:
    encoded = encode_text(text.strip(), load_multilingual_encoder())
    assert len(encoded.windows) > 1
    assert encoded.windows[-1].end == len(encoded.offsets)
    assert [each.start for each, _ in encoded.gaps()] == [each.start for each in find_words(text)]


@given(npst.arrays(np.float32, (3, 64), elements=st.floats(-3, 3, width=16)))
def test_vectors_of_four_bits_are_near_what_was_packed(vectors: Array) -> None:
    words, scales = pack_vectors(vectors)
    step = np.repeat(np.abs(scales.astype(np.float32)), 32, axis=1)
    assert (np.abs(unpack_vectors(words, scales) - vectors) <= step * 1.01 + 1e-3).all()


def test_what_was_unpacked_is_packed_again_without_loss() -> None:
    encoder = load_multilingual_encoder()
    vectors = unpack_vectors(encoder.words[5:50], encoder.scales[5:50])
    assert np.array_equal(unpack_vectors(*pack_vectors(vectors)), vectors)


def test_case_width_quotes_and_digits_are_folded() -> None:
    assert fold_text("I’M 34 Ｂ") == fold_text("i'm 99 b")


def test_a_head_is_the_same_when_it_is_read_again_and_rounded_by_little(tmp_path: Path) -> None:
    weights = np.random.default_rng(1).normal(size=(2, 64))
    head = quantise(weights, np.array([0.5, -0.5]))
    assert (
        np.abs(head.weights.T * head.scale[:, None] - weights).max() <= head.scale.max() / 2 + 1e-6
    )
    save_heads({"kind": head}, tmp_path / "heads.npz")
    [again] = load_heads(tmp_path / "heads.npz").values()
    assert np.array_equal(again.weights, head.weights)


STARTS = count(step=100)


def told(text: str, *, alone: bool = True) -> Segment:
    at = next(STARTS)
    return Segment(text, at, at + len(text), "fact", {"fact": 1.0}, alone=alone)


def wish(text: str, *, says_what: bool = False, alone: bool = True) -> Segment:
    """One that something be left out of memory."""
    commands = dict.fromkeys(("none", *COMMANDS), 0.0) | {"do_not_remember": 1.0}
    kind: Kind = "do_not_remember"
    at = next(STARTS)
    return Segment(
        *(text, at, at + len(text), kind, {kind: 1.0}),
        alone=alone,
        says_what=says_what,
        commands=commands,
    )


DOG, ILL, BO = told("We have a dog."), told("Sara is ill,"), told("Bo.", alone=False)
NAMED = wish("please leave out that Sara is ill.", says_what=True)
BARE, ENDS = wish("Keep none of that."), wish("that is not for your notes.", alone=False)
BEGINS, IS_ILL = wish("Off the record,"), told("Sara is ill.", alone=False)

FIRST = wish("Keep this to yourself.")
ASKED = replace(told("Remember that I ski."), kind="remember", kinds={"remember": 1.0})
LAST = wish("No, nor that.")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ([DOG, NAMED], [DOG]),
        ([NAMED, DOG], [DOG]),
        ([DOG, ILL, ENDS], [DOG]),
        ([DOG, BEGINS, IS_ILL], [DOG]),
        ([DOG, told("Sara is ill."), wish("That is private.", alone=False)], []),
        ([DOG, BARE], []),
        ([BARE, DOG], []),
        ([DOG, NAMED, BARE], []),
        ([DOG, BO], [DOG, BO]),
        ([FIRST, ASKED], [ASKED]),
        ([FIRST, ASKED, LAST], []),
        ([ASKED, LAST], []),
    ],
)
def test_a_wish_to_leave_something_out_takes_no_more_than_its_sentence_where_that_says_what(
    said: list[Segment], kept: list[Segment]
) -> None:
    assert list(without_left_out(said)) == kept


@pytest.mark.parametrize(
    ("said", "says_what"),
    [
        ("Please don't keep that my sister is ill. We have a dog called Bo.", True),
        ("Please don't remember any of this. We have a dog called Bo.", False),
    ],
)
def test_a_wish_says_what_it_is_about_where_its_words_tell_it(said: str, says_what: bool) -> None:
    assert [each.says_what for each in read(said).segments if each.leaves_out] == [says_what]
