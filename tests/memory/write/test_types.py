from __future__ import annotations

import pytest

from memory.models import ItemType
from memory.understanding import Category
from memory.write.types import type_of


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
def test_the_category_decides(category: Category, kind: ItemType) -> None:
    assert type_of(category) == kind
