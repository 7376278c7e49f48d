"""Fitting what reads messages from a few of them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from eval.training.reader import fit_head, hold_out_head, metrics_by_kind

from eval.errors import DatasetUnreadable
from eval.training.data import (
    LabelledMessage,
    common_words,
    load_labelled_messages,
    load_labelled_sentences,
    type_message,
)
from memory.understanding.linear_models import save_heads

FACT = '{"text": "I live in Oslo", "kind": "fact", "category": "identity", "bank": "Personal", '
FACT += '"lifetime": "long"}'
LINE = '{"language": "en", "writer": "a", "segments": [%s]}'
ASKED = '{"text": "what is the %s like?", "kind": "question"}'
SAID = '{"text": "my %s is green", "kind": "fact", "category": "possession", "bank": "General", '
SAID += '"lifetime": "long"}'
TEN = [
    LabelledMessage.model_validate_json((LINE % f"{SAID}, {ASKED}") % (one, one)).model_copy(
        update={"writer": writer}
    )
    for writer in ("a", "b")
    for one in ("tea", "car", "door", "boat", "shed")
]


def test_what_is_plain_is_learned_from_others() -> None:
    rows = {row["kind"]: row for row in metrics_by_kind(hold_out_head(TEN, "kind"))}
    assert [rows[kind]["recall"] for kind in ("fact", "question")] == [1, 1]
    assert rows["forget"]["segments"] == 0


@pytest.mark.parametrize("name", ["kind", "boundary"])
def test_the_same_weights_come_out_each_time(tmp_path: Path, name: str) -> None:
    for file in ("one.npz", "two.npz"):
        save_heads({name: fit_head(TEN, name)}, tmp_path / file)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_a_typed_message_holds_its_segments_in_order() -> None:
    for message in load_labelled_messages()[::20]:
        words = type_message(message, common_words(TEN), random.Random(1))
        assert (np.diff(words.starts) > 0).all()
        for told, each in zip(words.segments(), message.segments, strict=True):
            assert told.casefold().startswith(each.text.strip().casefold())


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        LINE % "",
        LINE % '{"text": "I live in Oslo", "kind": "fact"}',
        LINE % FACT.replace('"fact"', '"question"'),
        LINE % FACT.replace('"fact"', '"gossip"'),
    ],
)
def test_a_fault_in_the_data_is_said_with_its_file(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.jsonl").write_text(f"{LINE % FACT}\n{line}\n", encoding="utf-8")
    with pytest.raises(DatasetUnreadable, match=r"a\.jsonl"):
        load_labelled_messages(tmp_path)


def test_an_empty_folder_is_a_fault_and_a_good_line_is_none(tmp_path: Path) -> None:
    with pytest.raises(DatasetUnreadable, match="no labelled"):
        load_labelled_sentences(tmp_path)
    (tmp_path / "a.jsonl").write_text(f"{LINE % FACT}\n", encoding="utf-8")
    assert len(load_labelled_messages(tmp_path)) == 1
