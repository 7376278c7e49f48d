"""Specification 003, phases 1, 4 and 5: banks, extraction, and when no model is asked."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from uuid import uuid4

import pytest
from agents import ModelSettings
from agents.testing import ScriptedModel

from agent.assistant import Assistant
from agent.models.model_reader import ModelReader
from memory.assembly import make_memory
from memory.controls.changes import Changes
from memory.counters import Counters
from memory.models import BANKS, NewItem, Origin
from memory.recalls import MemoryQueryRequest
from memory.service import Memory
from memory.settings import Settings
from memory.store.memories.listing import EntryFilter
from memory.understanding import Message, Reading, SecondReader, Segment
from memory.write.candidates import Said
from tests.acceptance.chat import Chat, knows
from tests.acceptance.conftest import Parts
from tests.acceptance.stores import memory_rows
from tests.agent.scripts import says

USER = Origin()
FRIDAY = datetime(2026, 5, 8, 9, tzinfo=UTC)


class Reads:
    """A second reader that finds the same in everything, and counts how often it is asked."""

    def __init__(self, *found: Segment) -> None:
        self._found = found
        self.asked = 0

    async def read_again(self, message: Message, first: Reading) -> Reading:
        self.asked += 1
        return Reading(self._found)


async def learn(memory: Memory, user_id: str, text: str, at: datetime = FRIDAY) -> None:
    said = Said(text=text, said_at=at)
    await memory.learn(user_id, "default", said, origin=Origin("learning", uuid4()))


def with_reader(
    parts: Parts, reader: SecondReader, counters: Counters | None = None, **changed: object
) -> Memory:
    return make_memory(
        parts.database,
        parts.embedder,
        parts.cache,
        parts.counter,
        parts.settings.model_copy(update=changed),
        second_reader=reader,
        counters=counters,
    )


async def banks_of(parts: Parts, user_id: str) -> dict[str, str]:
    return {row["content"]: row["bank"] for row in await memory_rows(parts.database, user_id)}


# Phase 1: banks


@pytest.mark.parametrize(
    ("text", "bank"),
    [
        ("My sister Maria lives in Oslo.", "Relationships"),
        ("I'm allergic to peanuts.", "Health"),
        ("I work as a carpenter at Holm & Sons.", "Work"),
        ("I play chess every Sunday.", "Interests"),
        ("My name is Ingrid.", "Personal"),
    ],
)
async def test_what_is_learned_is_put_into_a_bank_by_its_content(
    memory: Memory, parts: Parts, user_id: str, text: str, bank: str
) -> None:
    await learn(memory, user_id, text)
    assert [*(await banks_of(parts, user_id)).values()] == [bank]


async def test_what_speaks_for_no_bank_goes_into_the_default_one(
    parts: Parts, user_id: str
) -> None:
    """“General”, or the one of the setting."""
    assert Settings.model_fields["default_bank"].default == "General"
    said = NewItem(content="Keep answers brief")
    assert (await parts.memory().remember(user_id, said)).item.bank == "General"
    other = parts.memory(default_bank="Personal")
    assert (await other.remember(f"{user_id}-other", said)).item.bank == "Personal"


async def test_a_bank_that_is_not_allowed_becomes_the_default_one(
    parts: Parts, user_id: str
) -> None:
    """Validated against the list, whoever names it."""
    leo = Segment("I am a Leo", 0, 10, "fact", {"fact": 1.0}, "identity", bank="Astrology")
    memory = with_reader(parts, Reads(leo))
    await learn(memory, user_id, "I am a Leo, born in August.")
    await memory.remember(user_id, NewItem(content="My kayak is red", bank="Astrology"))
    assert await banks_of(parts, user_id) == {"I am a Leo": "General", "My kayak is red": "General"}


async def test_custom_banks_are_a_setting(parts: Parts, user_id: str) -> None:
    memory = parts.memory(memory_banks=("Hobby", "General"))
    await memory.remember(user_id, NewItem(content="My kayak is red", bank="Hobby"))
    await learn(memory, user_id, "I work as a carpenter at Holm & Sons.")
    assert [*(await banks_of(parts, user_id)).values()] == ["Hobby", "General"]


async def test_recall_and_listing_are_filtered_by_bank(memory: Memory, user_id: str) -> None:
    tea = NewItem(content="I drink tea at home", bank="Personal")
    coffee = NewItem(content="I drink coffee at the office", bank="Work")
    await memory.remember_all(user_id, [tea, coffee])
    asked = MemoryQueryRequest(user_id=user_id, query="What do I drink?", banks=["Work"])
    assert [item.content for item in (await memory.recall(asked)).items] == [coffee.content]
    page = await memory.entries.browse(user_id, EntryFilter(bank="Personal"))
    assert [item.content for item in page.items] == [tea.content]


async def test_a_memory_is_put_into_another_bank(memory: Memory, user_id: str) -> None:
    """PUT with a bank; the words and their vector stay as they are."""
    kept = (await memory.remember(user_id, NewItem(content="I drink tea", bank="Work"))).item
    moved = await memory.entries.edit(user_id, kept.id, Changes(bank="Personal"), USER)
    assert (moved.bank, moved.content) == ("Personal", kept.content)


async def test_the_summary_counts_each_bank(memory: Memory, user_id: str) -> None:
    """003's distribution over the banks."""
    for number, bank in enumerate(BANKS[:3]):
        items = [NewItem(content=f"Fact {bank} {each}", bank=bank) for each in range(number + 1)]
        await memory.remember_all(user_id, items)
    summary = await memory.entries.summary(user_id)
    assert {each.bank: each.count for each in summary.banks} == {
        bank: number + 1 for number, bank in enumerate(BANKS[:3])
    }


