from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from memory.cache import Cache
from memory.config import Settings
from memory.embeddings.protocol import Embedder
from memory.errors import DatabaseUnavailable
from memory.factory import make_memory
from memory.retrieval.service import RecallService
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.search import KeywordHit, MessageCandidate, MessageScope, MessageSearch
from memory.tokens import TokenCounter
from memory.types import MessageQueryRequest, MessageQueryResponse, NewMemory, Origin
from tests.memory.fakes import BrokenEmbedder, SilentEmbedder, WordEmbedder
from tests.memory.recall.bench import memory_retriever, message_retriever, recall_service
from tests.memory.recall.messages.said import Talk, contents

CAT = "My cat sleeps on the sofa."
MOTHER = ("Who is your mother", "Nyx, of course.")


class NoWords(MessageSearch):
    async def search_by_keyword(self, scope: MessageScope, query: str, pool: int) -> list[Any]:
        raise DatabaseUnavailable(reason="it is a test")


class NoRows(MessageSearch):
    async def read_candidates(self, *_: Any) -> list[MessageCandidate]:
        raise DatabaseUnavailable(reason="it is a test")


class Stuck(MessageSearch):
    async def search_by_keyword(
        self, scope: MessageScope, query: str, pool: int
    ) -> list[KeywordHit]:
        await asyncio.Event().wait()
        raise AssertionError


@dataclass
class Bench(Talk):
    counter: TokenCounter

    def recalling(self, *parts: Any, **options: Any) -> RecallService:
        """Over a `message_retriever` of these parts."""
        messages = message_retriever(self.database, self.counter, *parts, **options)
        memories = memory_retriever(self.database, self.counter)
        return recall_service(self.database, memories, messages)

    async def ask(
        self, query: str, recalls: RecallService | None = None, **fields: Any
    ) -> MessageQueryResponse:
        call = {
            name: fields.pop(name)
            for name in ("correlation_id", "now", "token_budget")
            if name in fields
        }
        request = MessageQueryRequest(user_id=self.user_id, query=query, **fields)
        return await (recalls or self.recalling()).recall_messages(request, **call)


@pytest.fixture
async def bench(database: Database, counter: TokenCounter, user_id: str) -> Bench:
    bench = Bench(database, user_id, counter)
    await bench.say(("user", CAT), ("assistant", "How sweet!"), ("user", "It snores."))
    await bench.say(("user", "The rent is due on Friday."))
    return bench


async def test_what_was_said_comes_back_with_its_neighbours(bench: Bench) -> None:
    response = await bench.ask("What did I say about my cat on the sofa?")
    [item] = response.items
    assert (item.content, item.role, item.before, item.after) == (
        CAT,
        "user",
        None,
        "assistant: How sweet!",
    )
    assert 0.3 <= item.relevance_score <= 1
    assert response.total_count == 1
    assert response.token_count == bench.counter.count(CAT) + bench.counter.count(item.after or "")
    assert not response.error


async def test_nothing_comes_back_where_nothing_fits(bench: Bench) -> None:
    response = await bench.ask("quantum chromodynamics")
    assert (response.items, response.error, response.degraded) == ([], False, ())


async def test_the_answer_comes_and_not_the_question(bench: Bench) -> None:
    """They share no word: the answer is found because it followed the question."""
    for _ in range(3):
        await bench.say(("user", MOTHER[0]), ("assistant", "Ask me later, please."))
    await bench.say(("user", MOTHER[0]), ("assistant", MOTHER[1]))
    response = await bench.ask("Who is your mother", roles=["user", "assistant"])
    assert MOTHER[1] in contents(response.items)
    assert MOTHER[0] not in contents(response.items)


async def test_the_running_turn_and_the_named_conversation_are_left_out(bench: Bench) -> None:
    chat, turn = uuid4(), uuid4()
    await bench.say(("user", "The cat on the sofa is grey."), chat=chat, turn=turn)
    query = "the cat on the sofa"
    assert len((await bench.ask(query)).items) == 2
    assert contents((await bench.ask(query, correlation_id=turn)).items) == [CAT]
    assert contents((await bench.ask(query, not_conversation=chat)).items) == [CAT]


async def test_limit_budget_and_explanation(bench: Bench) -> None:
    await bench.say(("user", "The cat on the sofa is grey."), ("user", "No cat on my sofa."))
    everything = await bench.ask("the cat on the sofa", min_score=0.3, explain=True)
    assert len(everything.items) == everything.total_count == 3
    assert {each.why for each in everything.left_out} == {"score"}
    few = await bench.ask("the cat on the sofa", limit=1, explain=True)
    assert (len(few.items), few.total_count) == (1, 3)
    assert [each.why for each in few.left_out][:2] == ["limit", "limit"]
    poor = await bench.ask("the cat on the sofa", token_budget=12, explain=True)
    assert poor.truncated
    assert poor.token_count <= 12
    assert "budget" in {each.why for each in poor.left_out}
    assert (await bench.ask("the cat on the sofa")).left_out == ()


async def test_what_was_said_later_was_not_said_then(bench: Bench) -> None:
    then = datetime.now(UTC) - timedelta(days=1)
    assert (await bench.ask("the cat on the sofa", now=then)).items == []


@pytest.mark.parametrize("embedder", [BrokenEmbedder(), SilentEmbedder()])
async def test_without_vectors_the_words_answer(bench: Bench, embedder: Embedder) -> None:
    recalls = bench.recalling(embedder=embedder, embedding=0.3)
    response = await bench.ask("my cat on the sofa", recalls)
    assert contents(response.items) == [CAT]
    assert (response.degraded, response.error) == (("vector",), False)


