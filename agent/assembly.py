"""Puts the assistant together from the settings."""

from __future__ import annotations

from agents import Model
from opentelemetry.trace import NoOpTracer, Tracer

from agent.assistant import Assistant
from agent.models.model import model_settings
from agent.turn.opening import AssistantSettings
from memory.cache import Cache, SessionCache
from memory.counters import Counters
from memory.guard import Guards
from memory.service import Memory
from memory.settings import Settings
from memory.understanding import OfflineReader


def make_assistant(
    model: Model,
    settings: Settings,
    memory: Memory,
    cache: Cache,
    guards: Guards | None = None,
    *,
    counters: Counters | None = None,
    tracer: Tracer | None = None,
) -> Assistant:
    """The assistant with the limits of the settings, over that memory; it says what of the
    `guards` is open."""
    return Assistant(
        model=model,
        model_settings=model_settings(settings),
        memory=memory,
        reader=OfflineReader(),
        cache=SessionCache(cache),
        settings=AssistantSettings(
            max_results=settings.max_results,
            min_relevance=settings.min_relevance,
            token_budget=settings.token_budget,
            history_messages=settings.history_messages,
            learn_roles=settings.learn_roles,
            learn_timeout=settings.learn_timeout_seconds,
        ),
        guards=guards or Guards(),
        counters=counters or Counters(),
        tracer=tracer or NoOpTracer(),
    )
