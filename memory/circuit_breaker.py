"""Circuit breakers: what keeps failing is left alone for a while (003, phase 6;
docs/decisions/0016-what-keeps-failing-is-left-alone.md)."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Literal

import structlog

from memory.cache import Cache
from memory.config import LOCAL_MODEL, Settings
from memory.errors import CircuitOpen
from memory.metrics import MemoryMetrics
from memory.types import EmbeddingModel

# So long nobody else tries while one call finds out whether the dependency is back.
PROBE_SECONDS = 60.0
CircuitState = Literal["closed", "open", "half_open"]
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class BreakerLimits:
    """`threshold` failures within `window` seconds open the circuit, for `cooldown` seconds
    (003: 5, 600 and 300)."""

    threshold: int = 5
    window: float = 600.0
    cooldown: float = 300.0


@dataclass(frozen=True)
class Circuit:
    """When the last failures were, when it was opened and when it was last tried since; in
    seconds of one clock.

    An answer takes one failure back, so that on a busy server a call that fails now and then
    switches nothing off: those that fail have to outnumber the others by the threshold.
    """

    failures: tuple[float, ...] = ()
    opened_at: float | None = None
    probed_at: float | None = None

    def state(self, now: float, limits: BreakerLimits) -> CircuitState:
        if self.opened_at is None:
            return "closed"
        return "open" if now - self.opened_at < limits.cooldown else "half_open"

    def asked(self, now: float, limits: BreakerLimits) -> Circuit:
        """Somebody wants to call: the first of them after the cooldown tries, see `lets`."""
        return replace(self, probed_at=now) if self._may_probe(now, limits) else self

    def lets(self, now: float, limits: BreakerLimits) -> bool:
        """Whether a call that comes now is made: while it is closed each, while it is open none,
        afterwards one at a time."""
        return self.state(now, limits) == "closed" or self._may_probe(now, limits)

    def failed(self, now: float, limits: BreakerLimits) -> Circuit:
        """A call failed. One that began before it was opened changes nothing any more; the one
        that tries whether the dependency is back begins the cooldown anew."""
        match self.state(now, limits):
            case "open":
                return self
            case "half_open":
                return Circuit(opened_at=now)
        recent = tuple(each for each in self.failures if now - each < limits.window)
        failures = (*recent, now)
        if len(failures) >= limits.threshold:
            return Circuit(opened_at=now)
        return Circuit(failures)

    def answered(self, now: float, limits: BreakerLimits) -> Circuit:
        """A call was answered, which closes it after the cooldown."""
        match self.state(now, limits):
            case "open":
                return self
            case "half_open":
                return Circuit()
        return Circuit(self.failures[1:])

    def released(self) -> Circuit:
        """The call that tried was broken off, and nothing is known: another one may try."""
        return replace(self, probed_at=None)

    def seconds_left(self, now: float, limits: BreakerLimits) -> float:
        """Until it is tried again; 0 where it is closed, or may be tried now."""
        if self.opened_at is None:
            return 0.0
        return max(limits.cooldown - (now - self.opened_at), 0.0)

    def _may_probe(self, now: float, limits: BreakerLimits) -> bool:
        if self.state(now, limits) != "half_open":
            return False
        return self.probed_at is None or now - self.probed_at >= PROBE_SECONDS


class ProtectedCall:
    """One call behind a circuit breaker; `tries` says that it finds out whether the dependency is
    back."""

    def __init__(self, tries: bool, clock: Callable[[], float]) -> None:
        self.tries = tries
        self._clock = clock
        self.last_activity_at = clock()

    def heard(self) -> None:
        """A part of the answer came."""
        self.last_activity_at = self._clock()


class CircuitBreaker:
    """Stands before one dependency: lets calls through, or says at once that it is left alone.
    Each process finds out for itself. `patience` is how long a call may take before its being
    broken off counts as a failure, in seconds."""

    def __init__(
        self,
        dependency: str,
        limits: BreakerLimits,
        counters: MemoryMetrics,
        *,
        patience: float = 3.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.dependency = dependency
        self._limits = limits
        self._counters = counters
        self._patience = patience
        self._clock = clock
        self._circuit = Circuit()
        counters.guard_open.labels(dependency).set_function(self._shown)

    @property
    def is_open(self) -> bool:
        """Whether calls are refused, or only one at a time is made."""
        return self._circuit.opened_at is not None

    @asynccontextmanager
    async def watch(self, counts: Callable[[Exception], bool]) -> AsyncIterator[ProtectedCall]:
        """Around one call. Raises CircuitOpen where it is not to be made; an error of it that
        `counts` is a failure, and any other says nothing. A call that is broken off is one where
        nothing was heard of it for longer than the patience."""
        call = ProtectedCall(await self.enter(), self._clock)
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
        """Whether the call is the one that tries. Raises CircuitOpen."""
        now = self._clock()
        if not self._circuit.lets(now, self._limits):
            self._refuse(now)
        self._become(self._circuit.asked(now, self._limits))
        return self.is_open

    async def failed(self) -> None:
        self._become(self._circuit.failed(self._clock(), self._limits))

    async def answered(self) -> None:
        self._become(self._circuit.answered(self._clock(), self._limits))

    async def _ended_badly(self, call: ProtectedCall, is_failure: bool) -> None:
        if is_failure:
            await self.failed()
        elif call.tries:
            self._become(self._circuit.released())

    def _broken_off(self, call: ProtectedCall) -> None:
        """Nothing waits here, so that a cancellation does not either."""
        now = self._clock()
        if now - call.last_activity_at >= self._patience:
            self._become(self._circuit.failed(now, self._limits))
        elif call.tries:
            self._become(self._circuit.released())

    def _become(self, circuit: Circuit) -> None:
        was_open, self._circuit = self.is_open, circuit
        if self.is_open and not was_open:
            self._counters.guard_activations.labels(self.dependency).inc()
            _log.warning(
                "error_guard_opened",
                dependency=self.dependency,
                failures=self._limits.threshold,
                seconds=self._limits.window,
            )
        elif was_open and not self.is_open:
            _log.warning("error_guard_closed", dependency=self.dependency)

    def _shown(self) -> float:
        """For the metrics: 1 while it is open, but not forever where nobody calls any more."""
        opened, limits = self._circuit.opened_at, self._limits
        if opened is None:
            return 0.0
        return float(self._clock() - opened < max(limits.window, limits.cooldown))

    def _refuse(self, now: float) -> None:
        left = self._circuit.seconds_left(now, self._limits)
        raise CircuitOpen(dependency=self.dependency, seconds=max(math.ceil(left), 1))


Dependency = Literal["model", "embedder", "extraction", "redis"]


class CircuitBreakers:
    """The circuit breakers of a program. Redis has a breaker of its own, in `memory.cache`, which
    leaves it alone for a second after each failure; without the cache nothing is said of it."""

    def __init__(
        self, guards: Mapping[Dependency, CircuitBreaker] | None = None, cache: Cache | None = None
    ) -> None:
        self._guards = dict(guards or {})
        self._cache = cache

    def of(self, dependency: Dependency) -> CircuitBreaker | None:
        """None where the circuit breakers are switched off."""
        return self._guards.get(dependency)

    def open(self) -> frozenset[Dependency]:
        """What is left alone at this moment."""
        found: set[Dependency] = {name for name, guard in self._guards.items() if guard.is_open}
        if self._cache is not None and self._cache.is_away:
            found.add("redis")
        return frozenset(found)


# A person who waits for an answer, and may just have mended it, does not wait for five minutes.
MODEL_COOLDOWN = 15.0
# Of the time that its callers wait: what is broken off after that much was not answered in time.
_TIMEOUT_SHARE = 0.9


def make_circuit_breakers(
    settings: Settings, embedding: EmbeddingModel, cache: Cache, counters: MemoryMetrics
) -> CircuitBreakers:
    """None of them where the settings say so. Extraction is broken off at three quarters of the
    time for learning, see `memory.factory`. The local embedding model may be slow while
    the machine has other things to do, and is not away for that."""
    if not settings.error_guard:
        return CircuitBreakers(cache=cache)
    is_local = embedding.name == LOCAL_MODEL
    waits: dict[Dependency, float] = {
        "model": settings.openai_timeout_seconds,
        "embedder": math.inf if is_local else settings.embedding_timeout_seconds,
        "extraction": settings.learn_timeout_seconds * 0.75,
    }
    made = {
        dependency: CircuitBreaker(
            dependency,
            _limits_of(settings, dependency),
            counters,
            patience=seconds * _TIMEOUT_SHARE,
        )
        for dependency, seconds in waits.items()
    }
    return CircuitBreakers(made, cache)


def _limits_of(settings: Settings, dependency: Dependency) -> BreakerLimits:
    cooldown = settings.error_guard_cooldown_seconds
    return BreakerLimits(
        settings.error_guard_threshold,
        settings.error_guard_window_seconds,
        min(cooldown, MODEL_COOLDOWN) if dependency == "model" else cooldown,
    )


def count_redis_outages(counters: MemoryMetrics) -> Callable[[bool], None]:
    """Counts the outages of Redis as activations of a breaker: the cache leaves it alone by
    itself."""

    def note(away: bool) -> None:
        if away:
            counters.guard_activations.labels("redis").inc()
        counters.guard_open.labels("redis").set(away)

    return note
