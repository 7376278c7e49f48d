from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.ingestion.deduplication import Relate
from memory.maintenance.summaries import (
    MOST_WORDS,
    dated_content,
    join_sentences,
    settle_contradictions,
)
from memory.understanding.relations import UNRELATED, Relations
from tests.memory.upkeep.rolling_up.sources import source
from tests.memory.write.test_novelty import PERHAPS, REPLACES

# Not `.filter(str.split)`, which hypothesis reads as a pattern of its own that lets U+00A0 pass.
words = st.text(st.characters(categories=("L", "N", "Zs", "Po")), min_size=1, max_size=80).filter(
    lambda text: bool(text.split())
)


def bergen_says(relations: Relations) -> Relate:
    """Of what is newer only that which names Bergen speaks of the older ones."""
    return lambda new, older: [relations if "Bergen" in new else UNRELATED] * len(older)


def test_the_sentences_stand_in_order_each_once() -> None:
    sources = (
        source(1, "User likes green tea"),
        source(2, "User likes green tea! User drinks it at seven."),
        source(3, "user LIKES green tea"),
    )
    text, told = join_sentences(sources)
    assert text == "User likes green tea. User drinks it at seven."
    assert told == sources


def test_what_denies_is_no_repeat() -> None:
    text, _ = join_sentences((source(1, "User likes tea"), source(2, "User does not like tea")))
    assert text == "User likes tea. User does not like tea."


def test_a_source_that_does_not_fit_whole_stays_out() -> None:
    long = source(2, " ".join(f"word{n}" for n in range(98)))
    text, told = join_sentences(
        (source(1, "User likes tea"), long, source(3, "User likes rye bread"))
    )
    assert [each.id.int for each in told] == [1, 3]
    assert "word0" not in text


@settings(deadline=None)
@given(st.lists(words, max_size=10))
def test_every_sentence_of_every_source_told_is_there(contents: list[str]) -> None:
    sources = tuple(source(n, content) for n, content in enumerate(contents, start=1))
    text, told = join_sentences(sources)
    assert len(text.split()) < MOST_WORDS
    for each in told:
        again, _ = join_sentences((*told, each))
        assert again == text


def test_the_newer_one_replaces_what_it_surely_contradicts() -> None:
    old, new = source(1, "I live in Oslo"), source(2, "I live in Bergen")
    agreed = settle_contradictions(
        (old, new, source(3, "I work as a nurse")), bergen_says(REPLACES)
    )
    assert [each.id.int for each in agreed.told] == [2, 3]
    assert [(older.id.int, newer.id.int) for older, newer in agreed.replaced] == [(1, 2)]


@pytest.mark.parametrize("relations", [PERHAPS, replace(REPLACES, whole=False)])
def test_what_may_both_be_true_is_not_put_together(relations: Relations) -> None:
    old, new = source(1, "I live in Oslo"), source(2, "I live in Bergen")
    agreed = settle_contradictions((old, new), bergen_says(relations))
    assert [each.id.int for each in agreed.told] == [2]
    assert agreed.replaced == ()


def test_what_happened_on_two_days_does_not_clash() -> None:
    days = [datetime(2026, 3, day, tzinfo=UTC) for day in (1, 2)]
    sources = tuple(
        source(n, f"I ran {n + 4} km", occurred_at=day) for n, day in enumerate(days, start=1)
    )
    assert settle_contradictions(sources).told == sources
    assert (
        join_sentences(sources)[0] == "I ran 5 km (on 1 March 2026). I ran 6 km (on 2 March 2026)."
    )


def test_a_day_that_is_named_is_not_named_again() -> None:
    day = datetime(2026, 3, 14, tzinfo=UTC)
    named = source(1, "Ada was born on 14 March 2026", occurred_at=day)
    assert dated_content(named) == named.content
