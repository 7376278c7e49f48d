from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ingestion.classification import salience
from memory.types import MEMORY_TYPES, MemoryType

types = st.sampled_from(MEMORY_TYPES)


WORTHS: list[tuple[str, MemoryType, bool, float]] = [
    ("", "fact", False, 0.0),
    ("x" * 250, "fact", False, 0.225),
    ("x" * 500, "fact", False, 0.45),
    ("x" * 5000, "fact", False, 0.45),
    ("", "preference", False, 0.2),
    ("", "procedure", False, 0.2),
    ("", "constraint", False, 0.2),
    ("", "definition", False, 0.2),
    ("", "decision", False, 0.0),
    ("", "note", False, 0.0),
    ("", "fact", True, 0.2),
    ("x" * 500, "preference", True, 0.85),
    ("é" * 250, "fact", False, 0.45),
]


def test_the_formula() -> None:
    assert [
        (content[:3], kind, pinned, got)
        for content, kind, pinned, expected in WORTHS
        if (got := salience(content, kind, pinned=pinned)) != pytest.approx(expected)
    ] == []


@given(st.text(max_size=600), types, st.booleans())
def test_it_stays_within_bounds(content: str, item_type: MemoryType, pinned: bool) -> None:
    assert 0.0 <= salience(content, item_type, pinned=pinned) <= 0.85 + 1e-9


@given(st.text(max_size=300), st.text(max_size=300), types)
def test_more_text_and_a_pin_never_lower_it(one: str, more: str, item_type: MemoryType) -> None:
    plain = salience(one, item_type, pinned=False)
    assert salience(one + more, item_type, pinned=False) >= plain
    assert salience(one, item_type, pinned=True) == pytest.approx(plain + 0.2)
