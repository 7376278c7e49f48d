"""Hearing what is worth keeping in a message: by the offline reader, and by a model where one is
there. What either of them read is judged by the same policy (`memory.write.extraction`)."""

from __future__ import annotations

import asyncio

import structlog

from memory.counters import Counters
from memory.models import HeardAs
from memory.understanding import Message, Reader, Reading, SecondReader
from memory.write.candidates import Candidate, Said
from memory.write.extraction import MAX_CANDIDATES, Extraction, statements_in
from memory.write.surroundings import Surroundings

_log = structlog.get_logger(__name__)


class Hearing:
    """The words are read on threads, so that a reply that streams meanwhile goes on.

    The offline reader says what is worth asking a model about, reads what is too short and clear
    for one where `shortcut` allows it (003), and its reading stands where the `second_reader` gave
    an error or none within `timeout` seconds.
    """

    def __init__(
        self,
        reader: Reader,
        extraction: Extraction,
        surroundings: Surroundings,
        counters: Counters,
        *,
        second_reader: SecondReader | None = None,
        timeout: float = 60.0,
        shortcut: bool = True,
    ) -> None:
        self._reader = reader
        self._extraction = extraction
        self._surroundings = surroundings
        self._counters = counters
        self._second_reader = second_reader
        self._timeout = timeout
        self._shortcut = shortcut

    @property
    def longest(self) -> float:
        """How many seconds a model may take."""
        return self._timeout

    async def hear(self, user_id: str, space: str, said: Said) -> list[Candidate]:
        """What is to be kept of a message without secrets. Raises DatabaseUnavailable and
        Incognito."""
        reading = await asyncio.to_thread(self._read, said)
        match self._extraction.worth(said, reading):
            case "nothing":
                self._skipped("nothing to learn")
                return []
            case "preference" if self._shortcut:
                self._counters.extraction_shortcuts.inc()
                self._skipped("shortcut")
            case _ if any(each.leaves_out for each in reading.segments):
                self._skipped("something is left out")
            case _ if self._second_reader is not None:
                reading = await self._read_again(self._second_reader, user_id, space, said, reading)
        return await asyncio.to_thread(self._candidates, said, reading)

    def _read(self, said: Said) -> Reading:
        return said.reading or self._reader.read(Message(said.text, said.said_at, said.role))

    def _candidates(self, said: Said, reading: Reading) -> list[Candidate]:
        """Of each statement by itself, so that it is known as what it was heard; each wording
        once."""
        found: dict[str, Candidate] = {}
        for statement in statements_in(reading.segments):
            heard = HeardAs.of(statement.first)
            for each in self._extraction.candidates(said, Reading(statement.segments)):
                told = each.model_copy(update={"heard": heard})
                found.setdefault(each.content.casefold(), told)
        return list(found.values())[:MAX_CANDIDATES]

    async def _read_again(
        self, reader: SecondReader, user_id: str, space: str, said: Said, first: Reading
    ) -> Reading:
        kept = await asyncio.to_thread(self._extraction.candidates, said, first)
        contents = [each.content for each in kept]
        message = await self._surroundings.around(user_id, space, said, contents)
        try:
            async with asyncio.timeout(self._timeout):
                return await reader.read_again(message, first)
        except Exception as error:  # whatever a model does, nothing is lost
            self._counters.extraction_failures.inc()
            _log.warning("read_offline", reason=type(error).__name__)
            return first

    def _skipped(self, reason: str) -> None:
        self._counters.model_calls_skipped.inc()
        _log.info("llm_call_skipped", reason=reason)
