from __future__ import annotations

from pathlib import Path

import pytest

from eval.errors import WrongUsage
from eval.tuning.sources import read_sources


def test_folders_are_known_by_what_they_hold(
    tiny_golden: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    sources = read_sources([tiny_golden])
    assert [case.id for case in sources.golden.cases] == ["uv", "town", "lock"]
    assert sources.golden_folder == tiny_golden
    assert not sources.folders
    assert not sources.memories
    assert not sources.messages
    empty = tmp_path_factory.mktemp("empty")
    with pytest.raises(WrongUsage, match=r"turns\.jsonl"):
        read_sources([tiny_golden, empty])


def test_turns_are_messages_observations_memories_and_traps_are_left_out(
    tiny_locomo: Path,
) -> None:
    sources = read_sources([tiny_locomo])
    turns, *_ = sources.messages["locomo turns"]
    assert [question.id for question in turns.questions] == ["q1", "q2"]
    assert list(sources.memories) == ["locomo observations"]
    assert sources.folders == {"locomo": tiny_locomo}


def test_beam_is_messages(tiny_beam: Path) -> None:
    sources = read_sources([tiny_beam])
    assert list(sources.messages) == ["beam"]
    assert sources.memories == {}
