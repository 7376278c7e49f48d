"""The error guards of a program, put together (003, phase 6)."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable

from memory.cache import Cache
from memory.counters import Counters
from memory.guard import Dependency, Guard, Guards, Limits, SharedCircuits
from memory.models import EmbeddingModel
from memory.settings import LOCAL_MODEL, OPENAI_URL, Settings

# A person who waits for an answer, and may just have mended it, does not wait for five minutes.
MODEL_COOLDOWN = 15.0
# Of the time that its callers wait: what is broken off after that much was not answered in time.
_OF_THE_TIMEOUT = 0.9


def make_guards(
    settings: Settings, embedding: EmbeddingModel, cache: Cache, counters: Counters
) -> Guards:
    """None of them where the settings say so. Extraction is broken off at three quarters of the
    time for learning, see `memory.assembly.writing`. The local embedding model may be slow while
    the machine has other things to do, and is not away for that."""
    if not settings.error_guard:
        return Guards(cache=cache)
    is_local = embedding.name == LOCAL_MODEL
    waits: dict[Dependency, tuple[str, float]] = {
        "model": (settings.openai_model, settings.openai_timeout_seconds),
        "embedder": (embedding.name, math.inf if is_local else settings.embedding_timeout_seconds),
        "extraction": (settings.openai_model, settings.learn_timeout_seconds * 0.75),
    }
    made: dict[Dependency, Guard] = {}
    for dependency, (model, seconds) in waits.items():
        limits = _limits(settings, dependency)
        made[dependency] = Guard(
            dependency,
            limits,
            counters,
            shared=SharedCircuits(cache, limits),
            name=f"{dependency}:{_target(settings, model)}",
            patience=seconds * _OF_THE_TIMEOUT,
        )
    return Guards(made, cache)


def _limits(settings: Settings, dependency: Dependency) -> Limits:
    cooldown = settings.error_guard_cooldown_seconds
    return Limits(
        settings.error_guard_threshold,
        settings.error_guard_window_seconds,
        min(cooldown, MODEL_COOLDOWN) if dependency == "model" else cooldown,
    )


def redis_counted(counters: Counters) -> Callable[[bool], None]:
    """Counts the outages of Redis as activations of a guard: the cache leaves it alone by
    itself."""

    def note(away: bool) -> None:
        if away:
            counters.guard_activations.labels("redis").inc()
        counters.guard_open.labels("redis").set(away)

    return note


def _target(settings: Settings, model: str) -> str:
    """A short digest of server, key and model: whoever corrects one of them is not kept waiting
    for the failures of the other."""
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
    named = "\0".join((settings.openai_base_url or OPENAI_URL, key, model))
    return hashlib.sha256(named.encode()).hexdigest()[:16]
