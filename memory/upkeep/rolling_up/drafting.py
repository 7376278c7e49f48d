"""From a cluster to the words of the one memory that takes its place."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import structlog

from memory.secrets import find_secrets
from memory.store.upkeep.roll_ups import Source
from memory.understanding.relations import relations_of
from memory.upkeep.rolling_up.checking import fault_of
from memory.upkeep.rolling_up.clustering import Cluster
from memory.upkeep.rolling_up.summariser import Summariser
from memory.upkeep.rolling_up.wording import agree, dated_content, joined
from memory.write.novelty import Relate

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Draft:
    """The words of a roll-up, the sources they tell of, and the older memories that go with them:
    each with the source that says otherwise."""

    content: str
    sources: Cluster
    replaced: tuple[tuple[Source, Source], ...] = ()

    @property
    def taken_out(self) -> Cluster:
        """All that is in recall no longer once the roll-up is."""
        return (*self.sources, *(older for older, _ in self.replaced))


def draft_of(cluster: Cluster, least: int, relate: Relate = relations_of) -> Draft | None:
    """By extraction; None where fewer than `least` are left to put together, or where what comes of
    it holds a secret. A memory that holds one stays by itself. `relate` is `relations_of`,
    or what answers the same."""
    if len(cluster) < least:
        return None
    agreed = agree(tuple(each for each in cluster if not find_secrets(each.content)), relate)
    content, sources = joined(agreed.told)
    if len(sources) < least or find_secrets(content):
        return None
    return Draft(content, sources, tuple(pair for pair in agreed.replaced if pair[1] in sources))


class Wording:
    """Asks the summariser for better words, where there is one: it is told the sources as data,
    and what it says is taken only where it says the same; see `fault_of`."""

    def __init__(self, summariser: Summariser | None, *, timeout: float) -> None:
        self._summariser = summariser
        self._timeout = timeout

    async def improve(self, draft: Draft) -> Draft:
        """The draft in the summariser's words; as it is where they are none."""
        if self._summariser is None:
            return draft
        contents = [dated_content(source) for source in draft.sources]
        try:
            async with asyncio.timeout(self._timeout):
                said = (await self._summariser.summarise(contents)).strip()
        except Exception as error:  # whatever a model raises, the sentences are there
            _log.warning("no_summary", reason=type(error).__name__)
            return draft
        if fault := await asyncio.to_thread(fault_of, said, contents):
            _log.warning("summary_not_taken", reason=fault)
            return draft
        return replace(draft, content=said)
