from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from memory.write.reader import Reader
from memory.write.slots import understood

from memory.simhash import simhash64
from memory.write.normalise import normalise
from memory.write.novelty import Neighbour, decide
from tests.memory.write.test_novelty import PAIRS, near, neighbours, texts

OSLO = "I live in Oslo"
# Shared by all examples, so that what one remembered is there for the next, and is soon pushed out.
FEW, NONE = Reader(3), Reader(0)


@given(texts, st.lists(neighbours, max_size=6))
def test_the_same_is_decided_with_it_and_without(content: str, around: list[Neighbour]) -> None:
    simhash = simhash64(normalise(content))
    for _ in range(2):
        decision = decide(content, simhash, around)
        assert decide(content, simhash, around, FEW) == decision
        assert decide(content, simhash, around, NONE) == decision


def test_every_labelled_pair_is_decided_the_same() -> None:
    reader = Reader()
    for pair, other in pairwise(PAIRS):
        simhash = simhash64(normalise(pair["new"]))
        around = [
            near(each["old"], number, cosine=0.9) for number, each in enumerate((pair, other))
        ]
        assert decide(pair["new"], simhash, around, reader) == decide(pair["new"], simhash, around)


def test_a_memory_is_read_once() -> None:
    reader = Reader()
    assert reader(OSLO) == understood(OSLO)
    assert reader(OSLO) is reader(OSLO)


def test_the_one_read_longest_ago_goes_first() -> None:
    reader = Reader(2)
    oslo, rome = reader(OSLO), reader("I live in Rome")
    assert reader(OSLO) is oslo
    reader("I live in Bergen")
    assert reader(OSLO) is oslo
    assert reader("I live in Rome") is not rome


def test_nothing_is_left_when_it_is_cleared() -> None:
    reader = Reader()
    oslo = reader(OSLO)
    reader.clear()
    assert reader(OSLO) is not oslo


def test_one_of_none_remembers_nothing() -> None:
    reader = Reader(0)
    assert reader(OSLO) is not reader(OSLO)
