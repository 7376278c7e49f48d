from __future__ import annotations

import pytest

from memory.ingestion.classification import item_type_of
from memory.types import MemoryType
from memory.understanding import Category


@pytest.mark.parametrize(
    ("category", "kind"),
    [
        ("identity", "fact"),
        ("relationship", "fact"),
        ("possession", "fact"),
        ("habit", "fact"),
        ("goal", "fact"),
        ("plan", "fact"),
        ("preference", "preference"),
        ("decision", "decision"),
        ("constraint", "constraint"),
        ("procedure", "procedure"),
        ("definition", "definition"),
        ("event", "note"),
        ("feeling", "note"),
    ],
)
def test_the_category_decides(category: Category, kind: MemoryType) -> None:
    assert item_type_of(category) == kind
