"""The commands set: what people say to command their memory, ordinary talk that looks alike, and
what the product hears of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Self, TypeAlias

from pydantic import Field, ValidationError, model_validator

from agent.commands.parser import Command, parse_commands
from eval import checks
from eval.errors import DatasetUnreadable
from eval.files import StrictModel, duplicates, first_fault, read_json_file
from eval.metrics import Metrics, percentile
from eval.report import Report
from eval.results import Failure, Failures
from eval.statistics import ratio_of_sums, with_interval
from memory.understanding import CommandName, OfflineReader

UTTERANCES_FILE = "utterances.json"
UTTERANCES_FOLDER = Path(__file__).parent
# Their object is given in the set; of the other commands it is not compared.
WITH_OBJECT: frozenset[CommandName] = frozenset(
    {"remember", "remember_anyway", "forget", "pin", "unpin", "about"}
)

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_WORDS = re.compile(r"[\w']+")
_MEANINGLESS = {"a", "an", "the", "that"}


class Utterance(StrictModel):
    """`command` is None for a trap. `about` is the object as the speaker put it, None for that,
    this, it and everything."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    text: Annotated[str, Field(min_length=1)]
    command: CommandName | None
    about: str | None
    held_back: bool = False
    language: Annotated[str, Field(min_length=2, max_length=2)] = "en"


class UtteranceSet(StrictModel):
    note: str = ""
    utterances: Annotated[tuple[Utterance, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if twice := duplicates([each.id for each in self.utterances]):
            raise ValueError(f"these ids appear twice: {', '.join(twice)}")
        for each in self.utterances:
            if each.about is not None and each.command not in WITH_OBJECT:
                raise ValueError(f"utterance {each.id}: its command takes no object")
        return self


def load_utterances(folder: Path = UTTERANCES_FOLDER) -> UtteranceSet:
    """Reads `utterances.json` in the folder, or a file of lines “language | command or none | text
    | object”. Raises DatasetUnreadable with the first fault."""
    return (
        read_json_file(folder / UTTERANCES_FILE, UtteranceSet)
        if folder.is_dir()
        else _read_lines(folder)
    )


def _read_lines(path: Path) -> UtteranceSet:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return UtteranceSet(utterances=tuple(map(_utterance, range(1, len(lines) + 1), lines)))
    except (OSError, UnicodeError) as error:
        raise DatasetUnreadable(path=path, reason=str(error)) from error
    except ValidationError as error:
        raise DatasetUnreadable(path=path, reason=first_fault(error)) from None


def _utterance(number: int, line: str) -> Utterance:
    """Raises ValidationError."""
    fields = [each.strip() for each in (f"{line} ").split(" | ")]
    language, command, text, about = (*fields, "", "", "", "")[:4]
    return Utterance.model_validate(
        {
            "id": f"line {number}",
            "text": text,
            "command": None if command == "none" else command,
            "about": (about or None) if command in WITH_OBJECT else None,
            "language": language,
        }
    )


def normalise_object(spoken: str | None) -> str | None:
    """What two objects are compared by: the words without case, articles, punctuation, “that” and
    a leading “the memory about”; None where there are none left."""
    if spoken is None:
        return None
    plain = spoken.casefold().translate(_APOSTROPHES)
    words = [word.strip("'") for word in _WORDS.findall(plain)]
    kept = [word for word in words if word and word not in _MEANINGLESS]
    if kept[:2] == ["memory", "about"]:
        kept = kept[2:]
    return " ".join(kept) or None


TRAP = "trap"
# What they do is asked about first, or cannot be had back.
DESTRUCTIVE = frozenset({"forget", "erase_me", "do_not_remember"})


@dataclass(frozen=True)
class RecognisedUtterance:
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
        return normalise_object(_object(self.command)) == normalise_object(self.utterance.about)


def command_metrics(heard: Sequence[RecognisedUtterance]) -> Metrics:
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


def command_metrics_by_language(heard: Sequence[RecognisedUtterance]) -> dict[str, Metrics]:
    """The same figures of each language, where there are several."""
    languages = sorted({each.utterance.language for each in heard})
    if len(languages) == 1:
        return {}
    return {
        language: command_metrics([each for each in heard if each.utterance.language == language])
        for language in languages
    }


def command_latency(heard: Sequence[RecognisedUtterance]) -> Metrics:
    latencies = [each.latency_ms for each in heard]
    return {
        "latency_p50_ms": percentile(latencies, 50),
        "latency_p95_ms": percentile(latencies, 95),
    }


def metrics_by_command(heard: Sequence[RecognisedUtterance]) -> dict[str, Metrics]:
    """Of each command: what was recognised as it, what was meant by it, and its objects. The row
    of the traps has the share of them that were left alone as its recall."""
    names = sorted({each.category for each in heard})
    return {name: _of_command(name, heard) for name in names}


def _of_command(name: str, heard: Sequence[RecognisedUtterance]) -> Metrics:
    meant = [each for each in heard if each.category == name]
    taken = [each for each in heard if (each.name or TRAP) == name]
    objects = [each.object_right for each in meant]
    return {
        "utterances": len(meant),
        "recognised": len(taken),
        "precision": ratio_of_sums([(each.right, 1) for each in taken]),
        "recall": ratio_of_sums([(each.right, 1) for each in meant]),
        "object_accuracy": ratio_of_sums([(right is True, right is not None) for right in objects]),
        "held_back_recall": ratio_of_sums(
            [(each.right, 1) for each in meant if each.utterance.held_back]
        ),
    }


def command_failures(heard: Sequence[RecognisedUtterance]) -> list[Failure]:
    return [
        Failure(each.utterance.id, each.category, what, each.utterance.held_back)
        for each in heard
        if (what := _fault(each)) is not None
    ]


def _fault(each: RecognisedUtterance) -> str | None:
    if not each.right:
        return f"taken for {each.name}" if each.command is not None else "not recognised"
    return "another object" if each.object_right is False else None


def _object(command: Command) -> str | None:
    """What is to be remembered is the command's text; of the others it is what they are about."""
    return command.text if command.name in {"remember", "remember_anyway"} else command.about


Recogniser: TypeAlias = Callable[[str], Sequence[Command]]


class CommandsDataset:
    """Needs no service and no model. `recogniser` stands in for the product's own."""

    def __init__(self, folder: Path | None, recogniser: Recogniser | None = None) -> None:
        self._utterances = load_utterances(folder or UTTERANCES_FOLDER).utterances
        self._recognise = recogniser or partial(parse_commands, reader=OfflineReader())

    def measure(self) -> Report:
        """The figures over all, and over the part that may be read while developing and the part
        that is held back."""
        heard = [self._hear(each) for each in self._utterances]
        metrics = {
            **command_metrics(heard),
            **command_latency(heard),
            "open": command_metrics([each for each in heard if not each.utterance.held_back]),
            "held_back": command_metrics([each for each in heard if each.utterance.held_back]),
            **command_metrics_by_language(heard),
        }
        return Report(
            dataset="commands",
            settings={"recogniser": "offline reader"},
            metrics=metrics,
            by_category=metrics_by_command(heard),
            checks=checks.check_bounds(metrics, checks.COMMANDS),
            failures=Failures.of(command_failures(heard)),
        )

    def _hear(self, utterance: Utterance) -> RecognisedUtterance:
        """Of several commands one that is wrong, if any."""
        began = time.perf_counter()
        commands = self._recognise(utterance.text)
        took = (time.perf_counter() - began) * 1000
        wrong = [each for each in commands if each.name != utterance.command]
        return RecognisedUtterance(utterance, next(iter([*wrong, *commands]), None), took)
