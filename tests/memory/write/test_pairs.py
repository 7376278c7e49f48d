from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from memory.fingerprints import simhash64
from memory.ingestion.deduplication import NearMemory, RelationCache, decide_novelty
from memory.ingestion.normalisation import normalise
from memory.understanding import OfflineReader
from memory.understanding.encoded_text import encode_text
from memory.understanding.relations import Relations
from tests.memory.write.test_novelty import by_chance, neighbours, texts

OSLO, BERGEN, ROME = "I live in Oslo", "I live in Bergen", "I live in Rome"
# Shared by all examples, so that what one remembered is there for the next, and is soon pushed out.
FEW, NONE = RelationCache(3, by_chance), RelationCache(0, by_chance)


class Asked:
    """Remembers which pairs it was asked for."""

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def __call__(self, new: str, older: Sequence[str]) -> list[Relations]:
        self.pairs += [(new, each) for each in older]
        return by_chance(new, older)


@given(texts, st.lists(neighbours, max_size=6))
def test_the_same_is_decided_with_it_and_without(content: str, around: list[NearMemory]) -> None:
    simhash = simhash64(normalise(content))
    for _ in range(2):
        decision = decide_novelty(content, simhash, around, by_chance)
        assert decide_novelty(content, simhash, around, FEW) == decision
        assert decide_novelty(content, simhash, around, NONE) == decision


def test_a_pair_is_judged_once_and_told_in_the_order_asked_for() -> None:
    asked = Asked()
    pairs = RelationCache(relate=asked)
    assert pairs(OSLO, [BERGEN, BERGEN]) == by_chance(OSLO, [BERGEN, BERGEN])
    assert pairs(OSLO, [ROME, BERGEN]) == by_chance(OSLO, [ROME, BERGEN])
    assert asked.pairs == [(OSLO, BERGEN), (OSLO, ROME)]


def test_the_two_sides_of_a_pair_are_not_the_same() -> None:
    asked = Asked()
    pairs = RelationCache(relate=asked)
    assert [*pairs(OSLO, [ROME]), *pairs(ROME, [OSLO])] == [
        *by_chance(OSLO, [ROME]),
        *by_chance(ROME, [OSLO]),
    ]
    assert asked.pairs == [(OSLO, ROME), (ROME, OSLO)]


def test_the_one_judged_longest_ago_goes_first() -> None:
    asked = Asked()
    pairs = RelationCache(2, asked)
    for older in (BERGEN, ROME, OSLO, ROME, BERGEN):
        pairs(OSLO, [older])
    assert [older for _, older in asked.pairs] == [BERGEN, ROME, OSLO, BERGEN]


def test_nothing_is_left_when_it_is_cleared() -> None:
    asked = Asked()
    pairs = RelationCache(relate=asked)
    for _ in range(2):
        pairs(OSLO, [ROME])
        pairs.clear()
    assert asked.pairs == [(OSLO, ROME)] * 2


def test_nor_what_the_encoder_read_last() -> None:
    OfflineReader().gaps(OSLO)
    assert encode_text.cache_info().currsize > 0
    RelationCache().clear()
    assert encode_text.cache_info().currsize == 0


def test_one_of_none_remembers_nothing() -> None:
    asked = Asked()
    pairs = RelationCache(0, asked)
    assert pairs(OSLO, [ROME]) == pairs(OSLO, [ROME])
    assert len(asked.pairs) == 2
