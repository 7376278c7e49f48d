from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.ingestion_scores import ExpectedMemory, load_turns
from eval.errors import DatasetUnreadable
from tests.eval.threads import LABELS, turn


def write_turns(folder: Path, labels: dict[str, Any]) -> Path:
    (folder / "turns.json").write_text(json.dumps(labels), encoding="utf-8")
    return folder


def test_the_shipped_set_is_what_the_issue_asks_for() -> None:
    shipped = load_turns()
    turns = [each for thread in shipped.threads for each in thread.turns]
    assert len(turns) >= 120
    traps = {"quoted", "hypothetical", "others_facts", "joke", "temporary", "general_knowledge"}
    assert traps <= {each.category for each in turns}
    assert any(each.secret for each in turns)
    assert any(each.repeats for each in turns)
    assert any(each.replaces for each in turns)
    assert any(thread.held_back for thread in shipped.threads)


@pytest.mark.parametrize(
    ("content", "met"),
    [
        ("User moved to Bergen on 1 May.", True),
        ("User lives in BERGEN", True),
        ("User moved to Bergen last Friday", False),
        ("User lives in Oslo.", False),
    ],
)
def test_a_keep_is_met_by_its_stems(content: str, met: bool) -> None:
    keep = ExpectedMemory(
        about="",
        must_hold=("bergen",),
        must_not_hold=("last friday",),
        type=("fact",),
        bank=("Personal",),
        occurred_on=None,
    )
    assert keep.is_met_by(content) is met


@pytest.mark.parametrize(
    ("added", "said"),
    [
        (turn("t1", "Again."), "appear twice: t1"),
        (turn("t9", "Again.", repeats="nothing"), "turn t9: nothing is no earlier turn"),
        (turn("t9", "Again.", replaces="t2"), "turn t9: t2 is no earlier turn"),
        (turn("t9", "Perhaps.", doubtful=True), "doubtful whether nothing is kept or replaced"),
        (turn("t9", "Again.", "bergen", repeats="t1"), "has one of its own"),
        (turn("t9", "Secret.", secret="short"), "threads.0.turns.2.secret"),
    ],
)
def test_a_fault_is_named_in_one_line(tmp_path: Path, added: dict[str, Any], said: str) -> None:
    labels = copy.deepcopy(LABELS)
    labels["threads"][0]["turns"].append(added)
    with pytest.raises(DatasetUnreadable) as caught:
        load_turns(write_turns(tmp_path, labels))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