# Phase 4: extraction


@pytest.mark.parametrize(
    ("text", "kept", "kind"),
    [
        ("My name is Ingrid.", "My name is Ingrid", "fact"),
        ("I prefer tea over coffee.", "I prefer tea over coffee",
         "preference"),
        ("I want to run a marathon.", "I want to run a marathon", "fact"),
        ("My sister Maria lives in Oslo.", "My sister Maria lives in Oslo", "fact"),
        ("I own a red Volvo.", "I own a red Volvo", "fact"),
        ("I go swimming every Tuesday evening.", "I go swimming every Tuesday evening", "fact"),
        ("We decided against a wood floor.",
         "We decided against a wood floor", "decision"),
        ("Never deploy on Fridays.", "Never deploy on Fridays", "constraint"),
    ],
    ids=["identity", "preference", "goal", "relationship", "possession", "habit", "decision",
         "constraint"],
)  # fmt: skip
async def test_each_category_is_extracted_without_a_model(
    parts: Parts, user_id: str, text: str, kept: str, kind: str
) -> None:
    await learn(parts.memory(), user_id, f"Well, you know what? {text}")
    rows = await memory_rows(parts.database, user_id)
    assert [(row["content"], row["type"]) for row in rows] == [(kept, kind)]


@pytest.mark.parametrize(
    "text",
    [
        "The speed of light is 299792 kilometres per second.",
        "Oslo is the capital of Norway.",
        "Summarise this article for me in three sentences.",
        "From what you know, write me a poem about spring.",
        "I'm tired today.",
        "I am on the bus right now.",
        "I'm so hungry right now.",
    ],
)
async def test_general_knowledge_commands_and_passing_states_are_not_extracted(
    memory: Memory, user_id: str, text: str
) -> None:
    await learn(memory, user_id, text)
    assert await knows(memory, user_id) == []


async def test_relative_dates_are_resolved_and_kept(
    memory: Memory, parts: Parts, user_id: str
) -> None:
    """“last Friday” becomes a date in the words, and the moment in `occurred_at`."""
    await learn(memory, user_id, "I visited my grandmother in Bergen last Friday.")
    [row] = await memory_rows(parts.database, user_id)
    assert row["content"] == "I visited my grandmother in Bergen on 1 May 2026"
    assert row["occurred_at"].date() == date(2026, 5, 1)


async def test_importance_follows_the_scale(memory: Memory, parts: Parts, user_id: str) -> None:
    """Identity is worth more than a habit, and a habit more than a trivial mention."""
    for text in ("My name is Ingrid.", "I go swimming every Tuesday evening."):
        await learn(memory, user_id, text)
    await memory.remember(user_id, NewItem(content="the pot is blue"))
    identity, habit, trivial = [
        row["importance"] for row in await memory_rows(parts.database, user_id)
    ]
    assert identity > habit > trivial


