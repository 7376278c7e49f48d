from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from eval.datasets.locomo import load_locomo
from eval.errors import DatasetUnreadable


def test_turns_are_told_as_they_were_spoken_in_order(tiny_locomo: Path) -> None:
    [corpus, _] = load_locomo(tiny_locomo)["turns"]
    first, second = corpus.pieces
    assert first.text == ("Ann: I adopted a grey kitten. [shares a picture: a kitten on a sofa]")
    assert second.text == "Ben: I repaired my old bicycle."
    assert first.at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert first.at < second.at < corpus.now
    assert first.evidence == {"D1:1"}
    assert (first.role, second.role) == ("user", "assistant")


def test_questions_without_evidence_are_left_out(tiny_locomo: Path) -> None:
    [corpus, _] = load_locomo(tiny_locomo)["observations"]
    assert [question.id for question in corpus.questions] == ["q1", "q2", "q3"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 3: Invalid JSON"),
        ('{"conversation": "c1", "id": "x", "question": "?", "category": "c"}', "evidence"),
    ],
)
def test_a_broken_row_is_named_by_its_line(tiny_locomo: Path, line: str, said: str) -> None:
    path = tiny_locomo / "queries.jsonl"
    rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*rows[:2], line]), encoding="utf-8")
    with pytest.raises(DatasetUnreadable) as caught:
        load_locomo(tiny_locomo)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_date_in_another_form_is_named(tiny_locomo: Path) -> None:
    path = tiny_locomo / "turns.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("1:56 pm on", "at"), encoding="utf-8")
    with pytest.raises(DatasetUnreadable, match="line 1: at: "):
        load_locomo(tiny_locomo)


def test_an_empty_set_and_a_missing_folder_are_named(tiny_locomo: Path, tmp_path: Path) -> None:
    (tiny_locomo / "turns.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(DatasetUnreadable, match="no turns"):
        load_locomo(tiny_locomo)
    with pytest.raises(DatasetUnreadable, match="No such file"):
        load_locomo(tmp_path / "nowhere")