@pytest.mark.parametrize("search", [NoWords, Stuck])
async def test_without_the_words_the_vectors_answer(
    bench: Bench, search: type[MessageSearch]
) -> None:
    recalls = bench.recalling(search, find=2.0)
    response = await bench.ask("My cat sleeps on the sofa", recalls)
    assert CAT in contents(response.items)
    assert (response.degraded, response.error) == (("keyword",), False)


async def test_without_either_it_is_empty_and_says_so(bench: Bench) -> None:
    response = await bench.ask("cat", bench.recalling(NoWords, BrokenEmbedder()))
    assert (response.items, response.error) == ([], True)
    assert response.degraded == ("keyword", "vector")


async def test_whatever_breaks_it_fails_closed(bench: Bench) -> None:
    response = await bench.ask("cat", bench.recalling(NoRows))
    assert (response.items, response.error) == ([], True)


@pytest.mark.parametrize("query", ["", "   ", "\x00", "?!", "[REDACTED]"])
async def test_a_question_without_words_finds_nothing(bench: Bench, query: str) -> None:
    response = await bench.ask(query)
    assert (response.items, response.error) == ([], False)


async def test_the_log_has_no_words(bench: Bench) -> None:
    turn = uuid4()
    with capture_logs() as logs:
        await bench.ask("my cat on the sofa", correlation_id=turn)
    [line] = [each for each in logs if each["event"] == "message_recall"]
    assert line["correlation_id"] == str(turn)
    assert len(line["query_hash"]) == 16
    assert (line["result_count"], line["error"]) == (1, False)
    assert not any("sofa" in str(value) for value in line.values())


async def test_no_secret_of_a_question_is_embedded(bench: Bench) -> None:
    class Listening(WordEmbedder):
        async def embed_query(self, text: str) -> Any:
            self.texts.append(text)
            return await super().embed_query(text)

    embedder = Listening()
    recalls = bench.recalling(embedder=embedder)
    await bench.ask("what did I say about my password Tr0ub4dor&3xyz! and my cat", recalls)
    assert embedder.texts
    assert not any("Tr0ub4dor" in text for text in embedder.texts)


async def speaking_of(bench: Bench, word: str) -> list[str]:
    """What is found at all and holds the word."""
    items = (await bench.ask("my cousin Ottoline in Wexcombe", min_score=0, limit=100)).items
    return sorted(each.content for each in items if word in each.model_dump_json())


async def test_what_waits_to_be_erased_is_not_found_meanwhile(
    bench: Bench, memory: MemoryService
) -> None:
    """Neither the message, nor its answer, nor either beside another one; it is back when the
    memory is brought back."""
    said = ["My cousin Ottoline lives in Wexcombe.", "Ottoline, in Wexcombe: noted."]
    [source, *_] = await bench.say(
        ("user", said[0]), ("assistant", said[1]), ("user", "Thanks a lot.")
    )
    await bench.say(("user", "Does Ottoline live in Wexcombe with my cousin or what, I wonder."))
    assert len(await speaking_of(bench, "Ottoline")) == 4
    new = NewMemory(content=said[0], source_message_id=source)
    item = (await memory.remember(bench.user_id, new)).item
    await memory.forgetting.forget(bench.user_id, [item.id], Origin())
    assert await speaking_of(bench, "Ottoline") == []
    assert "Thanks a lot." in await speaking_of(bench, "Thanks")
    explained = await bench.ask("Ottoline", explain=True)
    assert "Ottoline" not in explained.model_dump_json()
    await memory.forgetting.undo(bench.user_id, [item.id], Origin())
    assert len(await speaking_of(bench, "Ottoline")) == 4


async def test_conversations_that_are_to_stay_are_found(
    bench: Bench, memory: MemoryService
) -> None:
    [source] = await bench.say(("user", "My cousin Ottoline lives in Wexcombe."))
    new = NewMemory(content="My cousin Ottoline lives in Wexcombe", source_message_id=source)
    item = (await memory.remember(bench.user_id, new)).item
    await memory.forgetting.forget(bench.user_id, [item.id], Origin(), history="keep")
    assert await speaking_of(bench, "Ottoline") == ["My cousin Ottoline lives in Wexcombe."]


@pytest.fixture
def open_memory(
    database: Database, cache: Cache, counter: TokenCounter, settings: Settings
) -> MemoryService:
    return make_memory(database, WordEmbedder(), cache, counter, settings)


@pytest.fixture
def strict(
    database: Database, cache: Cache, counter: TokenCounter, settings: Settings
) -> MemoryService:
    limited = settings.model_copy(update={"memory_queries_per_minute": 1})
    return make_memory(database, WordEmbedder(), cache, counter, limited)


async def test_the_service_limits_and_is_silent_where_memory_is_off(
    bench: Bench, strict: MemoryService
) -> None:
    request = MessageQueryRequest(user_id=bench.user_id, query="the cat on the sofa")
    assert contents((await strict.recall_messages(request)).items) == [CAT]
    limited = await strict.recall_messages(request)
    assert (limited.items, limited.rate_limited) == ([], True)
    await strict.modes.change(bench.user_id, "default", Origin(), memory_mode="off")
    assert (await strict.recall_messages(request)).off


async def test_incognito_reads_messages_only_where_it_may_read(
    bench: Bench, open_memory: MemoryService
) -> None:
    request = MessageQueryRequest(user_id=bench.user_id, query="the cat on the sofa")
    private = open_memory.for_privacy("incognito")
    assert (await private.recall_messages(request)).off
    reading = open_memory.for_privacy("incognito_read_only")
    response = await reading.recall_messages(request)
    assert (contents(response.items), response.error) == ([CAT], False)