async def test_a_model_gives_the_same_shape_by_structured_output(
    parts: Parts, user_id: str
) -> None:
    """003, phase 4: “output them STRICTLY as a JSON array”, each “user-specific”, with its
    “memory_bank”. The schema is the model's output type, and what it names is validated; what is
    kept are words of the message."""
    told = {
        "text": "Last Friday we went up the old lighthouse",
        "kind": "fact",
        "category": "event",
        "bank": "events",
        "lifetime": "long",
        "confidence": 0.95,
        "alone": True,
        "relation": "new",
        "memories": [],
    }
    model = ScriptedModel([says(json.dumps({"segments": [told]}))])
    memory = with_reader(parts, ModelReader(model, ModelSettings(), banks=BANKS))
    await memory.remember(user_id, NewItem(content="I own a red kayak"))
    await learn(memory, user_id, "Last Friday we went up the old lighthouse.")
    row = (await memory_rows(parts.database, user_id))[-1]
    assert row["content"] == "On 1 May 2026 we went up the old lighthouse"
    assert (row["type"], row["bank"]) == ("note", "Events")
    assert row["occurred_at"].date() == date(2026, 5, 1)
    [call] = model.calls
    assert call.output_schema is not None
    assert call.tools == []


async def test_what_is_no_json_of_the_schema_is_not_kept_and_loses_nothing(
    parts: Parts, user_id: str
) -> None:
    """The model is told so once; then the offline reading stands."""
    model = ScriptedModel([says("Sure! Here are the facts: …"), says("Sorry.")])
    memory = with_reader(parts, ModelReader(model, ModelSettings(), banks=BANKS))
    await learn(memory, user_id, "We went up the old lighthouse.")
    assert await knows(memory, user_id) == ["We went up the old lighthouse"]
    assert len(model.calls) == 2


# Phase 5: when no model is asked


@pytest.mark.parametrize(
    "text", ["I love jazz.", "I prefer tea.", "I like green best.", "I hate coriander."]
)
async def test_a_short_preference_is_kept_without_an_extraction(
    parts: Parts, user_id: str, text: str
) -> None:
    reader, counters = Reads(), Counters()
    memory = with_reader(parts, reader, counters)
    await learn(memory, user_id, text)
    assert await knows(memory, user_id) == [text.rstrip(".")]
    [row] = await memory_rows(parts.database, user_id)
    assert row["type"] == "preference"
    assert reader.asked == 0
    assert counters.registry.get_sample_value("keepsake_extraction_shortcuts_total") == 1


@pytest.mark.parametrize(
    "text",
    [
        "I love jazz, above all the kind that is played late at night in small bars by the sea.",
        "I love it!",
        "My sister plays in a jazz band with her husband.",
    ],
    ids=["longer than 60", "says nothing", "of another"],
)
async def test_anything_else_goes_the_whole_way(parts: Parts, user_id: str, text: str) -> None:
    reader, counters = Reads(), Counters()
    await learn(with_reader(parts, reader, counters), user_id, text)
    assert counters.registry.get_sample_value("keepsake_extraction_shortcuts_total") == 0
    assert await knows(parts.memory(), user_id) == []


async def test_the_shortcut_can_be_turned_off(parts: Parts, user_id: str) -> None:
    reader = Reads()
    await learn(with_reader(parts, reader, learn_shortcut=False), user_id, "I love jazz.")
    assert reader.asked == 1


async def test_no_extraction_is_asked_for_what_is_not_worth_it(
    offline: Assistant, parts: Parts, user_id: str
) -> None:
    """A question never reaches the model; the counter says that a call was saved."""
    reader, counters = Reads(), Counters()
    memory = with_reader(parts, reader, counters)
    await learn(memory, user_id, "What is the capital of France?")
    assert reader.asked == 0
    assert counters.registry.get_sample_value("keepsake_llm_calls_skipped_total") == 1
    assert (await Chat(offline, user_id).say("What is the capital of France?")).noted == []
