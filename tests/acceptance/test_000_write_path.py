"""Specification 000, “Write Path Policy”: each rule of it, at the memory's own door."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent.models.offline import OfflineModel
from memory.config import Settings
from memory.factory import make_memory
from memory.fingerprints import NEAR_DUPLICATE_BITS, hamming_distance, simhash64
from memory.ingestion.extraction import ExtractionInput
from memory.ingestion.normalisation import normalise
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.store.database import Database
from memory.types import MemoryQueryRequest, NewMemory, Origin, SaveOutcome, StoredMemory
from tests.acceptance.chat import Chat, knows
from tests.acceptance.conftest import Parts
from tests.acceptance.stores import memory_rows
from tests.agent.turns import Assist
from tests.memory.fakes import BrokenEmbedder

REHEARSAL = "The dress rehearsal of the choir is in the town hall"


async def keep(memory: MemoryService, user_id: str, content: str, **fields: Any) -> SaveOutcome:
    return await memory.remember(user_id, NewMemory(content=content, **fields))


def capped(parts: Parts, counters: MemoryMetrics | None = None, **changed: object) -> MemoryService:
    """A memory whose cap is reached with five."""
    settings = parts.settings.model_copy(update={"memory_cap": 5, "prune_batch_size": 1} | changed)
    return make_memory(
        parts.database, parts.embedder, parts.cache, parts.counter, settings, counters=counters
    )


# Normalisation and near-duplicates


@pytest.mark.parametrize(
    "again",
    [
        REHEARSAL.upper(),
        f"  {REHEARSAL.replace(' ', '   ')}\n",
        f"“{REHEARSAL}”!",
    ],
    ids=["case", "spaces", "punctuation"],
)
async def test_case_spaces_and_punctuation_make_no_other_memory(
    memory: MemoryService, database: Database, user_id: str, again: str
) -> None:
    """Normalisation: what differs in nothing else is a repeat; the first wording stays."""
    first = await keep(memory, user_id, REHEARSAL)
    repeat = await keep(memory, user_id, again)
    assert (repeat.kind, repeat.item.id) == ("repeated", first.item.id)
    [row] = await memory_rows(database, user_id)
    assert (row["content"], row["repeat_count"]) == (REHEARSAL, 1)
    assert row["simhash"] is not None


LONG = (
    "The heating in the greenhouse is switched on by the timer at six, the vents open at ten"
    " and the watering of the seedlings runs before noon unless somebody turned the tap"
)


@pytest.mark.parametrize(
    "near",
    [
        pytest.param(
            "somebody  Turned",
            marks=pytest.mark.xfail(strict=True, reason="a capital makes it two statements"),
        ),
        "somebody  turned",
    ],
)
async def test_a_simhash_within_three_bits_in_the_same_space_is_a_repeat(
    memory: MemoryService, database: Database, user_id: str, near: str
) -> None:
    """Hamming distance ≤ 3: counted on the canonical entry, no new row."""
    again = LONG.replace("somebody turned", near) + ", actually"
    distance = hamming_distance(simhash64(normalise(LONG)), simhash64(normalise(again)))
    assert 0 < distance <= NEAR_DUPLICATE_BITS == 3
    await keep(memory, user_id, LONG)
    assert (await keep(memory, user_id, again)).kind == "repeated"
    assert len(await memory_rows(database, user_id)) == 1


async def test_the_same_words_in_another_space_or_of_another_user_are_no_repeat(
    memory: MemoryService, user_id: str
) -> None:
    """Duplicates are looked for within one user and space."""
    other = f"{user_id}-other"
    outcomes = [
        await keep(memory, user_id, REHEARSAL),
        await keep(memory, user_id, REHEARSAL, space="PestIQ"),
        await keep(memory, other, REHEARSAL),
    ]
    assert [each.kind for each in outcomes] == ["kept"] * 3
    assert len({each.item.id for each in outcomes}) == 3


async def test_every_repeat_is_counted_and_raises_the_importance_within_one(
    memory: MemoryService, user_id: str
) -> None:
    """importance = clamp(base + f(repeat_count), 0, 1), f(n) = 0.2 · (1 - 0.5^n)."""
    base = (await keep(memory, user_id, REHEARSAL)).item.importance
    for number in range(1, 6):
        item = (await keep(memory, user_id, REHEARSAL)).item
        assert item.repeat_count == number
        assert item.importance == pytest.approx(min(1.0, base + 0.2 * (1 - 0.5**number)))


async def test_a_repeat_merges_flags_tags_and_sources_and_takes_nothing_away(
    memory: MemoryService, database: Database, user_id: str
) -> None:
    """manually_saved and pinned are ORed, tags and source_ids joined, in one row."""
    first = await keep(memory, user_id, REHEARSAL, tags=("choir",), source_ids=("mail:1",))
    assert (first.item.manually_saved, first.item.pinned) == (False, False)
    await keep(memory, user_id, REHEARSAL, manually_saved=True, tags=("Choir", "hall"))
    await keep(memory, user_id, REHEARSAL, pinned=True, source_ids=("mail:1", "mail:2"))
    last = (await keep(memory, user_id, REHEARSAL)).item
    assert (last.manually_saved, last.pinned) == (True, True)
    assert {*first.item.tags, "hall"} <= {*last.tags}
    assert [tag.lower() for tag in last.tags].count("choir") == 1
    [row] = await memory_rows(database, user_id)
    assert row["source_ids"] == ["mail:1", "mail:2"]
    assert row["salience"] > 0.2


# Importance: each weight takes its share of what is missing to 1, so that they never end above it


async def importance(memory: MemoryService, user_id: str, content: str, **fields: Any) -> float:
    """Of a memory that is the first of its space."""
    item = NewMemory(content=content, space=f"{content} {fields}"[:200], **fields)
    return (await memory.remember(user_id, item)).item.importance


def joined(value: float, weight: float) -> float:
    return value + (1 - value) * weight


@pytest.mark.parametrize("flag", ["manually_saved", "pinned"])
async def test_asked_to_save_or_pin_adds_a_half(
    memory: MemoryService, user_id: str, flag: str
) -> None:
    plain = await importance(memory, user_id, REHEARSAL)
    asked = await importance(memory, user_id, REHEARSAL, **{flag: True})
    assert asked == pytest.approx(joined(plain, 0.5))


async def test_an_explicit_wish_in_the_chat_is_marked_as_saved_by_hand(
    assist: Assist, database: Database, user_id: str
) -> None:
    """“remember that” sets manually_saved; what is learned from talk does not have it."""
    chat = Chat(assist(OfflineModel()), user_id)
    await chat.say_all(["remember that the green door sticks", "I like rye bread."])
    rows = {row["content"]: row["manually_saved"] for row in await memory_rows(database, user_id)}
    assert rows == {"the green door sticks": True, "I like rye bread": False}


@pytest.mark.parametrize("kind", ["preference", "decision", "constraint"])
async def test_preferences_commitments_and_goals_add_three_tenths(
    memory: MemoryService, user_id: str, kind: str
) -> None:
    plain = await importance(memory, user_id, REHEARSAL)
    lasting = await importance(memory, user_id, REHEARSAL, type=kind)
    assert lasting == pytest.approx(joined(plain, 0.3))


async def test_sure_tags_or_entities_add_two_tenths(
    memory: MemoryService, database: Database, user_id: str
) -> None:
    """Only with a metadata confidence of at least 0.6."""
    await keep(memory, user_id, "Anna Lindqvist plays the cello in Uppsala", type="fact")
    await keep(memory, user_id, "it sometimes rains", type="fact")
    named, plain = await memory_rows(database, user_id)
    assert named["metadata_confidence"] >= 0.6 > plain["metadata_confidence"]
    assert named["tags"]
    assert named["importance"] == pytest.approx(joined(plain["importance"], 0.2))


async def test_what_says_little_loses_a_tenth(memory: MemoryService, user_id: str) -> None:
    """000's chit-chat: a plain fact or note of nothing in particular, for which nobody asked.
    Chit-chat in talk does not come this far, see 002."""
    plain = await importance(memory, user_id, "it sometimes rains", type="fact")
    little = await importance(memory, user_id, "so it is", type="fact")
    assert little == pytest.approx(plain - 0.1)


# The queue of embeddings


async def test_what_cannot_be_embedded_is_kept_found_by_its_words_and_waits(
    parts: Parts, memory: MemoryService, user_id: str
) -> None:
    """needs_embedding is set while the embedder is away, and cleared by the backfill."""
    broken = parts.memory(embedder=BrokenEmbedder())
    assert (await keep(broken, user_id, REHEARSAL)).kind == "kept"
    [row] = await memory_rows(parts.database, user_id)
    assert (row["needs_embedding"], row["embedding"]) == (True, None)
    asked = MemoryQueryRequest(user_id=user_id, query="Where is the dress rehearsal?")
    assert [item.content for item in (await broken.recall(asked)).items] == [REHEARSAL]
    assert await memory.embed_waiting(user_id) == 1
    [row] = await memory_rows(parts.database, user_id)
    assert not row["needs_embedding"]
    assert row["embedding"] is not None


# Scores and the cap

FACTS = ("plays chess", "owns a kayak", "fears geese", "sings bass", "bakes rye", "grows figs")


async def fill(memory: MemoryService, user_id: str, **fields: Any) -> list[StoredMemory]:
    """Six memories for a cap of five, each a day younger and more important than the last."""
    today = datetime.now(UTC)
    return [
        (
            await keep(
                memory,
                user_id,
                f"Neighbour {number} {fact}",
                created_at=today - timedelta(days=6 - number),
                importance=0.1 * number,
                **(fields if number == 0 else {}),
            )
        ).item
        for number, fact in enumerate(FACTS)
    ]


def scores_of(row: dict[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(row["last_scores"])
    return read


def test_the_cap_is_two_hundred_at_first() -> None:
    assert Settings.model_fields["memory_cap"].default == 200


async def test_above_the_cap_the_lowest_total_goes(parts: Parts, user_id: str) -> None:
    """total = relevance + recency + importance. What went is out of recall and in the audit."""
    memory = capped(parts)
    lowest, *_ = await fill(memory, user_id)
    assert lowest.content not in await knows(memory, user_id)
    assert len(await knows(memory, user_id)) == 5
    [trimmed] = [row for row in await memory_rows(parts.database, user_id) if row["deleted_at"]]
    assert (trimmed["id"], trimmed["removed_because"]) == (lowest.id, "trimmed")
    [entry] = [each for each in await memory.audit.read(user_id) if each.action == "trimmed"]
    assert (entry.item_id, entry.actor) == (lowest.id, "upkeep")


async def test_another_space_has_a_cap_of_its_own(parts: Parts, user_id: str) -> None:
    memory = capped(parts)
    for space in ("TheoEngine", "PestIQ"):
        for fact in FACTS[:5]:
            await keep(memory, user_id, f"The neighbour {fact}", space=space)
        assert len(await knows(memory, user_id, space)) == 5


async def test_enforcement_stores_the_scores_that_it_computed(parts: Parts, user_id: str) -> None:
    """relevance 0 without a question, recency exp(-age / 7 days), the stored importance, their
    sum and when, as an ISO 8601 time."""
    await fill(capped(parts), user_id)
    for row in await memory_rows(parts.database, user_id):
        scores = scores_of(row)
        at = datetime.fromisoformat(scores["computed_at"])
        age = (at - row["created_at"]) / timedelta(days=7)
        assert at.tzinfo is not None
        assert scores["relevance"] == 0.0
        assert scores["recency"] == pytest.approx(math.exp(-max(age, 0)), abs=1e-6)
        assert scores["importance"] == row["importance"]
        assert scores["total"] == pytest.approx(scores["recency"] + scores["importance"])


@pytest.mark.parametrize(("hours", "goes"), [(23, "fresh"), (25, "stale")])
async def test_scores_older_than_a_day_are_computed_anew(
    parts: Parts, user_id: str, hours: int, goes: str
) -> None:
    """A high total of 23 hours ago still counts; one of 25 hours ago is replaced, and its memory,
    the oldest and least important, goes."""
    memory = capped(parts)
    oldest, second, *_ = [
        await keep(
            memory,
            user_id,
            f"The neighbour {fact}",
            created_at=datetime.now(UTC) - timedelta(days=9 - number),
            importance=0.1 * number,
        )
        for number, fact in enumerate(FACTS[:5])
    ]
    scores: dict[str, object] = dict.fromkeys(("relevance", "recency", "importance"), 0.9)
    scores["total"] = 2.7
    scores["computed_at"] = (datetime.now(UTC) - timedelta(hours=hours)).isoformat()
    async with parts.database.as_user(user_id) as connection:
        await connection.execute(
            "INSERT INTO memory_usage (user_id, item_id, last_scores) VALUES ($1, $2, $3)",
            user_id,
            oldest.item.id,
            json.dumps(scores),
        )
    await keep(memory, user_id, f"The neighbour {FACTS[5]}", importance=1.0)
    gone = {oldest.item.content, second.item.content} - {*await knows(memory, user_id)}
    assert gone == {(second if goes == "fresh" else oldest).item.content}


@pytest.mark.parametrize("flag", ["pinned", "manually_saved"])
async def test_pinned_and_manually_saved_memories_are_never_trimmed(
    parts: Parts, user_id: str, flag: str
) -> None:
    """The next lowest goes, and the alert counter says that a protected one would have."""
    counters = MemoryMetrics()
    memory = capped(parts, counters)
    protected, next_lowest, *_ = await fill(memory, user_id, **{flag: True})
    known = await knows(memory, user_id)
    assert protected.content in known
    assert next_lowest.content not in known
    alerts = counters.registry.get_sample_value("keepsake_protected_trims_avoided_total")
    assert alerts == 1
    assert (
        counters.registry.get_sample_value(
            "keepsake_memories_pruned_total", {"strategy": "lowest_score"}
        )
        == 1
    )


async def test_where_all_are_protected_the_cap_gives_way(parts: Parts, user_id: str) -> None:
    memory = capped(parts)
    for fact in FACTS:
        await keep(memory, user_id, f"The neighbour {fact}", manually_saved=True)
    assert len(await knows(memory, user_id)) == 6


async def test_what_talk_teaches_keeps_the_cap_too(parts: Parts, user_id: str) -> None:
    """Learning behind a reply trims as “remember” does."""
    memory = capped(parts)
    said = "I like chess. I love kayaks. I hate geese. I enjoy opera. I prefer rye. I adore figs."
    now = datetime.now(UTC)
    await memory.learn(
        user_id, "default", ExtractionInput(text=said, said_at=now), origin=Origin("learning")
    )
    assert len(await memory_rows(parts.database, user_id)) == 6
    assert len(await knows(memory, user_id)) == 5
