"""`python -m app reembed`: another embedding model while a chat goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import pytest
from pydantic import SecretStr

from agent.models.offline import OfflineModel
from app.ops.backup import restore_database, write_backup
from app.ops.backup_archive import open_archive
from app.ops.reembed import ReembeddingParts, change_model
from app.worker.jobs import EPISODE_RETENTION
from memory.cache import Cache
from memory.config import LOCAL_DIMENSIONS, LOCAL_MODEL, OPENAI_EMBEDDING_MODEL, Settings
from memory.embeddings.model_switch import ActiveEmbedder, ModelSwitch
from memory.embeddings.protocol import Embedder, Embedding
from memory.errors import (
    EmbeddingRefused,
    EmbeddingUnavailable,
    NextModelUnusable,
    ReembeddingElsewhere,
    ReembeddingStopped,
)
from memory.factory import make_succession, without_cache
from memory.maintenance.reembedding import ReembeddingRun
from memory.service import MemoryService
from memory.store.database import WORKER_ROLE, Database
from memory.store.jobs import JobQueue
from memory.store.vectors import NextVectorStore
from memory.types import (
    EmbeddingModel,
    EpisodeResult,
    MemoryQueryRequest,
    MemoryQueryResponse,
    NewEpisode,
    NewMemory,
    Origin,
)
from migrations.scratch import scratch_database
from migrations.vector_swap import open_vector_schema
from tests.acceptance.chat import Chat, knows
from tests.acceptance.conftest import Parts
from tests.acceptance.embedding_server import KEY, EmbeddingServer
from tests.acceptance.stores import memory_rows
from tests.agent.turns import assists
from tests.memory.exports import text_of
from tests.migrations.catalogue import catalogue

pytestmark = pytest.mark.usefixtures("own_database_url")

OLD = EmbeddingModel(LOCAL_MODEL, LOCAL_DIMENSIONS)
SHORT = EmbeddingModel(OPENAI_EMBEDDING_MODEL, 96)
SAME_LENGTH = EmbeddingModel(OPENAI_EMBEDDING_MODEL, LOCAL_DIMENSIONS)
HOBBIES = ("chess", "sailing", "pottery", "origami", "archery", "juggling")


Command: TypeAlias = Callable[[EmbeddingServer], AbstractAsyncContextManager[ReembeddingParts]]


@dataclass
class Program:
    """A program that runs while somebody else re-embeds."""

    memory: MemoryService
    succession: ModelSwitch
    embedder: Embedder

    async def recall(self, user_id: str, query: str) -> MemoryQueryResponse:
        return await self.memory.recall(MemoryQueryRequest(user_id=user_id, query=query))


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    return settings.model_copy(
        update={
            "openai_api_key": SecretStr(KEY),
            "recall_timeout_seconds": 20.0,
            "embedding_timeout_seconds": 20.0,
        }
    )


@pytest.fixture
async def program(parts: Parts, keyed: Settings) -> AsyncIterator[Program]:
    async with running(replace(parts, settings=keyed)) as program:
        yield program


@asynccontextmanager
async def running(parts: Parts) -> AsyncIterator[Program]:
    def open_model(model: EmbeddingModel) -> Embedder:
        if model == OLD:
            return parts.embedder
        return parts.embedder_of(EmbeddingServer(model.dimensions))

    succession = make_succession(OLD, open_model, parts.database, parts.settings)
    embedder = ActiveEmbedder(succession)
    memory = parts.memory(embedder=embedder)
    watching = asyncio.create_task(succession.watch(0.05))
    yield Program(memory, succession, embedder)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    await memory.aclose()


@pytest.fixture
def command(database_url: str, cache: Cache, parts: Parts) -> Command:
    """What the command works with; short waits, since the program looks twenty times a second."""

    @asynccontextmanager
    async def opened(server: EmbeddingServer) -> AsyncIterator[ReembeddingParts]:
        async with open_vector_schema(database_url) as schema:
            worker = await Database.open(database_url, role=WORKER_ROLE)
            embedder = without_cache(parts.embedder_of(server))
            yield ReembeddingParts(schema, worker, embedder, cache, 1.0, 0.2)
            await worker.close()

    return opened


async def keep(memory: MemoryService, user_id: str, *texts: str) -> None:
    await memory.remember_all(user_id, [NewMemory(content=text) for text in texts])


async def models(database: Database, user_id: str) -> set[tuple[str | None, int | None, bool]]:
    async with database.as_user(user_id) as connection:
        rows = await connection.fetch(
            "SELECT embedding_model, vector_dims(embedding) AS wide, needs_embedding"
            " FROM memory_items UNION ALL"
            " SELECT embedding_model, vector_dims(embedding), needs_embedding FROM messages"
        )
    return {(row["embedding_model"], row["wide"], row["needs_embedding"]) for row in rows}


@pytest.mark.parametrize("target", [SHORT, SAME_LENGTH], ids=["another length", "the same length"])
async def test_recall_and_writing_go_on_throughout(
    program: Program, parts: Parts, command: Command, user_id: str, target: EmbeddingModel
) -> None:
    facts = [f"User's hobby number {n} is {hobby}" for n, hobby in enumerate(HOBBIES * 20)]
    await keep(program.memory, user_id, *facts)
    answers: list[MemoryQueryResponse] = []
    ended, rounds = asyncio.Event(), asyncio.Semaphore(0)

    async def ask_and_tell() -> None:
        while not ended.is_set():
            answers.append(await program.recall(user_id, "Which hobby is chess?"))
            told = f"User's friend number {len(answers)} plays chess"
            await keep(program.memory, user_id, told)
            rounds.release()

    server = EmbeddingServer(target.dimensions)
    async with command(server) as tools:
        async with asyncio.TaskGroup() as group:
            group.create_task(ask_and_tell())
            await rounds.acquire()
            said = await change_model(tools, target)
            for _ in range(2):
                await rounds.acquire()
            answers.append(await program.recall(user_id, "Which hobby is chess?"))
            ended.set()
        await program.memory.embed_waiting(user_id)

    assert "now" in said
    assert len(answers) > 3
    assert [answer.error or answer.degraded for answer in answers] == [()] * len(answers)
    assert all(answer.items for answer in answers)
    assert await models(parts.database, user_id) == {(target.name, target.dimensions, False)}
    assert (program.embedder.model, program.embedder.dimensions) == (target.name, target.dimensions)


async def test_a_chat_goes_on_in_the_new_model(
    program: Program, parts: Parts, command: Command, user_id: str
) -> None:
    async with assists(program.memory, parts.cache) as make:
        chat = Chat(make(OfflineModel()), user_id)
        await chat.say("Please remember that I keep bees on the roof.")
        async with command(EmbeddingServer(SHORT.dimensions)) as tools:
            change = asyncio.create_task(change_model(tools, SHORT))
            heard = [await chat.say("Where do I keep bees?")]
            await change
            heard.append(await chat.say("Please remember that my bees are called Ada's girls."))
            heard.append(await chat.say("Where do I keep bees?"))
        assert [each.error for each in heard] == [None] * 3
        assert "roof" in heard[0].text
        assert "roof" in heard[2].text
        assert len(await knows(program.memory, user_id)) == 2
    await program.memory.embed_waiting(user_id)
    assert await models(parts.database, user_id) == {(SHORT.name, SHORT.dimensions, False)}


@pytest.mark.parametrize("target", [SHORT, SAME_LENGTH], ids=["another length", "the same length"])
async def test_episodes_get_their_vectors_from_the_job_that_it_asks_for(
    program: Program, command: Command, parts: Parts, user_id: str, target: EmbeddingModel
) -> None:
    """They are found by their words until then."""
    memory = parts.memory(embedder=program.embedder, episodes_enabled=True)
    new = NewEpisode(task="Deploy the shop")
    begun = await memory.episodes.start(user_id, new, Origin())
    await memory.episodes.complete(user_id, begun.id, EpisodeResult(outcome_score=0.5), Origin())
    async with command(EmbeddingServer(target.dimensions)) as tools:
        await change_model(tools, target)
        asked = await JobQueue(tools.database).listed(given_up=False, limit=100)
    assert [job.whose for job in asked if job.name == EPISODE_RETENTION.name] == [user_id]
    await program.succession.look()
    [by_words] = await memory.episodes.similar(user_id, "Deploy the office", at_least=0.2)
    assert by_words.likeness == 0.5
    await memory.episodes.apply_retention(user_id)
    async with parts.database.as_user(user_id) as connection:
        row = await connection.fetchrow(
            "SELECT embedding_model, vector_dims(embedding) AS wide, needs_embedding FROM episodes"
        )
    assert row is not None
    assert tuple(row) == (target.name, target.dimensions, False)
    await memory.aclose()


async def test_a_run_that_was_ended_goes_on_where_it_ended(
    program: Program, parts: Parts, command: Command, user_id: str
) -> None:
    await keep(program.memory, user_id, *(f"User owns book {n}" for n in range(300)))
    server = EmbeddingServer(SHORT.dimensions)
    async with command(server) as tools:
        await tools.schema.begin(SHORT)
        fails = FailsAfter(tools.embedder, calls=1)
        filling = ReembeddingRun(
            NextVectorStore(tools.database), fails, lambda _made, _of: None, sleep=at_once
        )
        with pytest.raises(ReembeddingStopped):
            await filling.fill()
        assert (await program.recall(user_id, "book 7")).degraded == ()
    before = len(server.texts)
    assert 0 < before < 300
    async with command(server) as tools:
        await change_model(tools, SHORT)
    assert len(server.texts) == 300 + len(["hello"])
    assert await models(parts.database, user_id) == {(SHORT.name, SHORT.dimensions, False)}


async def test_a_text_that_the_model_refuses_holds_up_no_other(
    program: Program, parts: Parts, command: Command, user_id: str
) -> None:
    """It is found by its words, and waits for nothing."""
    await keep(program.memory, user_id, "User likes tea", "User was refused a loan")
    async with command(EmbeddingServer(SHORT.dimensions)) as tools:
        refuses = Refuses(tools.embedder)
        await change_model(replace(tools, embedder=refuses), SHORT)
    assert await models(parts.database, user_id) == {
        (SHORT.name, SHORT.dimensions, False),
        (SHORT.name, None, False),
    }
    answer = await program.recall(user_id, "Who was refused a loan?")
    assert answer.items[0].content == "User was refused a loan"


async def test_words_that_change_meanwhile_get_the_vector_of_the_new_ones(
    program: Program, parts: Parts, command: Command, user_id: str
) -> None:
    await keep(program.memory, user_id, "User lives in Porto", "User likes tea")
    server = EmbeddingServer(SHORT.dimensions)
    async with command(server) as tools:
        await tools.schema.begin(SHORT)
        await fill(tools)
        async with parts.database.as_user(user_id) as connection:
            await connection.execute(
                "UPDATE memory_items SET content = 'User lives in Braga'"
                " WHERE content = 'User lives in Porto'"
            )
        await change_model(tools, SHORT)
    assert server.texts[-1] == "I live in Braga"
    assert await models(parts.database, user_id) == {(SHORT.name, SHORT.dimensions, False)}


async def test_what_was_forgotten_is_not_sent_to_the_new_model(
    program: Program, parts: Parts, command: Command, user_id: str
) -> None:
    await keep(program.memory, user_id, "User likes liquorice", "User likes tea")
    gone = next(
        row for row in await memory_rows(parts.database, user_id) if "liquorice" in row["content"]
    )
    await program.memory.forgetting.forget(user_id, [gone["id"]], Origin())
    server = EmbeddingServer(SHORT.dimensions)
    async with command(server) as tools:
        await change_model(tools, SHORT)
    assert server.texts == ["hello", "I like tea"]


async def test_the_rights_of_everybody_are_as_before(
    program: Program, command: Command, database_url: str, user_id: str
) -> None:
    await keep(program.memory, user_id, "User likes tea")
    before = await catalogue(database_url)
    async with command(EmbeddingServer(SHORT.dimensions)) as tools:
        await change_model(tools, SHORT)
    assert await catalogue(database_url) == before


async def test_the_model_in_use_drops_what_was_made_for_another(
    program: Program, parts: Parts, command: Command, database_url: str, user_id: str
) -> None:
    await keep(program.memory, user_id, "User likes tea")
    before = await catalogue(database_url)
    async with command(EmbeddingServer(SHORT.dimensions)) as tools:
        await tools.schema.begin(SHORT)
        await fill(tools)
        assert await catalogue(database_url) != before
        assert "already" in await change_model(replace(tools, embedder=program.embedder), OLD)
    assert await catalogue(database_url) == before
    assert await models(parts.database, user_id) == {(OLD.name, OLD.dimensions, False)}


async def test_a_program_without_a_key_for_it_goes_on_with_keywords(
    parts: Parts, settings: Settings, command: Command, user_id: str
) -> None:
    async with running(replace(parts, settings=settings)) as program:
        await keep(program.memory, user_id, "User keeps bees on the roof")
        async with command(EmbeddingServer(SHORT.dimensions)) as tools:
            await change_model(tools, SHORT)
        answer = await program.recall(user_id, "Where are the bees?")
        assert answer.degraded == ("vector",)
        assert [item.content for item in answer.items] == ["User keeps bees on the roof"]
        await keep(program.memory, user_id, "User likes tea")
        assert (None, None, True) in await models(parts.database, user_id)


async def test_an_export_meanwhile_holds_no_vectors(
    program: Program, command: Command, user_id: str
) -> None:
    await keep(program.memory, user_id, "User likes tea")
    async with command(EmbeddingServer(SHORT.dimensions)) as tools:
        await tools.schema.begin(SHORT)
        await fill(tools)
        exported = await text_of(program.memory.portability, user_id)
        await tools.schema.abandon()
    assert "User likes tea" in exported
    assert "embedding" not in exported


async def test_a_backup_meanwhile_holds_the_vectors_of_now(
    program: Program, parts: Parts, command: Command, database_url: str, tmp_path: Path
) -> None:
    """What was restored is whole; the vectors that were being made are made anew there."""
    await keep(program.memory, "ada", "User likes tea", "User keeps bees")
    file = tmp_path / "half-way.backup"
    async with command(EmbeddingServer(SHORT.dimensions)) as tools:
        await tools.schema.begin(SHORT)
        await fill(tools)
    await write_backup(file, database_url, parts.settings)
    async with scratch_database(database_url, template="template0") as restored_url:
        with open_archive(file) as archive:
            await restore_database(archive, restored_url, replace=False)
        server = EmbeddingServer(SHORT.dimensions)
        async with open_vector_schema(restored_url) as schema:
            assert (await schema.profile()).following is None
            worker = await Database.open(restored_url, role=WORKER_ROLE)
            embedder = without_cache(parts.embedder_of(server))
            await change_model(ReembeddingParts(schema, worker, embedder, parts.cache, 0, 0), SHORT)
            await worker.close()
    assert sorted(server.texts) == ["I keep bees", "I like tea", "hello"]


async def test_a_model_that_takes_nothing_says_so_and_changes_nothing(
    program: Program, parts: Parts, command: Command, user_id: str
) -> None:
    """What is raised has the sentence about it, and is no group of errors."""
    await keep(program.memory, user_id, "User plays chess")
    async with command(EmbeddingServer(SHORT.dimensions)) as tools:
        deaf = replace(tools, embedder=TakesNothing(tools.embedder))
        with pytest.raises(NextModelUnusable, match="a vector without a direction"):
            await change_model(deaf, SHORT)
        assert (await tools.schema.profile()).following is None
    assert await models(parts.database, user_id) == {(OLD.name, OLD.dimensions, False)}
    assert (await program.recall(user_id, "Does the user play chess?")).items


async def test_one_program_at_a_time(database_url: str) -> None:
    async with open_vector_schema(database_url):
        with pytest.raises(ReembeddingElsewhere):
            async with open_vector_schema(database_url):
                pass


class FailsAfter:
    """Answers so many calls, then is away."""

    def __init__(self, inner: Embedder, calls: int) -> None:
        self.model, self.dimensions = inner.model, inner.dimensions
        self._inner = inner
        self._left = calls

    async def embed_query(self, text: str) -> Embedding:
        raise AssertionError

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        self._left -= 1
        if self._left < 0:
            raise EmbeddingUnavailable(model=self.model, reason="it is away")
        return await self._inner.embed_texts(texts)

    async def aclose(self) -> None:
        return


class Refuses(FailsAfter):
    """Takes no batch in which a text says "refused"."""

    def __init__(self, inner: Embedder) -> None:
        super().__init__(inner, calls=100)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        if any("refused" in text for text in texts):
            raise EmbeddingRefused(model=self.model, reason="it answered with status 400")
        return await super().embed_texts(texts)


class TakesNothing(FailsAfter):
    """Refuses whatever it is given, as a server whose answers are nonsense."""

    def __init__(self, inner: Embedder) -> None:
        super().__init__(inner, calls=0)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        raise EmbeddingRefused(model=self.model, reason="it gave a vector without a direction")


async def fill(tools: ReembeddingParts) -> None:
    await ReembeddingRun(
        NextVectorStore(tools.database), tools.embedder, lambda _made, _of: None
    ).fill()


async def at_once(_seconds: float) -> None:
    return
