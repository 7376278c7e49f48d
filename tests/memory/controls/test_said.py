from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

import pytest
from asyncpg.exceptions import CharacterNotInRepertoireError

from memory.actions.forgetting.transcript_redaction import TranscriptMatches
from memory.cache import Cache, CachedMessage, SessionCache, SessionState
from memory.errors import CopiesRemain
from memory.store.forgetting import ExtraDeletions, HistoryChoice
from memory.types import DEFAULT_SPACE
from tests.memory.cache.kept_sessions import keep
from tests.memory.controls.conftest import NOW, ORIGIN, Controls, Kept

SAID = "Lunch with Gustavo. It rained."


class Away:
    """Caches whose server cannot be reached."""

    async def forget(self, texts: Sequence[str]) -> bool:
        return False

    async def drop(self, user_id: str, conversation_id: str) -> bool:
        return False


async def find(
    controls: Controls, user_id: str, words: str, **more: object
) -> TranscriptMatches | None:
    return await controls.said.find(user_id, DEFAULT_SPACE, words, **more)  # type: ignore[arg-type]


async def told(controls: Controls, user_id: str, words: str) -> list[str]:
    """The passages that are found, in order."""
    found = await find(controls, user_id, words)
    return [] if found is None else [each for going in found.telling for each in going.passages]


async def found_for(controls: Controls, user_id: str, words: str) -> TranscriptMatches:
    found = await find(controls, user_id, words)
    assert found is not None
    return found


WORDS: list[tuple[str, list[str]]] = [
    ("Gustavo", ["Lunch with Gustavo."]),
    ("everything about GUSTAVO?", ["Lunch with Gustavo."]),
    ("lunches", ["Lunch with Gustavo."]),
    ("Gustavo's lunch", ["Lunch with Gustavo."]),
    ("Gustavo's dinner", []),
    ("Gustav", []),
    ("Augusto", []),
    ("it", []),
    ("", []),
    ("'; DROP TABLE messages; %", []),
]


