from __future__ import annotations

from memory.ingestion.classification import item_type_of
from memory.types import MemoryType
from memory.understanding import Category

KINDS: list[tuple[Category, MemoryType]] = [
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
]


def test_the_category_decides() -> None:
    assert [
        (category, got) for category, kind in KINDS if (got := item_type_of(category)) != kind
    ] == []
