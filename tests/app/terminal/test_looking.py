from __future__ import annotations

from uuid import uuid4

import pytest

from app.terminal.commands import LISTED, filter_from, list_memories, prove_forgotten
from app.terminal.session import TerminalSession
from memory.errors import InvalidInput, NotFound
from memory.store.memories import MemoryFilter
from memory.types import BANKS, NewMemory, Origin

ALL = MemoryFilter(space="work", limit=LISTED)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("", {}),
        ("pinned", {"pinned": True}),
        ("Pinned", {"pinned": True}),
        ("decision", {"type": "decision"}),
        ("Decisions", {"type": "decision"}),
        ("health", {"bank": "Health"}),
        ("my sister", {"text": "my sister"}),
        ("pinned things", {"text": "pinned things"}),
    ],
)
def test_words_are_a_filter(words: str, wanted: dict[str, object]) -> None:
    assert filter_from(words, "work", BANKS) == ALL.model_copy(update=wanted)


def test_banks_are_those_of_the_settings() -> None:
    assert filter_from("garden", "work", ("Garden",)).bank == "Garden"
    assert filter_from("health", "work", ("Garden",)).text == "health"


async def hold(turns: TerminalSession, *items: NewMemory) -> None:
    await turns.keepsake.memory.remember_all(turns.user_id, list(items))


async def test_the_list_is_of_the_space_and_by_the_filter(turns: TerminalSession) -> None:
    assert "Nothing is remembered yet" in (await list_memories("", turns, None))[0]
    await hold(
        turns,
        NewMemory(content="I use vim", bank="Work"),
        NewMemory(content="I decided to learn Norwegian", type="decision", pinned=True),
        NewMemory(content="I park on level three", space="elsewhere"),
    )
    assert len(await list_memories("", turns, None)) == 2
    for words in ("pinned", "decisions", "Norwegian"):
        [line] = await list_memories(words, turns, None)
        assert line.endswith("I decided to learn Norwegian"), words
    [line] = await list_memories("work", turns, None)
    assert line.endswith("I use vim")


async def test_more_than_a_page_says_so(turns: TerminalSession) -> None:
    await hold(turns, *(NewMemory(content=f"Note number {number}") for number in range(LISTED + 1)))
    lines = await list_memories("", turns, None)
    assert len(lines) == LISTED + 1
    assert lines[-1].startswith("and more")


async def test_the_proof_of_a_forgotten_memory(turns: TerminalSession) -> None:
    memory = turns.keepsake.memory
    kept = await memory.remember(turns.user_id, NewMemory(content="I park on level three"))
    [item_id] = [kept.item.id]
    await memory.forgetting.forget(turns.user_id, [item_id], Origin(), for_good=True)
    lines = await prove_forgotten(f"{item_id} Where do I park?", turns, None)
    assert lines[-1] == "It is gone."
    assert "Its row: gone" in lines
    assert "level three" not in str(lines)


async def test_the_beginning_of_an_id_names_it_and_no_id_the_last_one(
    turns: TerminalSession,
) -> None:
    forgetting = turns.keepsake.memory.forgetting
    ids = []
    for content in ("I park on level three", "My boat is green"):
        kept = await turns.keepsake.memory.remember(turns.user_id, NewMemory(content=content))
        await forgetting.forget(turns.user_id, [kept.item.id], Origin())
        ids.append(kept.item.id)
    assert await forgetting.named(turns.user_id, str(ids[0])[:8].upper()) == ids[0]
    assert await forgetting.named(turns.user_id, "") == ids[1]
    assert (await prove_forgotten(str(ids[0])[:8], turns, None))[0].startswith("Forgotten: ")
    with pytest.raises(NotFound):
        await forgetting.named("somebody else", str(ids[0])[:8])


async def test_what_cannot_be_proved_is_told(turns: TerminalSession) -> None:
    with pytest.raises(InvalidInput, match="/prove ID"):
        await prove_forgotten("my sister", turns, None)
    for words in ("", "1234", str(uuid4())):
        with pytest.raises(NotFound):
            await prove_forgotten(words, turns, None)
