from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memory.fingerprints import (
    SKETCH_BITS,
    KeyedDigester,
    hamming_distance,
    simhash64,
    sketch_similarity,
)

Vector = npt.NDArray[np.float32]
KEY, OTHER_KEY = b"a" * 32, b"b" * 32
DIMENSIONS = 48
DIGESTER = KeyedDigester(KEY)


def unit(seed: int, dimensions: int = DIMENSIONS) -> Vector:
    drawn = np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn), dtype=np.float32)


def at_angle(one: Vector, other: Vector, angle: float) -> Vector:
    """The unit vector at this angle from `one`, towards `other`."""
    across = other - (other @ one) * one
    across /= np.linalg.norm(across)
    return np.asarray(math.cos(angle) * one + math.sin(angle) * across, dtype=np.float32)


@given(st.text(), st.text())
def test_texts_have_one_digest_if_they_are_one(one: str, other: str) -> None:
    assert (DIGESTER.text(one) == DIGESTER.text(other)) == (one == other)
    assert len(DIGESTER.text(one)) == 32


def test_nothing_is_told_without_the_key() -> None:
    other = KeyedDigester(OTHER_KEY)
    vector = unit(1)
    assert DIGESTER.text("tea") != other.text("tea")
    assert hamming_distance(DIGESTER.simhash("i prefer tea"), other.simhash("i prefer tea")) > 12
    assert hamming_distance(DIGESTER.simhash("i prefer tea"), simhash64("i prefer tea")) > 12
    assert abs(sketch_similarity(DIGESTER.sketch(vector), other.sketch(vector))) < 0.4


def test_another_digester_of_the_key_agrees() -> None:
    again = KeyedDigester(KEY)
    assert again.text("tea") == DIGESTER.text("tea")
    assert again.simhash("tea") == DIGESTER.simhash("tea")
    assert again.sketch(unit(1)) == DIGESTER.sketch(unit(1))


def test_the_key_is_not_shown() -> None:
    assert "aaaa" not in repr(DIGESTER)


@profile(deadline=None)
@given(st.integers(0, 10_000), st.floats(0.0, math.pi))
def test_the_estimate_is_near_the_cosine(seed: int, angle: float) -> None:
    """By Bernstein's inequality the share of differing bits, of mean p = angle / π, is off by more
    than √(2 p (1 - p) L / n) + 2 L / (3 n) with probability 2 · exp(-L); here 2 in a thousand
    million. The 1e-3 is for the rounding of float32 next to a plane."""
    one, towards = unit(seed), unit(seed + 20_000)
    other = at_angle(one, towards, angle)
    estimate = sketch_similarity(DIGESTER.sketch(one), DIGESTER.sketch(other))
    share, log = angle / math.pi, math.log(1e9)
    off = math.sqrt(2 * share * (1 - share) * log / SKETCH_BITS) + 2 * log / (3 * SKETCH_BITS)
    lowest, highest = max(0.0, share - off - 1e-3), min(1.0, share + off + 1e-3)
    assert math.cos(math.pi * highest) <= estimate <= math.cos(math.pi * lowest)


@pytest.mark.parametrize(("cosine", "error"), [(0.97, 0.012), (0.82, 0.04), (0.0, 0.09)])
def test_the_mean_error_is_the_one_that_is_said(cosine: float, error: float) -> None:
    """The mean absolute error is 0.8 standard errors, and the bound is 1.2 to 1.3."""
    errors = []
    for seed in range(60):
        one = unit(seed)
        other = at_angle(one, unit(seed + 500), math.acos(cosine))
        errors.append(abs(sketch_similarity(DIGESTER.sketch(one), DIGESTER.sketch(other)) - cosine))
    assert sum(errors) / len(errors) <= error


def test_opposite_and_equal() -> None:
    vector = unit(3)
    assert sketch_similarity(DIGESTER.sketch(vector), DIGESTER.sketch(vector)) == 1.0
    assert sketch_similarity(DIGESTER.sketch(vector), DIGESTER.sketch(-vector)) == -1.0


@pytest.mark.parametrize("dimensions", [8, 384, 1536])
def test_every_dimension_has_its_planes(dimensions: int) -> None:
    sketch = DIGESTER.sketch(unit(5, dimensions))
    assert len(sketch) == SKETCH_BITS // 8
    assert sketch == DIGESTER.sketch(unit(5, dimensions))


def test_a_vector_of_zeros_has_a_sketch() -> None:
    assert DIGESTER.sketch(np.zeros(DIMENSIONS, dtype=np.float32)) == bytes(SKETCH_BITS // 8)


@pytest.mark.parametrize(("one", "other"), [(b"", b""), (b"a", b"ab"), (b"a", b"")])
def test_other_lengths_do_not_compare(one: bytes, other: bytes) -> None:
    with pytest.raises(ValueError, match="one length"):
        sketch_similarity(one, other)
