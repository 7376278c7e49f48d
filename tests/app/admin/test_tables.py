"""Tables in terminals of every width."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from app.console import MIN_LAST_COLUMN, print_table

COLUMNS = ("id", "job", "why the last attempt failed")
REASON = "The embedding model did not answer within 30 seconds."
ROW = ("17", "memory_embed_backfill", REASON)


def shown(width: int, *rows: tuple[str, ...]) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    print_table(console, "2 jobs", COLUMNS, rows)
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("width", [20, 44, 46, 47, 60, 200])
def test_nothing_of_a_row_is_cut_off(width: int) -> None:
    lines = shown(width, ROW)
    assert "…" not in "".join(lines)
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    assert [each for each in ROW[2].split() if each not in words] == []
    assert "17" in words
    assert "memory_embed_backfill" in "".join("".join(lines).split())


def test_columns_stand_beside_each_other_where_they_fit() -> None:
    just = len("17") + len("memory_embed_backfill") + 2 * len("  ") + MIN_LAST_COLUMN
    assert any(each.startswith("17  memory_embed_backfill  The") for each in shown(just, ROW))
    assert shown(just - 1, ROW)[2].startswith("17 · memory_embed_backfill · The")
