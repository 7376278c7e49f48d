from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from eval.datasets.ingestion_scores import (
    IngestionTurn,
    ItemsById,
    TurnOutcome,
    TurnScore,
    ingestion_failures,
    ingestion_metrics,
    ingestion_metrics_by_category,
    score_thread,
)
from eval.results import Failures
from memory.types import StoredMemory
from tests.eval.threads import keep, turn


def _item(content: str, **more: Any) -> StoredMemory:
    given = {
        "id": uuid4(),
        "content": content,
        "type": "fact",
        "space": "default",
        "bank": "Personal",
        "role": "user",
        "tags": (),
        "importance": 0.5,
        "pinned": False,
        "manually_saved": False,
        "created_at": datetime(2026, 6, 15, tzinfo=UTC),
        "occurred_at": None,
        "source_message_id": None,
        "repeat_count": 1,
        "superseded_by": None,
        "deleted_at": None,
    }
    return StoredMemory.model_validate(given | more)


OSLO, BERGEN = _item("User lives in Oslo."), _item("User lives in Bergen.")
DOG, NOISE = _item("User has a dog."), _item("The weather is nice.")


def _replaced(item: StoredMemory, by: StoredMemory) -> StoredMemory:
    return item.model_copy(update={"superseded_by": by.id})


def _score(
    steps: Sequence[tuple[dict[str, Any], Sequence[StoredMemory]]],
    asked: frozenset[UUID] = frozenset(),
    held_back: bool = False,
) -> list[TurnScore]:
    """Of a thread, given its turns with the whole store after each; the last one `asked`."""
    learned = []
    before: ItemsById = {}
    for label, items in steps:
        after = {item.id: item for item in items}
        learned.append(TurnOutcome(IngestionTurn.model_validate(label), before, after))
        before = after
    learned[-1] = replace(learned[-1], asked_about=asked)
    return score_thread("thread", held_back, learned)


LIVES = turn("t1", "I live in Oslo.", "oslo")
AGAIN = turn("t2", "I live in Oslo!", repeats="t1", category="duplicate")
MOVED = turn("t2", "I moved to Bergen.", "bergen", replaces="t1", category="update")
PERHAPS = turn("t2", "Bergen now.", "bergen", replaces="t1", doubtful=True)
CHAT = turn("t2", "What a day!", category="junk")


def test_a_kept_memory_is_right_in_its_type_bank_and_day() -> None:
    label = turn("t1", "Yesterday I moved to Oslo.", "oslo", occurred_on="2026-06-14")
    # Half an hour into the day on the speaker's clock, the day before in UTC.
    day = datetime(2026, 6, 13, 22, 30, tzinfo=UTC)
    [right] = _score([(label, [OSLO.model_copy(update={"occurred_at": day})])])
    assert (right.wanted, right.met, right.dated, right.dates_right) == (1, 1, 1, 1)
    assert (right.types_right, right.banks_right, right.junk) == (1, 1, 0)
    [wrong] = _score([(label, [OSLO.model_copy(update={"type": "note", "bank": "Work"})])])
    assert (wrong.met, wrong.types_right, wrong.banks_right, wrong.dates_right) == (1, 0, 0, 0)


def test_one_memory_may_meet_several_keeps_and_one_that_meets_none_is_junk() -> None:
    label = turn("t1", "I live in Oslo with a dog.") | {"keep": [keep("oslo"), keep("dog")]}
    [both] = _score([(label, [_item("User lives in Oslo with a dog."), NOISE])])
    assert (both.wanted, both.met, both.stored, both.junk) == (2, 2, 2, 1)
    assert not both.must_store_nothing


def test_a_memory_that_says_a_part_of_what_was_wanted_is_junk_of_its_own_kind() -> None:
    label = turn("t1", "I live in Oslo with a dog.", "oslo", "dog")
    [parts] = _score([(label, [OSLO, DOG, NOISE])])
    assert (parts.met, parts.stored, parts.junk, parts.incomplete) == (0, 3, 3, 2)


def test_a_keep_of_an_earlier_turn_is_not_met_by_what_was_there() -> None:
    _, second = _score([(LIVES, [OSLO]), (LIVES | {"id": "t2"}, [OSLO])])
    assert (second.wanted, second.met, second.stored) == (1, 0, 0)


def test_a_memory_that_is_dead_on_arrival_is_stored_and_not_kept() -> None:
    [score] = _score([(LIVES, [_replaced(OSLO, NOISE), NOISE])])
    assert (score.met, score.stored, score.junk) == (0, 2, 1)


def test_junk_turns_are_those_that_want_nothing() -> None:
    chat, command, again = (
        _score([(LIVES, [OSLO]), (label, [OSLO, NOISE])])[1]
        for label in (CHAT, CHAT | {"category": "command"}, AGAIN)
    )
    assert (chat.must_store_nothing, chat.junk) == (True, 1)
    assert (command.must_store_nothing, command.junk) == (False, 1)
    assert (again.must_store_nothing, again.junk) == (False, 1)


def test_a_repeat_is_counted_and_nothing_lies_beside_it() -> None:
    counted = OSLO.model_copy(update={"repeat_count": 2})
    twin = _item("User is living in Oslo.")
    right = _score([(LIVES, [OSLO]), (AGAIN, [counted])])[1]
    wrong = _score([(LIVES, [OSLO]), (AGAIN, [OSLO, twin])])[1]
    assert (right.duplicate, right.counted, right.stored) == (False, True, 0)
    assert (wrong.duplicate, wrong.counted, wrong.junk) == (True, False, 1)


