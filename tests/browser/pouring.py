"""A model whose replies come in pieces, which the test lets go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from agents.items import TResponseStreamEvent
from agents.testing import ModelCall, ModelStep, ScriptedModel

from tests.agent.scripts import delta
from tests.app.streaming import completed


class Pouring:
    """Each reply is a sequence of pieces. The first piece comes at once, the others when `go_on`
    was called, which then holds for later replies too."""

    def __init__(self, *replies: tuple[str, ...]) -> None:
        self._may_go_on = asyncio.Event()
        self.model = ScriptedModel([self._step(reply) for reply in replies])

    def go_on(self) -> None:
        self._may_go_on.set()

    def _step(self, pieces: tuple[str, ...]) -> ModelStep:
        async def pour(_: ModelCall) -> AsyncIterator[TResponseStreamEvent]:
            for number, piece in enumerate(pieces):
                if number:
                    await self._may_go_on.wait()
                yield delta(piece, number)
            yield completed("".join(pieces))

        return ModelStep.stream(pour)
