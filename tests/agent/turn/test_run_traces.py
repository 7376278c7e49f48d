from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from agents import set_trace_processors

from agent.models.offline import OfflineModel
from agent.tracing import trace_runs
from memory.service import MemoryService
from memory.types import NewMemory
from tests.agent.turns import Assist, take_turn


@dataclass
class Noted:
    name: str
    kind: str
    parent: Any
    attributes: dict[str, str] | None
    status: str | None = None

    def end(self, *, status: str) -> None:
        self.status = status


@dataclass
class Notes:
    """In the place of MLflow."""

    spans: list[Noted] = field(default_factory=list)

    def begin(
        self,
        name: str,
        span_type: str,
        parent_span: Any = None,
        *,
        attributes: dict[str, str] | None = None,
    ) -> Noted:
        self.spans.append(Noted(name, span_type, parent_span, attributes))
        return self.spans[-1]


@pytest.fixture
def notes() -> Iterator[Notes]:
    """The SDK has one set of processors in a process."""
    made = Notes()
    with trace_runs(made.begin, beside_openai=False):
        yield made
    set_trace_processors([])


async def test_a_run_is_traced_with_its_steps_and_without_its_words(
    notes: Notes, assist: Assist, memory: MemoryService, user_id: str, conversation: UUID
) -> None:
    await memory.remember(user_id, NewMemory(content="I live in Oslo"))
    told = await take_turn(assist(OfflineModel()), user_id, conversation, "Where do I live?")
    assert "Oslo" in told.text
    run, *steps = notes.spans
    assert (run.kind, run.parent, run.status) == ("AGENT", None, "OK")
    assert set(run.attributes or {}) == {"correlation_id"}
    assert "query_memory" in {each.name for each in steps}
    assert all(each.status == "OK" and each.parent is not None for each in steps)
    text = json.dumps([(each.name, each.kind, each.attributes) for each in notes.spans])
    assert not any(word in text for word in ("Oslo", "live", user_id))


async def test_an_incognito_run_is_not_traced(
    notes: Notes, assist: Assist, user_id: str, conversation: UUID
) -> None:
    assistant = assist(OfflineModel())
    assistant.begin(user_id, conversation, "default", "incognito")
    await take_turn(assistant, user_id, conversation, "What is a kayak?")
    assert notes.spans == []
