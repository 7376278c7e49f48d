from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Callable
from typing import Any

import httpx2
import numpy as np
import openai
import pytest

from memory.embeddings.openai import REQUEST_TEXTS, REQUEST_TOKENS, TEXT_TOKENS, OpenAIEmbedder
from memory.errors import EmbeddingRefused, EmbeddingUnavailable
from memory.tokens import TokenCounter

KEY = "sk-test-very-secret"
Handler = Callable[[httpx2.Request], httpx2.Response]


class Server:
    """Answers with one vector a text whose first number is the text's length; keeps requests."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        self.requests.append(body)
        texts = enumerate(body["input"])
        entries = [entry(index, [float(len(text)), 1.0, 0.0]) for index, text in texts]
        return answer(entries[::-1])


def entry(index: int, vector: object) -> dict[str, object]:
    return {"object": "embedding", "index": index, "embedding": vector}


def answer(entries: object) -> httpx2.Response:
    body = {"object": "list", "model": "m", "data": entries, "usage": {}}
    return httpx2.Response(200, json=body)


@pytest.fixture(scope="module")
def tokens() -> TokenCounter:
    return TokenCounter()


def embedder_for(
    handler: Handler,
    tokens: TokenCounter,
    *,
    model: str = "text-embedding-3-small",
    retries: int = 0,
) -> OpenAIEmbedder:
    client = openai.AsyncOpenAI(
        api_key=KEY,
        base_url="http://localhost:9/v1",
        max_retries=retries,
        http_client=httpx2.AsyncClient(transport=httpx2.MockTransport(handler)),
    )
    return OpenAIEmbedder(client, tokens, model=model, dimensions=3)


async def reason_of(embedder: OpenAIEmbedder) -> str:
    with pytest.raises(EmbeddingUnavailable) as caught:
        await embedder.embed_texts(["one", "two"])
    await embedder.aclose()
    printed = "".join(traceback.format_exception(caught.value))
    assert "secret" not in printed
    assert embedder.model in printed
    return str(caught.value.fields["reason"])


async def test_vectors_follow_the_index_and_have_unit_length(tokens: TokenCounter) -> None:
    embedder = embedder_for(Server(), tokens)
    embedded = await embedder.embed_texts(["a", "bbb", "cc"])
    assert [round(float(vector[0] / vector[1])) for vector in embedded] == [1, 3, 2]
    for vector in embedded:
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-6)


async def test_dimensions_are_sent_only_to_models_that_can_shorten(tokens: TokenCounter) -> None:
    server = Server()
    await embedder_for(server, tokens).embed_query("a")
    await embedder_for(server, tokens, model="nomic-embed-text").embed_query("a")
    assert server.requests[0]["model"] == "text-embedding-3-small"
    assert server.requests[0]["dimensions"] == 3
    assert server.requests[1]["model"] == "nomic-embed-text"
    assert "dimensions" not in server.requests[1]


async def test_many_texts_go_in_several_requests(tokens: TokenCounter) -> None:
    server = Server()
    texts = ["x" * (1 + number % 7) for number in range(2 * REQUEST_TEXTS + 1)]
    embedded = await embedder_for(server, tokens).embed_texts(texts)
    assert [len(request["input"]) for request in server.requests] == [128, 128, 1]
    assert [round(float(each[0] / each[1])) for each in embedded] == [len(text) for text in texts]


async def test_a_request_holds_bounded_tokens(tokens: TokenCounter) -> None:
    server = Server()
    await embedder_for(server, tokens).embed_texts([" word" * 9_000] * 20)
    for request in server.requests:
        counts = [tokens.count(text) for text in request["input"]]
        assert max(counts) <= TEXT_TOKENS
        assert sum(counts) <= REQUEST_TOKENS
    assert sum(len(request["input"]) for request in server.requests) == 20


async def test_no_text_is_no_request_and_an_empty_text_is_a_full_stop(tokens: TokenCounter) -> None:
    server = Server()
    embedder = embedder_for(server, tokens)
    assert await embedder.embed_texts([]) == []
    assert server.requests == []
    await embedder.embed_texts(["", " \n"])
    assert server.requests[0]["input"] == [".", "."]


async def test_a_long_query_is_cut(tokens: TokenCounter) -> None:
    server = Server()
    await embedder_for(server, tokens).embed_query("x" * 9_000)
    assert [len(text) for text in server.requests[0]["input"]] == [8_192]


NO_ANSWERS: list[tuple[object, str]] = [
    ([entry(0, [1, 0]), entry(1, [1, 0])], "2 dimensions, not 3"),
    ([entry(0, [1, 0, 0])], "1 vectors for 2 texts"),
    ([entry(0, [1, 0, 0]), entry(0, [1, 0, 0])], "not a list of vectors"),
    ([entry(0, [1, 0, 0]), entry(1, [1, 0])], "not a list of vectors"),
    ([entry(0, [1, 0, 0]), entry(1, [0, 0, 0])], "without a direction"),
    ([entry(0, [1, 0, 0]), entry(1, None)], "not a list of vectors"),
    ([{"embedding": [1, 0, 0]}, {"embedding": [1, 0, 0]}], "not a list of vectors"),
    ([], "0 vectors for 2 texts"),
]


async def test_an_answer_that_is_none(tokens: TokenCounter) -> None:
    async def said_of(entries: object) -> str:
        return await reason_of(embedder_for(lambda _: answer(entries), tokens))

    told = [(await said_of(entries), reason) for entries, reason in NO_ANSWERS]
    assert [(said, reason) for said, reason in told if reason not in said] == []


@pytest.mark.parametrize(
    ("status", "reason"),
    [(401, "refused the key"), (403, "refused the key"), (429, "429"), (400, "400"), (503, "503")],
)
async def test_a_refusal_never_repeats_the_key(
    status: int, reason: str, tokens: TokenCounter
) -> None:
    def refuse(request: httpx2.Request) -> httpx2.Response:
        message = f"Incorrect key {request.headers['authorization']}"
        return httpx2.Response(status, json={"error": {"message": message}})

    assert reason in await reason_of(embedder_for(refuse, tokens))


STATUSES = [
    (400, True), (413, True), (422, True), (401, False), (404, False), (429, False), (503, False),
]  # fmt: skip


async def test_it_is_told_whether_the_texts_can_be_at_fault(tokens: TokenCounter) -> None:
    async def is_refused(status: int) -> bool:
        with pytest.raises(EmbeddingUnavailable) as caught:
            await embedder_for(lambda _: httpx2.Response(status), tokens).embed_texts(["one"])
        return isinstance(caught.value, EmbeddingRefused)

    told = [(status, await is_refused(status), refused) for status, refused in STATUSES]
    assert [(status, got) for status, got, refused in told if got is not refused] == []


async def test_a_vector_without_a_direction_is_a_refusal(tokens: TokenCounter) -> None:
    embedder = embedder_for(lambda _: answer([entry(0, [0, 0, 0])]), tokens)
    with pytest.raises(EmbeddingRefused):
        await embedder.embed_texts(["one"])


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (httpx2.ConnectError(f"no route for {KEY}"), "cannot be reached"),
        (httpx2.ReadTimeout(f"slow {KEY}"), "too long"),
    ],
)
async def test_a_broken_line_is_said(error: Exception, reason: str, tokens: TokenCounter) -> None:
    def fail(_: httpx2.Request) -> httpx2.Response:
        raise error

    assert reason in await reason_of(embedder_for(fail, tokens))


@pytest.mark.parametrize("content_type", ["text/html", "application/json"])
async def test_a_page_is_no_answer(content_type: str, tokens: TokenCounter) -> None:
    def page(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, text="<html>", headers={"content-type": content_type})

    assert await reason_of(embedder_for(page, tokens))


async def test_a_passing_failure_is_retried_by_the_client(tokens: TokenCounter) -> None:
    server = Server()
    statuses = iter([503, 200])

    def fail_once(request: httpx2.Request) -> httpx2.Response:
        if next(statuses) == 503:
            return httpx2.Response(503, headers={"retry-after-ms": "1"})
        return server(request)

    await embedder_for(fail_once, tokens, retries=1).embed_texts(["a"])
    assert len(server.requests) == 1


async def test_a_query_is_asked_twice_at_most_and_nobody_waits_in_between(
    tokens: TokenCounter,
) -> None:
    asked: list[httpx2.Request] = []

    def fail(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(503, headers={"retry-after": "60"})

    async with asyncio.timeout(30):
        with pytest.raises(EmbeddingUnavailable):
            await embedder_for(fail, tokens, retries=2).embed_query("a")
    assert len(asked) == 2


async def test_each_try_is_given_the_embedders_timeout(tokens: TokenCounter) -> None:
    timeouts: list[dict[str, float]] = []
    server = Server()

    def note(request: httpx2.Request) -> httpx2.Response:
        timeouts.append(request.extensions["timeout"])
        return server(request)

    await embedder_for(note, tokens).embed_query("a")
    assert set(timeouts[0].values()) == {10.0}


async def test_closed_it_answers_no_more(tokens: TokenCounter) -> None:
    embedder = embedder_for(Server(), tokens)
    await embedder.aclose()
    with pytest.raises(EmbeddingUnavailable, match="closed"):
        await embedder.embed_query("a")
