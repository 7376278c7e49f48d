"""What reads a text costs no more than its length: one message must not stop everybody.

Every public function that is given words of a user is found by looking, and read strings that were
pumped up in each way that makes a pattern try again: at four times the length it may take four
times as long, not sixteen.
"""

from __future__ import annotations

import inspect
import pkgutil
import time
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from typing import Any, Literal

import pytest

import agent
import memory
from memory.errors import KeepsakeError
from memory.understanding import Reading
from memory.understanding.encoder import Encoder, load_encoder

SHORT, TIMES = 1_000, 4
# Processor time, in seconds. What takes less at the longer length is not looked at further.
SLOW = 0.03
# How many times as long the longer one may take: linear is TIMES, quadratic 16.
MOST_TIMES = 9.0

# (what stands before, what is repeated, what ends it)
PUMPS = {
    "spaces": ("I own a boat, ", " ", " x."),
    "no-break spaces": ("I own a boat", "\u00a0", "x."),
    "lines": ("I own a boat", "\n", "x."),
    "full stops": ("I am", ".", "x"),
    "commas": ("yes", ", ", "x"),
    "semicolons": ("x", ";", "x"),
    "quotes": ("I say ", '"', "x"),
    "opened": ("I say ", "“", "x"),
    "one word": ("", "a", "!"),
    "initials": ("", "A. ", ""),
    "digits": ("", "1 ", "!"),
    "and": ("I own ", "and ", "x."),
    "the": ("", "the ", "end"),
    "from": ("", "from ", "to x"),
    "password": ("", "password is ", ""),
    "because": ("forget it", " because", ""),
    "forget": ("", "please forget that ", ""),
    "dates": ("", "last Monday and on 3 May 2024 ", ""),
    "steps": ("", "Step 1: do it\n", ""),
    "sentences": ("", "I prefer tea, and my sister Maria lives in Oslo. ", ""),
}

# A parameter that is a string is called so where it holds what somebody said or wrote ...
TEXTS = {
    *("asked", "before", "clause", "content", "digits", "first", "line", "memory", "message"),
    *("newer", "normalised", "old", "older", "new", "one", "other", "plain", "predicate"),
    *("query", "question", "reply", "rest", "said", "second", "sentence", "spoken", "summary"),
    *("text", "token", "value", "wish", "word", "words"),
}
# ... and so where it is a name or what the program itself wrote.
NO_TEXTS = {
    *(
        "bank",
        "category",
        "default",
        "embedding_model",
        "model",
        "name",
        "prompt",
        "season",
        "space",
    ),
    "unit",
}
# Rooms whose texts are files, settings and rows, and none of a user.
OTHERS = (
    *("memory.settings", "memory.embedded", "memory.database", "memory.guard", "memory.cache"),
    *("memory.prices", "memory.package_file", "memory.error_sentence"),
    *("memory.spans", "memory.assembly", "memory.store", "memory.dates.words"),
)
# They take what the others make of a text, or words that a pattern has matched.
WITH_MORE = {
    *("agent.commands.understand.understand", "memory.controls.editing.wording_of"),
    *("agent.commands.changing.asked_for", "memory.write.rests.rest_of"),
    *("memory.recall.messages.evidence.weigh", "memory.recall.messages.showing.shown"),
    *("memory.recall.names.oneself.asks_of_oneself", "memory.recall.search.weighing.weigh"),
    *("memory.recall.time.fitting.fit_of", "memory.recall.time.phrases.phrase_of"),
    *("memory.recall.time.rest.without_time", "memory.recall.timing.searched_words"),
    *("memory.secrets.scanning.scan", "memory.controls.finding.words_in"),
    *("memory.dates.relative.step_of", "memory.recall.time.phrases.joined"),
    "memory.understanding.heads.yes",
    *("agent.turn.heard.hear_commands", "memory.understanding.heads.shares_of"),
}
_SIMPLE = (datetime, Encoder, Reading, int, float, bool)
_MANY = (Sequence, Iterable, Collection, list, tuple, frozenset, set, Literal)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
_GIVEN = {datetime: NOW, Reading: Reading(), Encoder: load_encoder()}


