from __future__ import annotations

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from pgvector import HalfVector

from memory.actions.presentation import proof_text
from memory.errors import NotFound
from memory.store.forgetting import UNDO_TIME, HistoryChoice
from tests.memory.controls.conftest import NOW, ORIGIN, Controls, Kept
from tests.memory.fakes import vector_of

SAID = "User lives in Oslo"


@pytest.fixture
async def item(controls: Controls, kept: Kept, user_id: str) -> UUID:
    found = await kept.item(user_id, SAID)
    await kept.item(user_id, "User likes green tea")
    await kept.message(user_id, "I live in Oslo.")
    await controls.forgetting.forget(user_id, [found], ORIGIN, now=NOW)
    return found


async def test_before_the_erasure_nothing_is_proved(
    controls: Controls, user_id: str, item: UUID
) -> None:
    proof = await controls.forgetting.prove(user_id, item, "Where do I live?")
    assert (proof.row_is_there, proof.holds) == (True, False)
    assert "Not erased yet: that is due 2026-05-05 12:00 UTC" in proof_text(proof)
    assert proof.recalled is not None
    assert not proof.recalled.found


async def test_after_the_erasure_nothing_of_it_is_found(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    message, _ = await kept.message(user_id, "Hi. I live in Oslo.")
    gone = await kept.item(user_id, SAID, source_message_id=message)
    await kept.item(user_id, "User likes green tea")
    await controls.forgetting.forget(user_id, [gone], ORIGIN, now=NOW)
    await controls.forgetting.erase_due(user_id, NOW + UNDO_TIME)
    proof = await controls.forgetting.prove(user_id, gone, "Where do I live? Green tea?")
    assert proof.holds
    assert (proof.row_is_there, proof.grave.erased_at) == (False, NOW + UNDO_TIME)
    assert proof.grave.removed == {
        "caches_cleared": 1,
        "items": 1,
        "vectors": 1,
        "search_rows": 1,
        "messages_redacted": 1,
        "titles_redacted": 1,
    }
    probe = proof.probe
    assert (probe.memories, probe.alike_memories, probe.alike_messages) == (1, 0, 0)
    assert probe.best_similarity is not None
    assert probe.best_similarity < 0.9
    assert proof.recalled is not None
    assert (proof.recalled.keyword, proof.recalled.vector, proof.recalled.found) == (1, 1, False)
    told = proof_text(proof)
    assert "Removed: 1 memory, 1 vector, 1 search row, 1 message redacted" in told
    assert told.endswith("It is gone.")
    assert "Oslo" not in told


@pytest.mark.parametrize("again", [SAID, "user LIVES in Oslo", "User  lives, in Oslo!"])
async def test_what_came_back_is_reported(
    controls: Controls, kept: Kept, user_id: str, again: str
) -> None:
    gone = await kept.item(user_id, SAID)
    await controls.forgetting.forget(user_id, [gone], ORIGIN, now=NOW, for_good=True)
    await kept.item(user_id, again, embedding=None)
    proof = await controls.forgetting.prove(user_id, gone)
    assert (proof.holds, proof.probe.alike_memories) == (False, 1)
    assert proof_text(proof).endswith("Something of it is left.")


async def test_a_vector_like_it_is_reported(controls: Controls, kept: Kept, user_id: str) -> None:
    gone = await kept.item(user_id, SAID)
    await controls.forgetting.forget(user_id, [gone], ORIGIN, now=NOW, for_good=True)
    await kept.item(user_id, "in Oslo lives User; or I live in Oslo")
    same = HalfVector(vector_of("I live in Oslo"))
    await kept.execute(user_id, "UPDATE memory_items SET embedding = $1", same)
    proof = await controls.forgetting.prove(user_id, gone)
    assert proof.probe.alike_memories == 1
    assert proof.probe.best_similarity == pytest.approx(1.0)


@pytest.mark.parametrize(("history", "holds"), [("redact", False), ("keep", True)])
async def test_a_message_that_says_it_is_reported_unless_it_was_to_stay(
    controls: Controls, kept: Kept, user_id: str, history: HistoryChoice, holds: bool
) -> None:
    gone = await kept.item(user_id, SAID)
    forget = controls.forgetting.forget
    await forget(user_id, [gone], ORIGIN, now=NOW, for_good=True, history=history)
    await kept.message(user_id, "Well. User lives in Oslo!")
    proof = await controls.forgetting.prove(user_id, gone)
    assert proof.probe.alike_messages > 0
    assert proof.holds is holds


async def test_what_was_never_forgotten_or_came_back_has_no_proof(
    controls: Controls, kept: Kept, user_id: str, other: str
) -> None:
    living = await kept.item(user_id, "User likes tea")
    gone = await kept.item(user_id, SAID)
    await controls.forgetting.forget(user_id, [gone], ORIGIN, now=NOW - timedelta(days=2))
    for owner, wanted in ((user_id, living), (user_id, uuid4()), (other, gone)):
        with pytest.raises(NotFound):
            await controls.forgetting.prove(owner, wanted)
    await controls.forgetting.undo(user_id, [gone], ORIGIN)
    with pytest.raises(NotFound):
        await controls.forgetting.prove(user_id, gone)


async def test_what_another_space_knows_is_no_remainder(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    gone = await kept.item(user_id, SAID)
    await controls.forgetting.forget(user_id, [gone], ORIGIN, now=NOW, for_good=True)
    await kept.item(user_id, SAID, space="work")
    message, chat = await kept.message(user_id, f"{SAID}!")
    await kept.execute(user_id, "UPDATE conversations SET space = 'work' WHERE id = $1", chat)
    proof = await controls.forgetting.prove(user_id, gone)
    assert (proof.probe.memories, proof.probe.messages, proof.holds) == (0, 0, True)
    assert await kept.content(user_id, message) == f"{SAID}!"


async def test_it_is_searched_for_again_without_anybody_giving_its_words(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    gone = await kept.item(user_id, SAID)
    await controls.forgetting.forget(user_id, [gone], ORIGIN, now=NOW, for_good=True)
    await kept.item(user_id, "User likes tea")
    told = proof_text(await controls.forgetting.prove(user_id, gone))
    assert "by the digests that are left of it (1 memory)" in told
    assert "- for its words: nothing found" in told
    assert "- for its meaning: nothing found; the nearest is 0." in told
    await kept.item(user_id, "in Oslo I live", embedding=HalfVector(vector_of("I live in Oslo")))
    await kept.item(user_id, SAID, embedding=None)
    told = proof_text(await controls.forgetting.prove(user_id, gone))
    assert "- for its words: 1 found" in told
    assert "- for its meaning: 1 found; the nearest is 1.00 of 1 like it" in told
    assert told.endswith("Something of it is left.")
