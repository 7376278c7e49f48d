"""From what was recognised to figures. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.commands.command import Command
from eval.commands.utterances import WITH_OBJECT, Utterance, core
from eval.measures.bootstrap import ratio, with_interval
from eval.measures.failures import Failure
from eval.measures.metrics import percentile
from eval.measures.summary import Figures

TRAP = "trap"
# What they do is asked about first, or cannot be had back.
DESTRUCTIVE = frozenset({"forget", "erase_me", "do_not_remember"})


@dataclass(frozen=True)
class Heard:
    """An utterance and what was made of it. A wrong name is a command that was missed and another
    that was invented."""

    utterance: Utterance
    command: Command | None
    latency_ms: float

    @property
    def name(self) -> str | None:
        return None if self.command is None else self.command.name

    @property
    def category(self) -> str:
        return self.utterance.command or TRAP

    @property
    def right(self) -> bool:
        return self.name == self.utterance.command

    @property
    def hit(self) -> bool:
        return self.command is not None and self.right

    @property
    def object_right(self) -> bool | None:
        """Whether the object is the speaker's; None where none is compared, as of a wish that is
        looked for in memory whole."""
        if self.command is None or not self.right or self.command.as_said:
            return None
        if self.command.name not in WITH_OBJECT:
            return None
        return core(_object(self.command)) == core(self.utterance.about)


def command_figures(heard: Sequence[Heard]) -> Figures:
    """Precision and recall over command-or-not with the right name, and the share of recognised
    commands whose object is right."""
    objects = [each.object_right for each in heard]
    return {
        "utterances": len(heard),
        "commands": sum(each.utterance.command is not None for each in heard),
        **with_interval("precision", [(each.hit, each.command is not None) for each in heard]),
        **with_interval(
            "recall", [(each.hit, each.utterance.command is not None) for each in heard]
        ),
        **with_interval(
            "object_accuracy", [(right is True, right is not None) for right in objects]
        ),
        **with_interval(
            "destructive_precision",
            [(each.hit, each.name in DESTRUCTIVE) for each in heard if each.name in DESTRUCTIVE],
        ),
        "traps_obeyed": sum(
            each.command is not None for each in heard if each.utterance.command is None
        ),
        "wrong_names": sum(
            each.command is not None and not each.right
            for each in heard
            if each.utterance.command is not None
        ),
        "missed": sum(each.command is None for each in heard if each.utterance.command is not None),
    }


def by_language(heard: Sequence[Heard]) -> dict[str, Figures]:
    """The same figures of each language, where there are several."""
    languages = sorted({each.utterance.language for each in heard})
    if len(languages) == 1:
        return {}
    return {
        language: command_figures([each for each in heard if each.utterance.language == language])
        for language in languages
    }


def command_speed(heard: Sequence[Heard]) -> Figures:
    latencies = [each.latency_ms for each in heard]
    return {
        "latency_p50_ms": percentile(latencies, 50),
        "latency_p95_ms": percentile(latencies, 95),
    }


def by_command(heard: Sequence[Heard]) -> dict[str, Figures]:
    """Of each command: what was recognised as it, what was meant by it, and its objects. The row
    of the traps has the share of them that were left alone as its recall."""
    names = sorted({each.category for each in heard})
    return {name: _of_command(name, heard) for name in names}


def _of_command(name: str, heard: Sequence[Heard]) -> Figures:
    meant = [each for each in heard if each.category == name]
    taken = [each for each in heard if (each.name or TRAP) == name]
    objects = [each.object_right for each in meant]
    return {
        "utterances": len(meant),
        "recognised": len(taken),
        "precision": ratio([(each.right, 1) for each in taken]),
        "recall": ratio([(each.right, 1) for each in meant]),
        "object_accuracy": ratio([(right is True, right is not None) for right in objects]),
        "held_back_recall": ratio([(each.right, 1) for each in meant if each.utterance.held_back]),
    }


def failures_of(heard: Sequence[Heard]) -> list[Failure]:
    return [
        Failure(each.utterance.id, each.category, what, each.utterance.held_back)
        for each in heard
        if (what := _fault(each)) is not None
    ]


def _fault(each: Heard) -> str | None:
    if not each.right:
        return f"taken for {each.name}" if each.command is not None else "not recognised"
    return "another object" if each.object_right is False else None


def _object(command: Command) -> str | None:
    """What is to be remembered is the command's text; of the others it is what they are about."""
    return command.text if command.name in {"remember", "remember_anyway"} else command.about
