"""Lets the product's reader hear every utterance. It needs no service and no model."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from agent.commands.command import Command
from agent.turn.heard import hear_commands
from eval.commands.figures import (
    Heard,
    by_command,
    by_language,
    command_figures,
    command_speed,
    failures_of,
)
from eval.commands.utterances import FOLDER, Utterance, load_utterances
from eval.measures import checks
from eval.measures.failures import Failures
from eval.report.report import Report
from memory.understanding import OfflineReader

Recogniser: TypeAlias = Callable[[str], Sequence[Command]]


class CommandsSet:
    """`recogniser` stands in for the product's own."""

    def __init__(self, folder: Path | None, recogniser: Recogniser | None = None) -> None:
        self._utterances = load_utterances(folder or FOLDER).utterances
        self._recognise = recogniser or partial(hear_commands, reader=OfflineReader())

    def measure(self) -> Report:
        """The figures over all, and over the part that may be read while developing and the part
        that is held back."""
        heard = [self._hear(each) for each in self._utterances]
        metrics = {
            **command_figures(heard),
            **command_speed(heard),
            "open": command_figures([each for each in heard if not each.utterance.held_back]),
            "held_back": command_figures([each for each in heard if each.utterance.held_back]),
            **by_language(heard),
        }
        return Report(
            dataset="commands",
            settings={"recogniser": "offline reader"},
            metrics=metrics,
            by_category=by_command(heard),
            checks=checks.check(metrics, checks.COMMANDS),
            failures=Failures.of(failures_of(heard)),
        )

    def _hear(self, utterance: Utterance) -> Heard:
        """Of several commands one that is wrong, if any."""
        began = time.perf_counter()
        commands = self._recognise(utterance.text)
        took = (time.perf_counter() - began) * 1000
        wrong = [each for each in commands if each.name != utterance.command]
        return Heard(utterance, next(iter([*wrong, *commands]), None), took)
