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
from memory.actions.entries import MemoryChanges
from memory.config import Settings
from memory.factory import make_memory
from memory.ingestion.extraction import ExtractionInput
from memory.metrics import MemoryMetrics
from memory.service import MemoryService
from memory.store.memories import MemoryFilter
from memory.types import BANKS, MemoryQueryRequest, NewMemory, Origin
from memory.understanding import SecondReader
from tests.acceptance.chat import Chat, knows
from tests.acceptance.conftest import Parts
from tests.acceptance.stores import memory_rows
from tests.agent.scripts import says
from tests.memory.fakes import RereadsAs

USER = Origin()
FRIDAY = datetime(2026, 5, 8, 9, tzinfo=UTC)


async def learn(memory: MemoryService, user_id: str, text: str, at: datetime = FRIDAY) -> None:
    said = ExtractionInput(text=text, said_at=at)
    await memory.learn(user_id, "default", said, origin=Origin("learning", uuid4()))


def with_reader(
    parts: Parts, reader: SecondReader, counters: MemoryMetrics | None = None, **changed: object
) -> MemoryService:
    return make_memory(
        parts.database,
        parts.embedder,
        parts.cache,
        parts.counter,
        parts.settings.model_copy(update=changed),
        reader=reader,
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
    memory: MemoryService, parts: Parts, user_id: str, text: str, bank: str
) -> None:
    await learn(memory, user_id, text)
    assert [*(await banks_of(parts, user_id)).values()] == [bank]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(
            "the spare key is under the blue pot",
            marks=pytest.mark.xfail(strict=True, reason="taken for something personal"),
        ),
        "Always answer in short sentences",
    ],
)
async def test_what_speaks_for_no_bank_goes_into_the_default_one(
    parts: Parts, user_id: str, content: str
) -> None:
    """“General”, or the one of the setting."""
    assert Settings.model_fields["default_bank"].default == "General"
    said = NewMemory(content=content)
    assert (await parts.memory().remember(user_id, said)).item.bank == "General"
    other = parts.memory(default_bank="Personal")
    assert (await other.remember(f"{user_id}-other", said)).item.bank == "Personal"


async def test_a_bank_that_is_not_allowed_becomes_the_default_one(
    parts: Parts, user_id: str
) -> None:
    """Validated against the list, whoever names it."""
    memory = with_reader(parts, RereadsAs("I am a Leo", bank="Astrology"))
    await learn(memory, user_id, "I am a Leo, born in August.")
    await memory.remember(user_id, NewMemory(content="My kayak is red", bank="Astrology"))
    assert await banks_of(parts, user_id) == {"I am a Leo": "General", "My kayak is red": "General"}


async def test_custom_banks_are_a_setting(parts: Parts, user_id: str) -> None:
    memory = parts.memory(memory_banks=("Hobby", "General"))
    await memory.remember(user_id, NewMemory(content="My kayak is red", bank="Hobby"))
    await learn(memory, user_id, "I work as a carpenter at Holm & Sons.")
    assert [*(await banks_of(parts, user_id)).values()] == ["Hobby", "General"]


async def test_recall_and_listing_are_filtered_by_bank(memory: MemoryService, user_id: str) -> None:
    tea = NewMemory(content="I drink tea at home", bank="Personal")
    coffee = NewMemory(content="I drink coffee at the office", bank="Work")
    await memory.remember_all(user_id, [tea, coffee])
    asked = MemoryQueryRequest(user_id=user_id, query="What do I drink?", banks=["Work"])
    assert [item.content for item in (await memory.recall(asked)).items] == [coffee.content]
    page = await memory.entries.browse(user_id, MemoryFilter(bank="Personal"))
    assert [item.content for item in page.items] == [tea.content]


async def test_a_memory_is_put_into_another_bank(memory: MemoryService, user_id: str) -> None:
    """PUT with a bank; the words and their vector stay as they are."""
    kept = (await memory.remember(user_id, NewMemory(content="I drink tea", bank="Work"))).item
    moved = await memory.entries.edit(user_id, kept.id, MemoryChanges(bank="Personal"), USER)
    assert (moved.bank, moved.content) == ("Personal", kept.content)


async def test_the_summary_counts_each_bank(memory: MemoryService, user_id: str) -> None:
    """003's distribution over the banks."""
    for number, bank in enumerate(BANKS[:3]):
        items = [NewMemory(content=f"Fact {bank} {each}", bank=bank) for each in range(number + 1)]
        await memory.remember_all(user_id, items)
    summary = await memory.entries.summary(user_id)
    assert {each.bank: each.count for each in summary.banks} == {
        bank: number + 1 for number, bank in enumerate(BANKS[:3])
    }


# Phase 4: extraction

NOT_TYPED = pytest.mark.xfail(strict=True, reason="kept, but taken for a project")


@pytest.mark.parametrize(
    ("text", "kept", "kind"),
    [
        ("My name is Ingrid.", "My name is Ingrid", "fact"),
        ("I prefer tea over coffee in the morning.", "I prefer tea over coffee in the morning",
         "preference"),
        ("I want to run a marathon.", "I want to run a marathon", "fact"),
        ("My sister Maria lives in Oslo.", "My sister Maria lives in Oslo", "fact"),
        ("I own a red Volvo.", "I own a red Volvo", "fact"),
        ("I go swimming every Tuesday evening.", "I go swimming every Tuesday evening", "fact"),
        pytest.param("I decided to use PostgreSQL for the archive.",
         "I decided to use PostgreSQL for the archive", "decision", marks=NOT_TYPED),
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
        "I have a headache this morning.",
        "I'm so hungry right now.",
    ],
)
async def test_general_knowledge_commands_and_passing_states_are_not_extracted(
    memory: MemoryService, user_id: str, text: str
) -> None:
    await learn(memory, user_id, text)
    assert await knows(memory, user_id) == []


