from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.golden import load_golden
from eval.errors import DatasetUnreadable
from tests.eval.conftest import TINY, UV, write_golden


def _broken(path: list[str | int], value: Any) -> dict[str, Any]:
    golden: Any = copy.deepcopy(TINY)
    place = golden
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return dict(golden)


def test_the_shipped_set_is_whole_and_large_enough() -> None:
    golden = load_golden()
    assert len(golden.cases) >= 80
    categories = {case.category for case in golden.cases}
    assert {"no_answer", "other_user", "over_budget", "hostile", "paraphrase"} <= categories


def test_a_case_sees_its_store_and_its_own_memories(tiny_golden: Path) -> None:
    golden = load_golden(tiny_golden)
    contents = [memory.content for memory in golden.memories_of(golden.cases[0])]
    assert contents[0] == UV
    assert len(golden.memories_of(golden.cases[2])) == 1


FAULTS: tuple[tuple[list[str | int], Any, str], ...] = (
    (["cases", 0, "store"], "nobody", "case uv: there is no store nobody"),
    (["cases", 0, "expected_retrievals"], ["Never said."], "what no living memory"),
    (["cases", 1, "expected_retrievals"], ["I live in Bergen."], "what no living memory"),
    (["cases", 0, "forbidden_retrievals"], ["Never said."], "forbids what no memory says"),
    (["cases", 1, "id"], "uv", "appear twice: uv"),
    (["cases", 0, "limit"], 0, "cases.0.limit"),
    (["cases", 0, "colour"], "red", "cases.0.colour"),
    (["cases"], [], "cases"),
    (["stores", "sam", "memories", 0, "type"], "mood", "stores.sam.memories.0.type"),
    (["stores", "sam", "memories", 0, "created_at"], "2026-01-01T00:00:00", "timezone"),
    (["stores", "sam", "memories", 2, "content"], UV, "the same words"),
)


def test_a_fault_is_named_in_one_line(tmp_path: Path) -> None:
    for path, value, said in FAULTS:
        folder = write_golden(tmp_path, _broken(path, value))
        with pytest.raises(DatasetUnreadable) as caught:
            load_golden(folder)
        assert said in str(caught.value)
        assert "\n" not in str(caught.value), said


def test_a_missing_file_and_broken_json_are_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetUnreadable, match="No such file"):
        load_golden(tmp_path)
    (tmp_path / "memory.json").write_text("{", encoding="utf-8")
    with pytest.raises(DatasetUnreadable, match="Invalid JSON"):
        load_golden(tmp_path)