def test_a_repeat_may_make_up_for_what_was_missed() -> None:
    first, second = _score([(LIVES, []), (AGAIN, [OSLO])])
    assert (first.wanted, first.met) == (1, 0)
    assert (second.duplicate, second.counted, second.stored, second.junk) == (None, None, 1, 0)
    third = _score([(LIVES, []), (AGAIN, [OSLO]), (AGAIN | {"id": "t3"}, [OSLO, BERGEN])])[2]
    assert (third.duplicate, third.junk) == (True, 1)


def test_a_repeat_that_takes_the_place_of_the_first_is_no_duplicate_but_a_wrong_end() -> None:
    twin = _item("User is living in Oslo.")
    [_, again] = _score([(LIVES, [OSLO]), (AGAIN, [_replaced(OSLO, twin), twin])])
    assert (again.duplicate, again.junk, again.wrong_supersedes) == (False, 0, 1)


def test_an_older_memory_is_ended_by_what_replaces_it() -> None:
    done = _score([(LIVES, [OSLO]), (MOVED, [_replaced(OSLO, BERGEN), BERGEN])])[1]
    left = _score([(LIVES, [OSLO]), (MOVED, [OSLO, BERGEN])])[1]
    missed = _score([(LIVES, []), (MOVED, [BERGEN])])[1]
    assert (done.left_active, done.met, done.wrong_supersedes) == (False, 1, 0)
    assert (left.left_active, missed.left_active) == (True, None)


def test_what_a_repeat_stored_has_to_go_as_well() -> None:
    moved = MOVED | {"id": "t3"}
    steps: list[tuple[dict[str, Any], Sequence[StoredMemory]]] = [(LIVES, []), (AGAIN, [OSLO])]
    left = _score([*steps, (moved, [OSLO, BERGEN])])[2]
    done = _score([*steps, (moved, [_replaced(OSLO, BERGEN), BERGEN])])[2]
    assert (left.left_active, done.left_active, done.wrong_supersedes) == (True, False, 0)


@pytest.mark.parametrize(
    ("label", "asked", "left"),
    [(PERHAPS, True, False), (PERHAPS, False, True), (MOVED, True, True)],
)
def test_asking_is_enough_only_where_it_is_doubtful(
    label: dict[str, Any], asked: bool, left: bool
) -> None:
    about = frozenset({OSLO.id}) if asked else frozenset()
    score = _score([(LIVES, [OSLO]), (label, [OSLO, BERGEN])], about)[1]
    assert (score.left_active, score.asked, score.asked_needlessly) == (left, asked, False)
    assert score.wanted == (0 if label is PERHAPS else 1)
    assert score.junk == 0


def test_a_memory_ended_without_reason_is_counted() -> None:
    ended = _score([(LIVES, [OSLO]), (CHAT, [_replaced(OSLO, NOISE), NOISE])], frozenset({DOG.id}))
    assert (ended[1].wrong_supersedes, ended[1].asked_needlessly) == (1, True)
    dog = turn("t2", "I have a dog.", "dog")
    steps: list[tuple[dict[str, Any], Sequence[StoredMemory]]] = [
        (LIVES, [OSLO]),
        (dog, [OSLO, DOG]),
    ]
    moved = MOVED | {"id": "t3"}
    both = [_replaced(OSLO, BERGEN), _replaced(DOG, BERGEN), BERGEN]
    assert _score([*steps, (moved, both)])[2].wrong_supersedes == 1


def test_a_memory_brought_back_is_the_turns_own() -> None:
    steps: list[tuple[dict[str, Any], Sequence[StoredMemory]]] = [
        (LIVES, [OSLO]),
        (MOVED, [_replaced(OSLO, BERGEN), BERGEN]),
    ]
    back = turn("t3", "I live in Oslo again.", "oslo", replaces="t2")
    score = _score([*steps, (back, [OSLO, _replaced(BERGEN, OSLO)])])[2]
    assert (score.met, score.left_active, score.wrong_supersedes) == (1, False, 0)
    there = [OSLO, _replaced(BERGEN, OSLO)]
    dog = turn("t4", "I live in a kennel now.", "dog", replaces="t3")
    ended = [_replaced(OSLO, DOG), _replaced(BERGEN, OSLO), DOG]
    again = _score([*steps, (back, there), (dog, ended)])[3]
    assert (again.left_active, again.wrong_supersedes) == (False, 0)


def test_figures_take_the_worse_of_the_two_shares_of_junk() -> None:
    scores = _score([(LIVES, [OSLO]), (CHAT, [OSLO, NOISE])])
    figures = ingestion_metrics(scores)
    assert (figures["junk_turns"], figures["junk_memories"], figures["junk_kept"]) == (1, 0.5, 1)
    assert figures["wanted_kept"] == 1
    assert figures["contradictions_left_active"] is None
    rows = ingestion_metrics_by_category(scores)
    assert rows["identity"]["junk_memories"] == 0
    assert rows["junk"]["wanted_kept"] is None


def test_without_memories_there_is_no_junk() -> None:
    figures = ingestion_metrics(_score([(LIVES, []), (CHAT, [])]))
    assert (figures["junk_kept"], figures["wanted_kept"], figures["memories"]) == (0, 0, 0)


def test_faults_are_named_by_id_and_held_back_ones_only_counted() -> None:
    seen = _score([(LIVES, []), (CHAT, [NOISE])])
    hidden = _score([(LIVES, [])], held_back=True)
    failures = Failures.of(ingestion_failures([*seen, *hidden], {"t2": ["messages"]}))
    assert [(each.id, each.what) for each in failures.shown] == [
        ("t1", "1 of 1 wanted not kept"),
        ("t2", "1 unwanted stored; secret in messages"),
    ]
    assert failures.held_back == {"identity": 1}
