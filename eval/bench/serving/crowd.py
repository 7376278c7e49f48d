"""Many chats at once: each takes its next turn as soon as the last one is done."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx2

from eval.bench.serving.chat_client import ChatClient, Taken
from eval.measures.metrics import percentile
from eval.measures.summary import Figures

TEXTS = (
    "Which train do I take to the office?",
    "I had porridge with blueberries for breakfast today.",
    "What did I tell you about the boiler?",
    "My favourite tea is the smoky one from the corner shop.",
    "Where does my sister live now?",
)
LIMITS = httpx2.Limits(max_connections=None, max_keepalive_connections=None)


@dataclass
class Crowd:
    """`people` chats; between two turns each reads for `reading` seconds. They begin spread over
    such a time, since people who never heard of each other do not type in step."""

    url: str
    people: int
    reading: float = 0.0
    taken: list[Taken] = field(default_factory=list)

    async def chat_for(self, seconds: float) -> None:
        """Nobody begins a turn after `seconds`; those that have begun are finished."""
        until = time.perf_counter() + seconds
        async with (
            httpx2.AsyncClient(base_url=self.url, limits=LIMITS) as client,
            asyncio.TaskGroup() as group,
        ):
            for number in range(self.people):
                late = self.reading * number / self.people
                group.create_task(self._chat(ChatClient(client, f"bench-{number}"), until, late))

    async def _chat(self, client: ChatClient, until: float, late: float) -> None:
        number = 0
        await asyncio.sleep(late)
        while time.perf_counter() < until:
            self.taken.append(await client.take(TEXTS[number % len(TEXTS)]))
            number += 1
            await asyncio.sleep(self.reading)


def turn_figures(taken: Sequence[Taken], busy: dict[str, float]) -> Figures:
    """Milliseconds of whole turns, and of them what the model was not busy for: the own overhead.
    `ratio` is a turn's median beside the median of its model alone."""
    whole = [each for each in taken if each.fault is None]
    own = [(each.seconds - busy.get(each.mark, 0.0)) * 1000 for each in whole]
    turns = [each.seconds * 1000 for each in whole]
    model = [busy.get(each.mark, 0.0) * 1000 for each in whole]
    turn, alone = percentile(turns, 50), percentile(model, 50)
    return {
        "turns": len(taken),
        "errors": len(taken) - len(whole),
        "overhead_p50_ms": percentile(own, 50),
        "overhead_p95_ms": percentile(own, 95),
        "turn_p50_ms": turn,
        "model_p50_ms": alone,
        "ratio": turn / alone if turn is not None and alone else None,
    }


def faults_of(taken: Sequence[Taken]) -> dict[str, int]:
    """What went wrong, and how often."""
    return dict(Counter(each.fault for each in taken if each.fault is not None))
