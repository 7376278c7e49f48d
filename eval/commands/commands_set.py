"""Lets the product's recogniser hear every utterance. It needs no service and no model."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from agent.commands.command import Command
from agent.turn.heard import command_in
from eval.commands.figures import (
    Heard,
    by_command,
    command_figures,
    command_speed,
    failures_of,
)
from eval.commands.utterances import FOLDER, Utterance, load_utterances
from eval.measures import checks
from eval.measures.failures import Failures
from eval.report.report import Report
from memory.clock import local_clock
from memory.text import readable
from memory.understanding import Message, OfflineReader, Reader

Recogniser: TypeAlias = Callable[[str], Command | None]


class CommandsSet:
    """`recogniser` stands in for the product's own."""

    def __init__(self, folder: Path | None, recogniser: Recogniser | None = None) -> None:
        self._utterances = load_utterances(folder or FOLDER).utterances
        self._recognise = recogniser or _as_a_turn_hears(OfflineReader())

    def measure(self) -> Report:
        """The figures over all, and over the part that may be read while developing and the part
        that is held back."""
        heard = [self._hear(each) for each in self._utterances]
        metrics = {
            **command_figures(heard),
            **command_speed(heard),
            "open": command_figures([each for each in heard if not each.utterance.held_back]),
            "held_back": command_figures([each for each in heard if each.utterance.held_back]),
        }
        return Report(
            dataset="commands",
            settings={"recogniser": "plain words"},
            metrics=metrics,
            by_category=by_command(heard),
            checks=checks.check(metrics, checks.COMMANDS),
            failures=Failures.of(failures_of(heard)),
        )

    def _hear(self, utterance: Utterance) -> Heard:
        began = time.perf_counter()
        command = self._recognise(utterance.text)
        return Heard(utterance, command, (time.perf_counter() - began) * 1000)


def _as_a_turn_hears(reader: Reader) -> Recogniser:
    def hear(text: str) -> Command | None:
        return command_in(readable(text), reader.read(Message(text, local_clock())))

    return hear
