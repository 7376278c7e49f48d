from __future__ import annotations

import pytest

from memory.models import ItemType
from memory.write.candidates import Category
from memory.write.types import type_of


@pytest.mark.parametrize(
    ("category", "kind"),
    [
        ("identity", "fact"),
        ("relationship", "fact"),
        ("possession", "fact"),
        ("habit", "fact"),
        ("goal", "fact"),
        ("preference", "preference"),
        ("decision", "decision"),
        ("constraint", "constraint"),
        ("procedure", "procedure"),
        ("definition", "definition"),
        ("event", "note"),
    ],
)
def test_the_category_decides(category: Category, kind: ItemType) -> None:
    assert type_of("We decided that I prefer tea", category) == kind


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("We decided to move to Lyon", "decision"),
        ("I'm going with the blue one", "decision"),
        ("I prefer uv over pip", "preference"),
        ("my FAVORITE is jazz", "preference"),
        ("Gloves are in the drawer", "fact"),
        ("", "fact"),
    ],
)
def test_without_a_category_the_words_do(content: str, kind: ItemType) -> None:
    assert type_of(content) == kind