async def test_words_are_found_as_the_search_stems_them_and_all_of_them(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    await kept.message(user_id, SAID)
    found = [(words, await told(controls, user_id, words), passages) for words, passages in WORDS]
    assert [(words, got) for words, got, passages in found if got != passages] == []


async def test_a_near_meaning_is_not_enough(controls: Controls, kept: Kept, user_id: str) -> None:
    """The vector of a message says nothing here, not even where it is the same as the topic's."""
    await kept.message(user_id, "My supervisor shouted at me")
    await kept.execute(
        user_id,
        "UPDATE messages SET embedding = $1",
        (await controls.embedder.embed_query("my unpleasant colleague")),
    )
    assert await find(controls, user_id, "my unpleasant colleague") is None
    assert await told(controls, user_id, "my boss") == ["My supervisor shouted at me"]


async def test_who_is_called_so_by_a_message_or_a_memory_is_found_by_name(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    await kept.message(user_id, "My sister Maria lives in Oslo. I told my sister Monday is fine.")
    await kept.message(user_id, "Maria sings. Monday was long. Bruna called.")
    assert await told(controls, user_id, "my sister") == [
        "My sister Maria lives in Oslo. I told my sister Monday is fine.",
        "Maria sings.",
    ]
    found = await find(controls, user_id, "my aunt", known=["User's aunt Bruna is 80"])
    assert found is not None
    assert [each.passages for each in found.telling] == [["Bruna called."]]


async def test_a_word_within_an_address_or_a_path_is_found(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    said = "See https://example.com/u/gustavo_silva and gustavo@example.com"
    await kept.message(user_id, said)
    assert await told(controls, user_id, "Gustavo") == [said]


@pytest.mark.parametrize(
    ("history", "left"),
    [("redact", ["[forgotten] It rained.", "[forgotten]"]), ("delete", [])],
)
async def test_words_vector_learning_and_title_go_and_nothing_else(
    controls: Controls, kept: Kept, user_id: str, *, history: HistoryChoice, left: list[str]
) -> None:
    other = f"{user_id}-other"
    _, chat = await kept.message(user_id, SAID)
    await kept.message(user_id, "Should I call Gustavo?", chat=chat)
    await kept.message(user_id, "I like tea", chat=chat)
    theirs, _ = await kept.message(other, SAID)
    await kept.execute(user_id, "UPDATE messages SET needs_learning = true")
    found = await found_for(controls, user_id, "Gustavo")
    assert await controls.said.forget(user_id, found, ORIGIN, history=history) == 2
    said = "array(SELECT content FROM messages WHERE {} ORDER BY position)"
    touched = f"SELECT {said.format('NOT needs_learning')}"
    assert await kept.value(user_id, touched) == left
    stay = f"SELECT {said.format('needs_learning AND embedding IS NOT NULL')}"
    assert await kept.value(user_id, stay) == ["I like tea"]
    vectors = (
        "SELECT count(*) FROM messages WHERE content <> 'I like tea' AND embedding IS NOT NULL"
    )
    assert await kept.value(user_id, vectors) == 0
    title = await kept.value(user_id, "SELECT title FROM conversations")
    assert title == (left[0] if left else None)
    assert await kept.content(other, theirs) == SAID
    assert await kept.actions(user_id) == [("said_forgotten", None)]


async def test_a_title_is_looked_at_even_where_it_was_cut_within_the_name(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    await kept.message(user_id, f"{'so ' * 25}with Gustavo")
    assert await kept.value(user_id, "SELECT title FROM conversations") == f"{'so ' * 25}with "
    found = await found_for(controls, user_id, "Gustavo")
    await controls.said.forget(user_id, found, ORIGIN)
    assert await kept.value(user_id, "SELECT title FROM conversations") == "[forgotten]"


async def test_the_turn_that_asks_and_turns_that_only_ask_to_forget_tell_nothing(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    turn = uuid4()
    await kept.message(user_id, "Forget about Gustavo!")
    await kept.message(user_id, SAID, turn=turn)
    assert await find(controls, user_id, "Gustavo", not_turn=turn) is None
    found = await found_for(controls, user_id, "Gustavo")
    assert [each.message.content for each in found.telling] == [SAID]
    assert len(found.messages) == 2, "the earlier wish goes with it"


async def test_another_space_is_not_looked_at(controls: Controls, kept: Kept, user_id: str) -> None:
    await kept.message(user_id, SAID)
    assert await controls.said.find(user_id, "work", "Gustavo") is None


async def test_what_is_said_after_the_question_stays(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    await kept.message(user_id, SAID)
    found = await found_for(controls, user_id, "Gustavo")
    later, _ = await kept.message(user_id, "Gustavo again")
    assert await controls.said.forget(user_id, found, ORIGIN) == 1
    assert await kept.content(user_id, later) == "Gustavo again"


async def test_cached_conversations_go(
    controls: Controls, kept: Kept, cache: Cache, user_id: str
) -> None:
    _, chat = await kept.message(user_id, SAID)
    sessions = SessionCache(cache)
    said = (CachedMessage(role="user", content=SAID),)
    await keep(sessions, user_id, str(chat), SessionState(last_position=1, messages=said))
    found = await found_for(controls, user_id, "Gustavo")
    await controls.said.forget(user_id, found, ORIGIN)
    assert await sessions.load(user_id, str(chat)) is None


@pytest.mark.parametrize("away", ["vectors", "sessions"])
async def test_nothing_is_forgotten_where_copies_cannot_be_reached(
    controls: Controls, kept: Kept, user_id: str, away: str
) -> None:
    item = await kept.item(user_id, "Gustavo likes soup")
    message, _ = await kept.message(user_id, SAID)
    found = await found_for(controls, user_id, "Gustavo")
    gone = Away()
    without = (
        replace(controls, vectors=gone) if away == "vectors" else replace(controls, sessions=gone)
    )
    with pytest.raises(CopiesRemain):
        await without.said.forget(user_id, found, ORIGIN)
    with pytest.raises(CopiesRemain):
        await without.forgetting.forget(user_id, [item], ORIGIN, said=found)
    assert await kept.content(user_id, message) == SAID
    assert await kept.actions(user_id) == []


async def test_it_is_counted_where_a_memory_went_with_it(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    item = await kept.item(user_id, "Gustavo likes soup")
    await kept.message(user_id, SAID)
    found = await found_for(controls, user_id, "Gustavo")
    forgotten = await controls.forgetting.forget(user_id, [item], ORIGIN, said=found)
    assert forgotten.messages == 1
    await kept.execute(user_id, "UPDATE tombstones SET erase_after = now()")
    assert await controls.forgetting.erase_due(user_id) == [item]
    grave = (await controls.forgetting.prove(user_id, item)).grave
    assert grave.removed["messages_redacted"] == 1
    assert grave.removed["items"] == 1


async def test_memory_and_talk_go_together_or_not_at_all(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    """A program that is killed in between leaves no half of it."""
    item = await kept.item(user_id, "Gustavo likes soup")
    await kept.message(user_id, SAID)
    found = await found_for(controls, user_id, "Gustavo")
    unsaying = await controls.said.unsaying(user_id, found, "redact")
    refused = replace(unsaying, reworded=dict.fromkeys(unsaying.reworded, "\x00"))
    with pytest.raises(CharacterNotInRepertoireError):
        await controls.store.forget(user_id, [item], ORIGIN, NOW, besides=ExtraDeletions(refused))
    living = "SELECT count(*) FROM memory_items WHERE deleted_at IS NULL"
    assert await kept.value(user_id, living) == 1
    assert await kept.actions(user_id) == []


async def test_of_the_memories_those_are_meant_that_hold_a_word(
    controls: Controls, kept: Kept, user_id: str
) -> None:
    """What is only near in meaning is not, but where a whole statement is asked about."""
    await kept.item(user_id, "Gustavo likes soup")
    await kept.item(user_id, "User has a colleague", tags=["gustavo"])
    await kept.item(user_id, "User likes ramen")
    items = await controls.entries.all(user_id)
    await kept.message(user_id, "I live with Gustavo")
    found = await found_for(controls, user_id, "Gustavo")
    named = await controls.said.named(user_id, found, items)
    assert [each.content for each in named] == ["User has a colleague", "Gustavo likes soup"]
    found = await found_for(controls, user_id, "that I live with Gustavo")
    assert await controls.said.named(user_id, found, items) == items