@cache
def functions() -> dict[str, Callable[..., object]]:
    """By their full names: the public ones that take a string and wait for nothing."""
    found: dict[str, Callable[..., object]] = {}
    for package in (memory, agent):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if info.name.startswith(OTHERS):
                continue
            for name, made in list(vars(import_module(info.name)).items()):
                here = inspect.isfunction(made) and made.__module__ == info.name
                waits = inspect.iscoroutinefunction(made) or inspect.isasyncgenfunction(made)
                if here and not name.startswith("_") and not waits:
                    found[f"{info.name}.{name}"] = made
    return {name: each for name, each in found.items() if strings_of(each)}


@cache
def hints_of(function: Callable[..., object]) -> dict[str, Any]:
    return typing.get_type_hints(function)


def strings_of(function: Callable[..., object]) -> list[str]:
    """Its parameters that are strings, in their order."""
    hints = hints_of(function)
    return [name for name in inspect.signature(function).parameters if hints.get(name) is str]


def readers() -> list[str]:
    return [name for name, each in functions().items() if TEXTS & set(strings_of(each))]


def takes_more(function: Callable[..., object]) -> bool:
    """Whether it is given anything but words, moments, numbers and rows of something."""
    hints = hints_of(function)
    needed = [
        hints[name]
        for name, each in inspect.signature(function).parameters.items()
        if each.default is inspect.Parameter.empty and hints[name] is not str
    ]
    return any(
        kind not in _SIMPLE
        and typing.get_origin(kind) not in _MANY
        and type(None) not in typing.get_args(kind)
        for kind in needed
    )


def arguments(function: Callable[..., object], text: str) -> dict[str, object]:
    """The text for each parameter that holds one, nearly the same for the second, and something
    plain for the others."""
    given: dict[str, object] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        kind = hints_of(function).get(name)
        if kind is str:
            told = f"Well, {text}" if text in given.values() else text
            given[name] = told if name in TEXTS else "default"
        elif parameter.default is inspect.Parameter.empty:
            given[name] = _something(name, kind, text)
    return given


def _something(name: str, kind: Any, text: str) -> object:
    if kind in _GIVEN:
        return _GIVEN[kind]
    if kind in (int, float, bool):
        return kind(len(text) // 2 if name == "end" else 0)
    if typing.get_origin(kind) is Literal:
        return typing.get_args(kind)[0]
    if name in ("memories", "contents"):
        return [text, "I live in Oslo"]
    return None if type(None) in typing.get_args(kind) else ()


def seconds(function: Callable[..., object], text: str) -> float:
    given = arguments(function, text)
    began = time.thread_time()
    try:
        result = function(**given)
        if isinstance(result, Iterator):
            list(result)
    except KeepsakeError:  # it says no, which took its time too
        pass
    return time.thread_time() - began


def test_every_function_that_reads_is_known() -> None:
    unknown = {
        f"{name}({each})"
        for name, function in functions().items()
        for each in strings_of(function)
        if each not in TEXTS | NO_TEXTS
    }
    assert not unknown, "say of each whether it holds words of a user"
    assert {name for name in readers() if takes_more(functions()[name])} <= WITH_MORE


def _named(name: str) -> object:
    slow = Encoder in hints_of(functions()[name]).values()
    return pytest.param(name, marks=[pytest.mark.model] if slow else [])


@pytest.mark.parametrize("name", [_named(name) for name in readers() if name not in WITH_MORE])
def test_reading_costs_no_more_than_the_length(name: str) -> None:
    function = functions()[name]
    seconds(function, "I live in Oslo.")  # patterns are made when they are first used
    slow = {pump: each for pump in PUMPS if (each := compared(function, pump))}
    assert not slow


def compared(function: Callable[..., object], pump: str) -> str | None:
    """Both times where the longer text takes too long for its length."""
    if took(function, pump, SHORT * TIMES, tries=1) < SLOW:
        return None
    short, long = (took(function, pump, length, tries=3) for length in (SHORT, SHORT * TIMES))
    if long < max(SLOW, MOST_TIMES * short):
        return None
    return f"{short * 1000:.0f} ms, and {long * 1000:.0f} ms for {TIMES} times the length"


def took(function: Callable[..., object], pump: str, length: int, *, tries: int) -> float:
    before, again, after = PUMPS[pump]
    text = f"{before}{again * (length // len(again))}{after}"
    return min(seconds(function, text) for _ in range(tries))
