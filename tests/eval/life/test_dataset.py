from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.life_scores import load_conversations
from eval.errors import DatasetUnreadable, WrongUsage
from eval.registry import load_dataset
from tests.eval.life.conftest import write_life


def test_people_come_in_the_order_of_their_files_and_only_so_many(
    tmp_path: Path, ada: dict[str, Any]
) -> None:
    folder = write_life(tmp_path, ada, ada | {"language": "de"}, ada)
    assert [each.name for each in load_conversations(folder)] == ["p1", "p2", "p3"]
    first = load_conversations(folder, limit=2)
    assert [(each.name, each.language) for each in first] == [("p1", "en"), ("p2", "de")]


def test_one_group_may_stand_for_a_list_of_one(tmp_path: Path, ada: dict[str, Any]) -> None:
    ada["questions"][1]["not_first"] = [["rye"], ["white", "bread"]]
    [read] = load_conversations(write_life(tmp_path, ada))
    assert read.questions[0].not_first == (("rye", "white"),)
    assert read.questions[1].not_first == (("rye",), ("white", "bread"))
    assert read.questions[2].not_first == ()


FAULTS: tuple[tuple[tuple[str, int], dict[str, Any], str], ...] = (
    (("turns", 1), {"kind": "smalltalk"}, r"turns\.1\.kind: .*'chitchat'"),
    (("turns", 1), {"mood": "good"}, r"turns\.1\.mood: Extra inputs"),
    (("turns", 0), {"day": "3 February"}, r"turns\.0\.day: .*date"),
    (("turns", 0), {"present": [["Rye"]]}, r"turns\.0\.present\.0\.0: “Rye” .* lower case"),
    (("turns", 0), {"absent": ["rye"]}, r"turns\.0\.absent\.0: .*array"),
    (("turns", 1), {"id": "t1"}, "these turns appear twice: t1"),
    (("turns", 1), {"day": "2026-02-01"}, r"turns\.1\.day: 2026-02-01 is before 2026-02-04"),
    (("questions", 0), {"after": "t9"}, r"questions\.0\.after: there is no turn t9"),
    (("questions", 1), {"day": "2026-02-01"}, r"questions\.1\.day: .* is before 2026-02-04"),
    (("questions", 0), {"not_first": [3]}, r"questions\.0\.not_first\.0"),
    (("questions", 2), {"silent": False}, r"questions\.2: a question wants something"),
)


def test_a_fault_is_told_with_its_file_and_field(tmp_path: Path, ada: dict[str, Any]) -> None:
    for number, ((part, place), fault, said) in enumerate(FAULTS):
        broken = copy.deepcopy(ada)
        broken[part][place] |= fault
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(DatasetUnreadable, match=rf"p1\.json cannot be read: {said}"):
            load_conversations(write_life(folder, broken))


def test_a_folder_without_people_is_none(tmp_path: Path) -> None:
    with pytest.raises(DatasetUnreadable, match="no folder with JSON files"):
        load_conversations(tmp_path / "nowhere")


def test_the_projects_own_set_can_be_read() -> None:
    assert {each.language for each in load_conversations()} == {"de", "en", "es", "fr", "no"}


def test_a_limit_is_of_life_alone(tmp_path: Path, ada: dict[str, Any]) -> None:
    assert load_dataset("life", write_life(tmp_path, ada), limit=1)
    with pytest.raises(WrongUsage, match="--limit belongs to --dataset life"):
        load_dataset("writing", None, limit=1)
