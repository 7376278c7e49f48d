from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from memory.embeddings.cached import CachedEmbedder
from memory.embeddings.model_switch import ActiveEmbedder, ModelSwitch, active_model_name
from memory.embeddings.protocol import Embedder
from memory.errors import DatabaseUnavailable, EmbeddingUnavailable, InvalidSettings
from memory.types import EmbeddingModel, EmbeddingProfile
from tests.memory.embedders.fakes import FakeVectorBytes
from tests.memory.fakes import WordEmbedder

OLD = EmbeddingModel("old", WordEmbedder.dimensions)
NEW = EmbeddingModel("new", 3)


class Named(WordEmbedder):
    def __init__(self, model: EmbeddingModel) -> None:
        super().__init__()
        self.model = model.name
        self.dimensions = model.dimensions
        self.closed = False

    async def aclose(self) -> None:
        self.closed = True


class Followed:
    """A database whose profile a test changes, and what was opened to follow it."""

    def __init__(self) -> None:
        self.profile = EmbeddingProfile(OLD)
        self.away = False
        self.looks = 0
        self.opened: list[Named] = []
        self.lacking = False
        self.succession = ModelSwitch(self.open(OLD), self.open, self.read)
        self.current = ActiveEmbedder(self.succession)

    def open(self, model: EmbeddingModel) -> Named:
        if self.lacking:
            raise InvalidSettings(reason="no key")
        self.opened.append(Named(model))
        return self.opened[-1]

    async def read(self) -> EmbeddingProfile:
        self.looks += 1
        if self.away:
            raise DatabaseUnavailable(reason="away")
        return self.profile


@pytest.fixture
def followed() -> Followed:
    return Followed()


async def test_it_does_not_look_before_every_call(followed: Followed) -> None:
    await followed.current.embed_query("tea")
    await followed.current.embed_texts(["tea"])
    assert followed.looks == 0


async def test_what_is_announced_is_opened_beforehand_and_looked_for_with_every_call(
    followed: Followed,
) -> None:
    followed.profile = EmbeddingProfile(OLD, NEW)
    await followed.succession.look()
    assert [each.model for each in followed.opened] == ["old", "new"]
    await followed.current.embed_query("tea")
    assert followed.current.model == "old"
    followed.profile = EmbeddingProfile(NEW)
    await followed.current.embed_texts(["tea", "milk"])
    assert (followed.current.model, followed.current.dimensions) == ("new", 3)
    assert followed.opened[1].texts == ["tea", "milk"]
    looks = followed.looks
    await followed.current.embed_query("tea")
    assert followed.looks == looks
    assert len(followed.opened) == 2


async def test_a_model_that_was_never_announced_is_followed_too(followed: Followed) -> None:
    followed.profile = EmbeddingProfile(NEW)
    await followed.succession.look()
    assert followed.current.model == "new"


async def test_a_database_that_is_away_changes_nothing(followed: Followed) -> None:
    followed.away = True
    with capture_logs() as logged:
        await followed.succession.look()
        await followed.succession.look()
    assert followed.current.model == "old"
    assert [line["event"] for line in logged] == ["embedding_profile_not_read"]


async def test_a_model_that_cannot_be_asked_never_answers(followed: Followed) -> None:
    followed.lacking = True
    followed.profile = EmbeddingProfile(NEW)
    await followed.succession.look()
    assert (followed.current.model, followed.current.dimensions) == ("new", 3)
    with pytest.raises(EmbeddingUnavailable, match="OPENAI_API_KEY"):
        await followed.current.embed_query("tea")
    with pytest.raises(EmbeddingUnavailable):
        await followed.current.embed_texts(["tea"])


async def test_a_view_follows_as_well(followed: Followed) -> None:
    seen: list[str] = []

    def view(embedder: Embedder) -> Embedder:
        seen.append(embedder.model)
        return embedder

    part = followed.current.seen_as(view)
    await part.embed_query("tea")
    followed.profile = EmbeddingProfile(NEW)
    await followed.succession.look()
    await part.embed_query("tea")
    assert (seen, part.model) == (["old", "new"], "new")


async def test_what_is_forgotten_leaves_the_cache_of_every_model() -> None:
    kept = FakeVectorBytes()
    profile = EmbeddingProfile(NEW)

    async def read() -> EmbeddingProfile:
        return profile

    def cached(model: EmbeddingModel) -> Embedder:
        return CachedEmbedder(WithLength(model), kept)

    succession = ModelSwitch(cached(OLD), cached, read)
    current = ActiveEmbedder(succession)
    await current.embed_query("tea")
    await succession.look()
    await current.embed_query("tea")
    assert len(kept.kept) == 2
    assert await current.forget(["tea"])
    assert not kept.kept


class WithLength(Named):
    """Gives vectors of OLD's length whatever it is called."""

    def __init__(self, model: EmbeddingModel) -> None:
        super().__init__(EmbeddingModel(model.name, OLD.dimensions))


async def test_all_that_were_opened_are_closed(followed: Followed) -> None:
    followed.profile = EmbeddingProfile(OLD, NEW)
    await followed.succession.look()
    await followed.current.aclose()
    assert [each.closed for each in followed.opened] == [True, True]


async def test_who_asks_before_and_after_learns_of_a_change(followed: Followed) -> None:
    followed.profile = EmbeddingProfile(OLD, NEW)
    await followed.succession.look()
    before = await active_model_name(followed.current)
    followed.profile = EmbeddingProfile(NEW)
    assert (before, await active_model_name(followed.current)) == ("old", "new")
    assert await active_model_name(WordEmbedder()) == "words"


async def test_watching_outlives_what_nobody_expected(followed: Followed) -> None:
    opened = asyncio.Event()

    def open_model(model: EmbeddingModel) -> Embedder:
        opened.set()
        return Named(model)

    async def read() -> EmbeddingProfile:
        followed.looks += 1
        if followed.looks == 1:
            raise RuntimeError
        return EmbeddingProfile(NEW)

    succession = ModelSwitch(Named(OLD), open_model, read)
    watching = asyncio.create_task(succession.watch(0.001))
    async with asyncio.timeout(30):
        await opened.wait()
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    assert succession.now.model == "new"
