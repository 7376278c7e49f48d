"""What a wish to forget means, as a model that judges pairs says it; here one that knows words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memory.actions.matching import probably_meant
from memory.ingestion.deduplication import RelationCache
from memory.types import DEFAULT_SPACE
from memory.understanding.relations import UNRELATED, Relations
from tests.memory.controls.conftest import Controls, Kept
from tests.memory.fakes import BrokenEmbedder

WISH = "let go of what I earn"
MEANT = Relations(0.0, 0.9, 0.0, 0.0, 0.1)
WAGES = "I get 19 an hour at the yard"


def judge(_wish: str, texts: Sequence[str]) -> list[Relations]:
    """That what speaks of hours is meant; of what is long only the beginning is seen."""
    return [
        replace(MEANT if "hour" in each[:40] else UNRELATED, whole=len(each) <= 40)
        for each in texts
    ]


@pytest.fixture
def judging(controls: Controls) -> Controls:
    return replace(controls, pairs=RelationCache(relate=judge))


async def meant(controls: Controls, user_id: str) -> list[str]:
    found = await controls.entries.meant(user_id, DEFAULT_SPACE, WISH)
    return [each.item.content for each in found]


def test_of_a_long_text_one_of_its_sentences_is_enough() -> None:
    long = f"We rent a flat in the old mill by the river. {WAGES}. The cat is called Mia."
    assert probably_meant(WISH, [long, "We rent a flat", WAGES], judge) == [0.9, 0.0, 0.9]


async def test_a_memory_is_meant_though_it_shares_no_word(
    judging: Controls, kept: Kept, user_id: str
) -> None:
    await kept.item(user_id, WAGES)
    await kept.item(user_id, "I let the cellar to a band")
    assert await meant(judging, user_id) == [WAGES]


async def test_or_has_no_vector(judging: Controls, kept: Kept, user_id: str) -> None:
    await kept.item(user_id, WAGES, embedding=None, needs_embedding=True)
    assert await meant(judging, user_id) == [WAGES]
    judging.embedder = BrokenEmbedder()
    assert await meant(judging, user_id) == [WAGES]


async def test_what_is_replaced_or_of_somebody_else_is_not(
    judging: Controls, kept: Kept, user_id: str, other: str
) -> None:
    await kept.item(other, WAGES)
    newer = await kept.item(user_id, "We rent a flat")
    await kept.item(user_id, "I get 18 an hour", superseded_by=newer)
    assert await meant(judging, user_id) == []


async def test_of_what_was_said_in_its_words_only_that_goes_which_is_meant(
    judging: Controls, kept: Kept, user_id: str
) -> None:
    await kept.message(user_id, "The yard pays 19 an hour. The yard has a new gate.")
    await kept.message(user_id, "We walked past the yard.")
    found = await judging.said.find(user_id, DEFAULT_SPACE, "yard", wish=WISH)
    assert found is not None
    assert [each.passages for each in found.telling] == [["The yard pays 19 an hour."]]


async def test_nothing_was_said_where_nothing_of_it_is_meant(
    judging: Controls, kept: Kept, user_id: str
) -> None:
    await kept.message(user_id, "We walked past the yard.")
    assert await judging.said.find(user_id, DEFAULT_SPACE, "yard", wish=WISH) is None
