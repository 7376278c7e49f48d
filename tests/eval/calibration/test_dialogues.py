from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eval.calibration.data import load_dialogues
from eval.corpus import Corpus
from eval.errors import DatasetUnreadable


def _dialogue(**changes: Any) -> dict[str, Any]:
    messages = [
        {"role": "user", "speaker": "Nina", "content": "I found a kitten."},
        {"role": "assistant", "speaker": "Oscar", "content": "Where?"},
    ]
    questions = [{"question": "What did Nina find?", "evidence": [0]}]
    return {"name": "d", "kind": "talk", "messages": messages, "questions": questions} | changes


def _write(folder: Path, *dialogues: dict[str, Any]) -> Path:
    path = folder / "dialogues.json"
    path.write_text(json.dumps({"conversations": dialogues}), encoding="utf-8")
    return path


def test_a_talk_names_its_speakers_and_a_chat_does_not(tmp_path: Path) -> None:
    talk, chat = load_dialogues(_write(tmp_path, _dialogue(), _dialogue(kind="chat")))
    assert [piece.text for piece in talk.pieces] == ["Nina: I found a kitten.", "Oscar: Where?"]
    assert [piece.text for piece in chat.pieces] == ["I found a kitten.", "Where?"]
    assert [piece.role for piece in talk.pieces] == ["user", "assistant"]
    assert talk.pieces[0].at < talk.pieces[1].at < talk.now
    [question] = talk.questions
    assert question.evidence == talk.pieces[0].evidence


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"questions": [{"question": "?", "evidence": [2]}]}, "d has no message 2"),
        (
            {"messages": [{"role": "user", "speaker": "", "content": "Hello."}], "questions": []},
            "d has a message that nobody said",
        ),
    ],
)
def test_a_dialogue_that_does_not_hold_together_is_refused(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(DatasetUnreadable, match=said):
        load_dialogues(_write(tmp_path, _dialogue(), _dialogue(**changes)))


def test_one_dialogue_cannot_be_held_out(tmp_path: Path) -> None:
    with pytest.raises(DatasetUnreadable, match="conversations"):
        load_dialogues(_write(tmp_path, _dialogue()))


def test_the_dialogues_that_ship_are_whole() -> None:
    corpora = load_dialogues()
    assert len(corpora) >= 6
    assert len({corpus.name for corpus in corpora}) == len(corpora)
    assert all(q.evidence <= _held(corpus) for corpus in corpora for q in corpus.questions)
    assert any(not question.evidence for corpus in corpora for question in corpus.questions)


def _held(corpus: Corpus) -> frozenset[str]:
    return frozenset[str]().union(*(piece.evidence for piece in corpus.pieces))
