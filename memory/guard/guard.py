"""Stands before one dependency: lets calls through, or says at once that it is left alone."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import structlog

from memory.counters import Counters
from memory.errors import LeftAlone
from memory.guard.circuit import Circuit, Limits
from memory.guard.shared import Change, SharedCircuits

# So old may be what this process knows of the others while it lets calls through.
REFRESH_SECONDS = 1.0
_log = structlog.get_logger(__name__)


class Call:
    """One call behind a guard; `tries` says that it finds out whether the dependency is back."""

    def __init__(self, tries: bool, clock: Callable[[], float]) -> None:
        self.tries = tries
        self._clock = clock
        self.heard_at = clock()

    def heard(self) -> None:
        """A part of the answer came."""
        self.heard_at = self._clock()


class Guard:
    """`name` is what the processes share it under, `dependency` what people call it. Without
    `shared` each process finds out for itself. `clock` gives seconds of a clock that all of them
    share, and that may be set back; `patience` is how long a call may take before its being broken
    off counts as a failure, in seconds."""

    def __init__(
        self,
        dependency: str,
        limits: Limits,
        counters: Counters,
        *,
        shared: SharedCircuits | None = None,
        name: str | None = None,
        patience: float = 3.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.dependency = dependency
        self._name = name or dependency
        self._limits = limits
        self._counters = counters
        self._shared = shared
        self._patience = patience
        self._clock = clock
        self._circuit = Circuit()
        self._read_at = -math.inf
        self._untold: list[Change] = []
        counters.guard_open.labels(dependency).set_function(self._shown)

    @property
    def is_open(self) -> bool:
        """Whether calls are refused, or only one at a time is made, as far as this process
        knows."""
        return self._circuit.opened_at is not None

    @asynccontextmanager
    async def watch(self, counts: Callable[[Exception], bool]) -> AsyncIterator[Call]:
        """Around one call. Raises LeftAlone where it is not to be made; an error of it that
        `counts` is a failure, and any other says nothing. A call that is broken off is one where
        nothing was heard of it for longer than the patience."""
        call = Call(await self.enter(), self._clock)
        try:
            yield call
        except Exception as error:
            await self._ended_badly(call, counts(error))
            raise
        except BaseException:  # cancelled, or a stream that nobody reads any more
            self._broken_off(call)
            raise
        await self.answered()

    async def enter(self) -> bool:
        """Whether the call is the one that tries. Raises LeftAlone."""
        now = self._clock()
        if self._is_known(now) and self._circuit.opened_at is None:
            return False
        if self._is_known(now) and not self._circuit.lets(now, self._limits):
            self._refuse(now)
        before, _ = await self._change(lambda circuit: circuit.asked(now, self._limits))
        if not before.lets(now, self._limits):
            self._refuse(now)
        return before.opened_at is not None

    async def refresh(self) -> None:
        """Reads what the processes know together, which another one may have changed."""
        await self._change(lambda circuit: circuit)

    async def failed(self) -> None:
        now = self._clock()
        await self._change(lambda circuit: circuit.failed(now, self._limits))

    async def answered(self) -> None:
        """Costs nothing while nothing fails."""
        if self._circuit == Circuit() and not self._untold:
            return
        now = self._clock()
        await self._change(lambda circuit: circuit.answered(now, self._limits))

    async def _ended_badly(self, call: Call, is_failure: bool) -> None:
        if is_failure:
            await self.failed()
        elif call.tries:
            await self._change(Circuit.released)

    def _broken_off(self, call: Call) -> None:
        """Nothing waits here, so that a cancellation does not either: what there is to tell is told
        with the next call."""
        now = self._clock()
        if now - call.heard_at >= self._patience:
            self._untold.append(lambda circuit: circuit.failed(now, self._limits))
        elif call.tries:
            self._untold.append(Circuit.released)
        self._read_at = -math.inf

    def _is_known(self, now: float) -> bool:
        return 0 <= now - self._read_at < REFRESH_SECONDS

    async def _change(self, change: Change) -> tuple[Circuit, Circuit]:
        """The circuit before and after; what was not told yet is told before."""
        untold, self._untold = self._untold, []
        now = self._clock()

        def told(circuit: Circuit) -> Circuit:
            circuit = circuit.as_of(now)
            for each in untold:
                circuit = each(circuit)
            return circuit

        def whole(circuit: Circuit) -> Circuit:
            return change(told(circuit))

        if self._shared is None:
            before, after = self._circuit, whole(self._circuit)
        else:
            before, after = await self._shared.change(self._name, whole, self._circuit)
        self._read_at = self._clock()
        self._note(before, after)
        self._circuit = after
        return told(before), after

    def _note(self, before: Circuit, after: Circuit) -> None:
        opened = before.opened_at is None and after.opened_at is not None
        if opened:
            self._counters.guard_activations.labels(self.dependency).inc()
            _log.warning(
                "error_guard_opened",
                dependency=self.dependency,
                failures=self._limits.threshold,
                seconds=self._limits.window,
            )
        elif before.opened_at is not None and after.opened_at is None:
            _log.warning("error_guard_closed", dependency=self.dependency)

    def _shown(self) -> float:
        """For the metrics: 1 while it is open, but not forever where nobody calls any more."""
        opened, limits = self._circuit.opened_at, self._limits
        if opened is None:
            return 0.0
        return float(self._clock() - opened < max(limits.window, limits.cooldown))

    def _refuse(self, now: float) -> None:
        left = self._circuit.seconds_left(now, self._limits)
        raise LeftAlone(dependency=self.dependency, seconds=max(math.ceil(left), 1))
