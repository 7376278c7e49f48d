from __future__ import annotations

from uuid import uuid4

import pytest

from app.terminal.looking import LISTED, filter_of, memories, prove
from app.terminal.turns import Turns
from memory.errors import InvalidInput, NotFound
from memory.models import BANKS, NewItem, Origin
from memory.store.listing import EntryFilter

ALL = EntryFilter(space="work", limit=LISTED)


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
    assert filter_of(words, "work", BANKS) == ALL.model_copy(update=wanted)


def test_banks_are_those_of_the_settings() -> None:
    assert filter_of("garden", "work", ("Garden",)).bank == "Garden"
    assert filter_of("health", "work", ("Garden",)).text == "health"


async def hold(turns: Turns, *items: NewItem) -> None:
    await turns.keepsake.memory.remember_all(turns.user_id, list(items))


async def test_the_list_is_of_the_space_and_by_the_filter(turns: Turns) -> None:
    assert "Nothing is remembered yet" in (await memories("", turns, None))[0]
    await hold(
        turns,
        NewItem(content="I use vim", bank="Work"),
        NewItem(content="I decided to learn Norwegian", type="decision", pinned=True),
        NewItem(content="I park on level three", space="elsewhere"),
    )
    assert len(await memories("", turns, None)) == 2
    for words in ("pinned", "decisions", "Norwegian"):
        [line] = await memories(words, turns, None)
        assert line.endswith("I decided to learn Norwegian"), words
    [line] = await memories("work", turns, None)
    assert line.endswith("I use vim")


async def test_more_than_a_page_says_so(turns: Turns) -> None:
    await hold(turns, *(NewItem(content=f"Note number {number}") for number in range(LISTED + 1)))
    lines = await memories("", turns, None)
    assert len(lines) == LISTED + 1
    assert lines[-1].startswith("and more")


async def test_the_proof_of_a_forgotten_memory(turns: Turns) -> None:
    memory = turns.keepsake.memory
    kept = await memory.remember(turns.user_id, NewItem(content="I park on level three"))
    [item_id] = [kept.item.id]
    await memory.forgetting.forget(turns.user_id, [item_id], Origin(), for_good=True)
    lines = await prove(f"{item_id} Where do I park?", turns, None)
    assert lines[-1] == "It is gone."
    assert "Its row: gone" in lines
    assert "level three" not in str(lines)


async def test_what_cannot_be_proved_is_told(turns: Turns) -> None:
    for words in ("", "my sister", "1234"):
        with pytest.raises(InvalidInput, match="/prove ID"):
            await prove(words, turns, None)
    with pytest.raises(NotFound):
        await prove(str(uuid4()), turns, None)
