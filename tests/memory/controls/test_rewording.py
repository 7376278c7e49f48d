"""What a correction makes of a memory's words, and which words it means."""

from __future__ import annotations

import pytest

from memory.actions.correction import Correction, reword
from memory.service import MemoryService
from memory.types import DEFAULT_SPACE, NewMemory

AUNT = "My aunt is called Ida, not Eva, fix that"
CLAIM = "My aunt is called Ida"


@pytest.mark.parametrize(
    ("new", "now"),
    [
        ("I live in Freiburg", "I live in Freiburg"),
        ("i live in Freiburg", "I live in Freiburg"),
        ("Freiburg", "I live in Freiburg"),
        ("Freiburg, where I live in Kehl", "I live in Freiburg, where I live in Kehl"),
    ],
)
def test_new_words_that_repeat_what_stands_before_the_old_are_not_put_twice(
    new: str, now: str
) -> None:
    wanted = Correction(f"Change Hamburg to {new}", about="Hamburg", old="Hamburg", new=new)
    assert reword("I live in Hamburg", wanted) == (now, True)


@pytest.mark.parametrize(
    ("wanted", "exact"),
    [
        (Correction(AUNT, about=CLAIM, old="Ida", new="Eva"), True),
        (Correction("It is Ida, not Eva", old="Ida", new="Eva"), False),
        (Correction("It is Ida, not Eva", old="Eva", new="Ida"), True),
    ],
    ids=["told as a claim", "asked about where nothing tells", "heard as it is held"],
)
async def test_the_words_that_memory_holds_are_wrong(
    memory: MemoryService, user_id: str, wanted: Correction, exact: bool
) -> None:
    await memory.remember(user_id, NewMemory(content="My aunt is called Eva"))
    [found] = await memory.entries.corrections.find(user_id, DEFAULT_SPACE, wanted, ())
    assert (found.content, found.exact) == (CLAIM, exact)


@pytest.mark.parametrize("said", ["Change Oslo to Bergen", None])
async def test_a_change_that_says_from_what_to_what_is_not_turned_round(
    memory: MemoryService, user_id: str, said: str | None
) -> None:
    await memory.remember(user_id, NewMemory(content="My sister lives in Bergen"))
    wanted = Correction(said, about="Oslo", old="Oslo", new="Bergen")
    found = await memory.entries.corrections.find(user_id, DEFAULT_SPACE, wanted, ())
    assert "My sister lives in Oslo" not in [each.content for each in found]


@pytest.mark.parametrize("said", [AUNT, "Sorry, my aunt's name is Ida, not Eva"])
async def test_a_message_corrects_the_memory_that_it_is_about(
    memory: MemoryService, user_id: str, said: str
) -> None:
    await memory.remember(user_id, NewMemory(content="I keep two goats"))
    await memory.remember(user_id, NewMemory(content="My aunt is called Eva"))
    found = await memory.entries.corrections.corrected(user_id, DEFAULT_SPACE, said, ())
    assert found is not None
    assert (found.content, found.new) == (CLAIM, "Ida")


async def test_where_nothing_is_known_nothing_is_corrected(
    memory: MemoryService, user_id: str
) -> None:
    said = "Sorry, my aunt's name is Ida, not Eva"
    assert await memory.entries.corrections.corrected(user_id, DEFAULT_SPACE, said, ()) is None


async def test_what_was_taken_out_as_a_secret_corrects_nothing(
    memory: MemoryService, user_id: str
) -> None:
    await memory.remember(user_id, NewMemory(content="My chainsaw cost 749 euros at Guilbert"))
    corrected = memory.entries.corrections.corrected
    found = await corrected(user_id, DEFAULT_SPACE, "Sorry, 479 euros for the chainsaw", ())
    assert found is not None
    said = "Sorry, [code removed] euros for the chainsaw"
    assert await corrected(user_id, DEFAULT_SPACE, said, ()) is None
