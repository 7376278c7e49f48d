from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.fingerprints import NEAR_DUPLICATE_BITS, hamming_distance, simhash64
from memory.ingestion.normalisation import normalise

hashes = st.integers(-(2**63), 2**63 - 1)
words = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12)
KEY = b"k" * 32


def near(one: str, other: str) -> bool:
    return (
        hamming_distance(simhash64(normalise(one)), simhash64(normalise(other)))
        <= NEAR_DUPLICATE_BITS
    )


@given(st.text(), st.binary(max_size=64))
def test_it_fits_a_bigint_and_is_the_same_each_time(text: str, key: bytes) -> None:
    value = simhash64(text, key)
    assert -(2**63) <= value < 2**63
    assert simhash64(text, key) == value


def test_both_signs_come_up() -> None:
    values = [simhash64(str(number)) for number in range(64)]
    assert min(values) < 0 < max(values)


@given(hashes, hashes, hashes)
def test_hamming_is_a_distance(a: int, b: int, c: int) -> None:
    assert 0 <= hamming_distance(a, b) <= 64
    assert hamming_distance(a, b) == hamming_distance(b, a)
    assert (hamming_distance(a, b) == 0) == (a == b)
    assert hamming_distance(a, c) <= hamming_distance(a, b) + hamming_distance(b, c)


def test_hamming_counts_the_sign_as_a_bit() -> None:
    assert hamming_distance(-1, 0) == 64
    assert hamming_distance(-(2**63), 0) == 1
    assert hamming_distance(0b1011, 0b0010) == 2


THE_SAME = [
    ("I prefer tea in the morning", "i prefer TEA in the morning!"),
    ("I don’t eat meat", "I don't   eat meat."),
    ("I prefer tea (see [1])", "I prefer tea, see"),
    ("", "   "),
]


def test_case_punctuation_and_spaces_are_near() -> None:
    assert [(one, other) for one, other in THE_SAME if not near(one, other)] == []


DIFFERENT = [
    ("Oslo", "Bergen"),
    ("I run", "I swim"),
    ("no meat", "no fish"),
    ("C", "C++"),
    ("I code in C++", "I code in C#"),
    ("👍", "👎"),
    ("it is 5 degrees", "it is -5 degrees"),
    ("I pay $100", "I pay €100"),
    ("likes Anna", "Anna likes"),
    ("", "a"),
    ("?", "!"),
    ("My sister Maria lives in Oslo", "My sister Maria lives in Bergen"),
    ("I eat meat every day", "I don't eat meat every day"),
]


def test_another_word_is_not_near() -> None:
    assert [(one, other) for one, other in DIFFERENT if near(one, other)] == []


@given(st.lists(words, min_size=1, max_size=2), words, st.data())
def test_a_changed_word_of_a_very_short_text_is_never_near(
    text: list[str], other: str, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(text) - 1))
    changed = [*text[:place], other, *text[place + 1 :]]
    distance = hamming_distance(simhash64(" ".join(text)), simhash64(" ".join(changed)))
    assert distance > NEAR_DUPLICATE_BITS if other != text[place] else distance == 0


def test_one_word_in_a_long_text_is_near() -> None:
    text = " ".join(f"word{number}" for number in range(400))
    assert (
        hamming_distance(simhash64(text), simhash64(text.replace("word200", "other")))
        <= NEAR_DUPLICATE_BITS
    )


def test_unrelated_texts_are_half_the_bits_apart() -> None:
    distances = [
        hamming_distance(simhash64(f"one two{n} three{n}"), simhash64(f"four{n} five{n} six{n}"))
        for n in range(100)
    ]
    assert 30 <= sum(distances) / len(distances) <= 34


def test_a_key_makes_another_hash_that_keeps_distances() -> None:
    one, other = "i prefer tea in the morning", "i prefer tea in the evening"
    assert hamming_distance(simhash64(one), simhash64(one, KEY)) > 16
    assert simhash64(one, KEY) != simhash64(one, b"j" * 32)
    assert NEAR_DUPLICATE_BITS < hamming_distance(simhash64(one, KEY), simhash64(other, KEY)) < 30


def test_what_no_encoding_takes_is_hashed_too() -> None:
    assert simhash64("\ud800 half") != simhash64("\udc00 half")