async def test_relative_dates_are_resolved_and_kept(
    memory: MemoryService, parts: Parts, user_id: str
) -> None:
    """“last Friday” becomes a date in the words, and the moment in `occurred_at`."""
    await learn(memory, user_id, "I visited my grandmother in Bergen last Friday.")
    [row] = await memory_rows(parts.database, user_id)
    assert row["content"] == "I visited my grandmother in Bergen on 1 May 2026"
    assert row["occurred_at"].date() == date(2026, 5, 1)


async def test_importance_follows_the_scale(
    memory: MemoryService, parts: Parts, user_id: str
) -> None:
    """Identity is worth more than a habit, and a habit more than a trivial mention."""
    for text in ("My name is Ingrid.", "I go swimming every Tuesday evening."):
        await learn(memory, user_id, text)
    await memory.remember(user_id, NewMemory(content="the pot is blue"))
    identity, habit, trivial = [
        row["importance"] for row in await memory_rows(parts.database, user_id)
    ]
    assert identity > habit > trivial


async def test_a_model_gives_the_same_shape_by_structured_output(
    parts: Parts, user_id: str
) -> None:
    """The schema is the model's output type; what it names is validated, and only the message's
    own words reach it."""
    text = "Last Friday we went up the old lighthouse."
    fact = {"text": text, "kind": "fact", "category": "event", "bank": "events"}
    model = ScriptedModel([says(json.dumps({"segments": [fact]}))])
    memory = with_reader(parts, ModelReader(model, ModelSettings(), banks=BANKS))
    await memory.remember(user_id, NewMemory(content="I own a red kayak"))
    await learn(memory, user_id, text)
    row = (await memory_rows(parts.database, user_id))[-1]
    content = "On 1 May 2026 we went up the old lighthouse"
    assert (row["content"], row["type"], row["bank"]) == (content, "note", "Events")
    assert row["occurred_at"].date() == date(2026, 5, 1)
    [call] = model.calls
    assert call.output_schema is not None
    assert "kayak" not in str(call.input)
    assert call.tools == []


async def test_what_is_no_json_of_the_schema_is_not_kept_and_loses_nothing(
    parts: Parts, user_id: str
) -> None:
    """The offline reading stands where a model's is none."""
    model = ScriptedModel([says("Sure! Here are the facts: …")] * 2)
    memory = with_reader(parts, ModelReader(model, ModelSettings(), banks=BANKS))
    await learn(memory, user_id, "We went up the old lighthouse.")
    assert await knows(memory, user_id) == ["We went up the old lighthouse"]


# Phase 5: when no model is asked


@pytest.mark.parametrize(
    "text", ["I love jazz.", "I prefer tea.", "My favourite colour is green.", "I hate coriander."]
)
async def test_a_short_preference_is_kept_without_an_extraction(
    parts: Parts, user_id: str, text: str
) -> None:
    reader, counters = RereadsAs(kind="small_talk"), MemoryMetrics()
    memory = with_reader(parts, reader, counters)
    await learn(memory, user_id, text)
    assert await knows(memory, user_id) == [text.rstrip(".")]
    [row] = await memory_rows(parts.database, user_id)
    assert row["type"] == "preference"
    assert reader.read == []
    assert counters.registry.get_sample_value("keepsake_extraction_shortcuts_total") == 1


@pytest.mark.parametrize(
    "text",
    [
        "I love jazz, above all the kind that is played late at night in small bars by the sea.",
        "I love it!",
        "My sister likes jazz more than her husband does.",
    ],
    ids=["longer than 60", "says nothing", "of another"],
)
async def test_anything_else_goes_the_whole_way(parts: Parts, user_id: str, text: str) -> None:
    reader, counters = RereadsAs(kind="small_talk"), MemoryMetrics()
    await learn(with_reader(parts, reader, counters), user_id, text)
    assert counters.registry.get_sample_value("keepsake_extraction_shortcuts_total") == 0
    assert await knows(parts.memory(), user_id) == []


async def test_the_shortcut_can_be_turned_off(parts: Parts, user_id: str) -> None:
    reader = RereadsAs(kind="small_talk")
    await learn(with_reader(parts, reader, learn_shortcut=False), user_id, "I love jazz.")
    assert len(reader.read) == 1


async def test_no_extraction_is_asked_for_what_is_not_worth_it(
    offline: Assistant, parts: Parts, user_id: str
) -> None:
    """A question never reaches the extractor; the counter says that a call was saved."""
    reader, counters = RereadsAs(kind="small_talk"), MemoryMetrics()
    memory = with_reader(parts, reader, counters)
    await learn(memory, user_id, "What is the capital of France?")
    assert reader.read == []
    assert counters.registry.get_sample_value("keepsake_llm_calls_skipped_total") == 1
    assert (await Chat(offline, user_id).say("What is the capital of France?")).noted == []
