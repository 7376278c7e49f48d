from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.datasets.commands import WITH_OBJECT, load_utterances, normalise_object
from eval.errors import DatasetUnreadable

TWO: dict[str, Any] = {
    "utterances": [
        {"id": "a", "text": "forget my sister", "command": "forget", "about": "my sister"},
        {"id": "b", "text": "I forgot my keys", "command": None, "about": None},
    ]
}


def write_utterances(folder: Path, told: dict[str, Any]) -> Path:
    (folder / "utterances.json").write_text(json.dumps(told), encoding="utf-8")
    return folder


def test_the_shipped_set_is_what_the_issue_asks_for() -> None:
    shipped = load_utterances().utterances
    traps = sum(each.command is None for each in shipped)
    assert len(shipped) >= 200
    assert traps * 2 >= len(shipped)
    assert {each.command for each in shipped} > WITH_OBJECT
    assert any(each.held_back for each in shipped)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "a"}, "appear twice: a"),
        ({"about": "my keys"}, "utterance b: its command takes no object"),
        ({"command": "juggle"}, "utterances.1.command"),
        ({"colour": "red"}, "utterances.1.colour"),
    ],
)
def test_a_fault_is_named_in_one_line(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    told = copy.deepcopy(TWO)
    told["utterances"][1] |= change
    with pytest.raises(DatasetUnreadable) as caught:
        load_utterances(write_utterances(tmp_path, told))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("that I'm allergic to penicillin", "I’m allergic to penicillin."),
        ("the memory about my car", "My car"),
        ("The boiler", "boiler"),
        (None, "that"),
        (None, None),
    ],
)
def test_objects_are_compared_by_their_core(one: str | None, other: str | None) -> None:
    assert normalise_object(one) == normalise_object(other)


@pytest.mark.parametrize(("one", "other"), [("my sister", "sister"), ("Oslo", None), ("a", "b")])
def test_other_objects_stay_others(one: str | None, other: str | None) -> None:
    assert normalise_object(one) != normalise_object(other)


@given(st.text())
def test_a_core_is_its_own_core(spoken: str) -> None:
    found = normalise_object(spoken)
    if found is None or not found.startswith("memory about"):
        assert normalise_object(found) == found


def test_a_set_of_lines_is_read_with_its_languages(tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_text("de | pin | pinne das mit Ida | Ida\nno | none | jeg glemte det | \n", "utf-8")
    pin, trap = load_utterances(path).utterances
    assert (pin.language, pin.command, pin.about) == ("de", "pin", "Ida")
    assert (trap.language, trap.command, trap.text) == ("no", None, "jeg glemte det")


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_text("de | juggle | jongliere | ", "utf-8")
    with pytest.raises(DatasetUnreadable):
        load_utterances(path)
