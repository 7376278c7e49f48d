from __future__ import annotations

from datetime import UTC, datetime

import pytest
import structlog

from memory.database import Database
from memory.embedders.protocol import Embedder
from memory.errors import DatabaseUnavailable, InvalidInput, MessageRefused
from memory.models import MAX_ITEM_CHARS, NewItem
from memory.store.embeddings import Embeddings
from memory.store.items import Items
from memory.store.search import Scope, Search
from memory.write.remember import Remember, type_of
from tests.memory.fakes import BrokenEmbedder, SilentEmbedder, WordEmbedder, vector_of


def remember(
    database: Database, embedder: Embedder | None = None, timeout: float = 5.0
) -> Remember:
    return Remember(Items(database), embedder or WordEmbedder(), embedding_timeout=timeout)


async def waiting(database: Database, user_id: str) -> list[str]:
    return [row.content for row in await Embeddings(database).waiting("items", user_id, 9)]


async def test_a_memory_is_kept_with_the_vector_of_its_first_person(
    database: Database, user_id: str
) -> None:
    embedder = WordEmbedder()
    kept = await remember(database, embedder).keep(user_id, NewItem(content="User prefers uv"))
    assert kept.content == "User prefers uv"
    assert embedder.texts == ["I prefer uv"]
    scope = Scope(user_id, datetime.now(UTC))
    [row] = await Search(database).read_candidates(scope, [kept.id], vector_of("I prefer uv"))
    assert row.cosine == pytest.approx(1.0, abs=1e-3)


async def test_the_text_is_cleaned(database: Database, user_id: str) -> None:
    kept = await remember(database).keep(user_id, NewItem(content=" I\x00 like\r\ntea\x1b "))
    assert kept.content == "I like\ntea"


async def test_the_same_words_are_one_memory(database: Database, user_id: str) -> None:
    for content in ("I prefer uv", " I prefer uv\n"):
        kept = await remember(database).keep(user_id, NewItem(content=content))
    assert kept.repeat_count == 1


@pytest.mark.parametrize("embedder", [BrokenEmbedder(), SilentEmbedder()])
async def test_without_a_vector_it_is_kept_and_waits(
    database: Database, user_id: str, embedder: Embedder
) -> None:
    with structlog.testing.capture_logs() as logs:
        kept = await remember(database, embedder, 0.05).keep(user_id, NewItem(content="tea"))
    assert kept.content == "tea"
    assert await waiting(database, user_id) == ["tea"]
    assert [each["event"] for each in logs] == ["kept_without_vector"]


async def test_all_or_none(database: Database, user_id: str) -> None:
    kept = await remember(database).keep_all(
        user_id, [NewItem(content="User likes tea"), NewItem(content="two")]
    )
    assert [each.content for each in kept] == ["User likes tea", "two"]
    with pytest.raises(MessageRefused):
        await remember(database).keep_all(
            user_id, [NewItem(content="three"), NewItem(content="\x00")]
        )
    assert await Items(database).count(user_id) == 2


async def test_nothing_at_all(database: Database, user_id: str) -> None:
    assert await remember(database).keep_all(user_id, []) == []


async def test_what_grows_too_long_is_refused(database: Database, user_id: str) -> None:
    # Each comes apart into two characters in the composed form.
    long = NewItem(content="\u0958" * MAX_ITEM_CHARS)
    with pytest.raises(InvalidInput, match="8,192"):
        await remember(database).keep(user_id, long)


async def test_it_fails_loudly_without_a_database(database: Database, user_id: str) -> None:
    await database.close()
    with pytest.raises(DatabaseUnavailable):
        await remember(database).keep(user_id, NewItem(content="tea"))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("We decided to move to Lyon", "decision"),
        ("I'm going with the blue one", "decision"),
        ("We agreed that I prefer tea", "decision"),
        ("I prefer uv over pip", "preference"),
        ("My favourite colour is green", "preference"),
        ("my FAVORITE is jazz", "preference"),
        ("I would rather walk", "preference"),
        ("I can't stand coriander", "preference"),
        ("My sister is called Zoë", "fact"),
        ("It is likely to rain", "fact"),
        ("Gloves are in the drawer", "fact"),
        ("", "fact"),
    ],
)
def test_the_type_is_read_from_the_words(content: str, kind: str) -> None:
    assert type_of(content) == kind
