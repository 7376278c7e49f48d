"""What slow readers do to a recall of somebody else: the same searches without them and with
them."""

from __future__ import annotations

import time
from collections.abc import Sequence

import httpx2

from eval.bench.serving.program import USER_HEADER
from eval.bench.serving.slow_readers import slow_readers
from eval.measures.metrics import percentile
from eval.measures.summary import Figures

TIMEOUT = 30.0


async def starving_figures(
    url: str, user_id: str, questions: Sequence[str], readers: int
) -> Figures:
    """Milliseconds of POST /v1/memory/search, alone and beside `readers` slow clients; `ratio` is
    the second 95th percentile divided by the first. `readers_served` counts those that got
    something to read."""
    async with httpx2.AsyncClient(base_url=url, timeout=TIMEOUT) as client:
        await _ask(client, user_id, questions[:20])
        alone, _ = await _ask(client, user_id, questions)
        async with slow_readers(url, readers) as got:
            beside, failed = await _ask(client, user_id, questions)
            served = sum(1 for each in got if each)
    before, during = percentile(alone, 95), percentile(beside, 95)
    return {
        "recall_alone_p50_ms": percentile(alone, 50),
        "recall_alone_p95_ms": before,
        "recall_beside_p50_ms": percentile(beside, 50),
        "recall_beside_p95_ms": during,
        "recall_ratio": during / before if before and during else None,
        "recalls_failed": failed,
        "readers_served": served,
    }


async def _ask(
    client: httpx2.AsyncClient, user_id: str, questions: Sequence[str]
) -> tuple[list[float], int]:
    took, failed = [], 0
    for question in questions:
        began = time.perf_counter()
        answer = await client.post(
            "/v1/memory/search", json={"query": question}, headers={USER_HEADER: user_id}
        )
        took.append((time.perf_counter() - began) * 1000)
        failed += not answer.is_success or bool(answer.json().get("error"))
    return took, failed
