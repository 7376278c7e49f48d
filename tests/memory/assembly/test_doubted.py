"""What is recalled while it is not known which of two memories holds."""

from __future__ import annotations

import pytest

from memory.retrieval.context import date_note
from memory.service import MemoryService
from memory.store.conflicts import ConflictAnswer
from memory.types import MemoryItem, MemoryQueryRequest, NewMemory, Origin

EARLIER, LATER = "My sister Maria lives in Oslo", "My sister Maria lives in Bergen"


async def asked_about(memory: MemoryService, user_id: str) -> list[MemoryItem]:
    request = MemoryQueryRequest(user_id=user_id, query="Where does my sister Maria live?")
    return (await memory.recall(request)).items


async def test_the_later_one_comes_first_and_the_earlier_says_that_it_is_doubted(
    memory: MemoryService, user_id: str
) -> None:
    await memory.remember(user_id, NewMemory(content=EARLIER))
    kept = await memory.remember(user_id, NewMemory(content=LATER))
    assert kept.kind == "doubtful"
    later, earlier = await asked_about(memory, user_id)
    assert [later.content, earlier.content] == [LATER, EARLIER]
    assert (later.doubted, earlier.doubted) == (False, True)
    assert date_note(earlier).endswith(", perhaps replaced since")
    assert earlier.why is not None
    assert "perhaps replaced since" in earlier.why.notes


@pytest.mark.parametrize("holds", ["both", "newer", "older"])
async def test_nothing_is_doubted_once_that_is_answered(
    memory: MemoryService, user_id: str, holds: ConflictAnswer
) -> None:
    await memory.remember(user_id, NewMemory(content=EARLIER))
    kept = await memory.remember(user_id, NewMemory(content=LATER))
    [doubt] = kept.doubt_ids
    await memory.doubts.answer(user_id, doubt, holds=holds, origin=Origin("user"))
    recalled = await asked_about(memory, user_id)
    assert not any(each.doubted for each in recalled)
    held = {"both": {EARLIER, LATER}, "newer": {LATER}, "older": {EARLIER}}
    assert {each.content for each in recalled} == held[holds]
