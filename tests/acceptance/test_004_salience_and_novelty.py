"""Specification 004, 1.1 and 1.3: salience at write time, and the novelty threshold."""

from __future__ import annotations

from typing import get_args

import pytest

from memory.service import MemoryService
from memory.types import MemoryType, NewMemory, Origin
from tests.acceptance.chat import knows
from tests.acceptance.conftest import Parts
from tests.acceptance.stores import memory_rows
from tests.acceptance.test_003_deduplication import Angles

USER = Origin()
LASTING = {"preference", "procedure", "constraint", "definition"}
KAYAK = "I keep a red kayak in the boathouse"
RESTATED = "In the boathouse I keep a red kayak"
MORE = "I keep a red kayak and two paddles in the boathouse"


async def salience_of(parts: Parts, user_id: str) -> list[float]:
    return [row["salience"] for row in await memory_rows(parts.database, user_id)]


# 1.1 Salience: 0.45 · min(length / 500, 1) + 0.20 for a lasting kind + 0.20 if pinned


@pytest.mark.parametrize("length", [1, 50, 250, 500, 4000])
async def test_length_counts_up_to_500_bytes(parts: Parts, user_id: str, length: int) -> None:
    await parts.memory().remember(user_id, NewMemory(content="x" * length, type="note"))
    assert await salience_of(parts, user_id) == [pytest.approx(0.45 * min(length / 500, 1))]


@pytest.mark.parametrize("kind", get_args(MemoryType))
async def test_lasting_kinds_add_a_fifth(parts: Parts, user_id: str, kind: MemoryType) -> None:
    """Preference, procedure, constraint and definition; an observation adds nothing."""
    await parts.memory().remember(user_id, NewMemory(content=KAYAK, type=kind))
    expected = 0.45 * len(KAYAK) / 500 + (0.2 if kind in LASTING else 0.0)
    assert await salience_of(parts, user_id) == [pytest.approx(expected)]


async def test_a_pin_adds_a_fifth_and_takes_it_back(parts: Parts, user_id: str) -> None:
    memory = parts.memory()
    kept = (await memory.remember(user_id, NewMemory(content=KAYAK))).item
    [plain] = await salience_of(parts, user_id)
    await memory.entries.pin(user_id, kept.id, USER)
    assert await salience_of(parts, user_id) == [pytest.approx(plain + 0.2)]
    await memory.entries.unpin(user_id, kept.id, USER)
    assert await salience_of(parts, user_id) == [pytest.approx(plain)]


async def test_one_that_is_pinned_at_once_has_it_at_once(parts: Parts, user_id: str) -> None:
    long = NewMemory(content="y" * 600, type="preference", pinned=True)
    await parts.memory().remember(user_id, long)
    assert await salience_of(parts, user_id) == [pytest.approx(0.85)]


# 1.3 Novelty: what is not more similar than 0.82 to anything is new


def vectors(cosine: float) -> Angles:
    return Angles({KAYAK: 1.0, RESTATED: cosine, MORE: cosine})


@pytest.mark.parametrize(("cosine", "kind"), [(0.81, "kept"), (0.83, "repeated")])
async def test_above_the_threshold_a_restatement_is_counted_not_stored(
    parts: Parts, user_id: str, cosine: float, kind: str
) -> None:
    """The same words in another order: below 0.82 their vectors say that they are new."""
    memory = parts.memory(embedder=vectors(cosine))
    await memory.remember(user_id, NewMemory(content=KAYAK))
    assert (await memory.remember(user_id, NewMemory(content=RESTATED))).kind == kind


async def test_above_the_threshold_what_adds_something_is_still_kept(
    parts: Parts, user_id: str
) -> None:
    """Only a restatement is dropped: with two paddles it is another memory, near as it may be."""
    memory = parts.memory(embedder=vectors(0.95))
    for content in (KAYAK, MORE):
        assert (await memory.remember(user_id, NewMemory(content=content))).kind == "kept"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "I live in Oslo",
            "I moved to Bergen",
            marks=pytest.mark.xfail(strict=True, reason="taken for what may be an update: asked"),
        ),
        ("I live in Oslo", "I live in Bergen now"),
        ("I eat meat", "I don't eat meat any more"),
        ("I work at Holm & Sons", "I now work at the harbour"),
    ],
)
async def test_before_it_is_called_old_news_it_is_asked_whether_it_is_an_update(
    memory: MemoryService, parts: Parts, user_id: str, old: str, new: str
) -> None:
    """An update said outright supersedes the old memory: out of recall, kept and linked."""
    before = (await memory.remember(user_id, NewMemory(content=old))).item
    outcome = await memory.remember(user_id, NewMemory(content=new))
    assert (outcome.kind, [each.id for each in outcome.older]) == ("replaced", [before.id])
    assert await knows(memory, user_id) == [new]
    first, _ = await memory_rows(parts.database, user_id)
    assert (first["content"], first["superseded_by"]) == (old, outcome.item.id)
    assert first["valid_to"] is not None
    assert first["deleted_at"] is None


async def test_what_may_be_an_update_is_kept_beside_it_and_asked_about(
    memory: MemoryService, user_id: str
) -> None:
    """Asking blocks nothing: both are there until the user says, and the answer settles it."""
    await memory.remember(user_id, NewMemory(content="My car is a Volvo", manually_saved=True))
    outcome = await memory.remember(user_id, NewMemory(content="My car is a Fiat"))
    assert outcome.kind == "doubtful"
    assert len(await knows(memory, user_id)) == 2
    await memory.doubts.answer(user_id, outcome.doubt_ids[0], holds="newer", origin=USER)
    assert await knows(memory, user_id) == ["My car is a Fiat"]
