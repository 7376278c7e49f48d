"""Everyday conversations as JSON files, one for each person, what came of each turn and question,
and the figures of that as shares with Wilson intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator
from rich.console import Console
from rich.table import Table

from eval.errors import DatasetUnreadable
from eval.files import StrictModel, duplicates, read_json_file
from eval.metrics import Metrics
from eval.report import Report, format_value

CONVERSATIONS_FOLDER = Path(__file__).parent / "conversations"
TurnKind = Literal[
    "fact", "preference", "chitchat", "question", "update", "end", "both_live", "dont", "forget",
    "mixed", "correct", "pin", "secret", "feeling", "plan", "project", "procedure", "span", "long",
    "quote",
]  # fmt: skip
QuestionKind = Literal[
    "direct", "paraphrase", "person", "time", "list", "current", "past", "advice", "silent"
]


def _lower(word: str) -> str:
    if word != word.lower() or not word.strip():
        raise ValueError(f"“{word}” has to be in lower case, as memories are compared")
    return word


WordGroup: TypeAlias = Annotated[
    tuple[Annotated[str, AfterValidator(_lower)], ...], Field(min_length=1)
]
"""Words that stand together in one memory."""

WordGroups: TypeAlias = tuple[WordGroup, ...]


def _as_groups(given: Any) -> Any:
    """One group may stand for a list of one."""
    if not isinstance(given, list):
        return given
    alone = given and all(isinstance(word, str) for word in given)
    groups = [given] if alone else given
    return tuple(tuple(each) if isinstance(each, list) else each for each in groups)


class LifeRow(StrictModel):
    model_config = ConfigDict(strict=True)


class LifeTurn(LifeRow):
    """`present` are the groups of which each stands in some active memory after it, `absent` those
    that stand in none."""

    id: Annotated[str, Field(min_length=1)]
    day: date
    kind: TurnKind
    say: Annotated[str, Field(min_length=1)]
    present: WordGroups = ()
    absent: WordGroups = ()


class LifeQuestion(LifeRow):
    """Asked on `day`, after the turn of that id. Each group of `want` stands in one of the first
    memories returned, none of `not_first` in the first; `silent`: nothing remembered answers it."""

    after: str
    day: date
    kind: QuestionKind
    ask: Annotated[str, Field(min_length=1)]
    want: WordGroups = ()
    not_first: Annotated[WordGroups, BeforeValidator(_as_groups)] = ()
    silent: bool = False

    @model_validator(mode="after")
    def _answered_or_silent(self) -> Self:
        if self.silent == bool(self.want):
            raise ValueError("a question wants something, or is silent")
        return self


class LifeConversation(LifeRow):
    """One person's. `name` is that of the file."""

    name: str = ""
    persona: Annotated[str, Field(min_length=1)]
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")]
    turns: Annotated[tuple[LifeTurn, ...], Field(min_length=1)]
    questions: tuple[LifeQuestion, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if twice := duplicates([turn.id for turn in self.turns]):
            raise ValueError(f"these turns appear twice: {', '.join(twice)}")
        known = {turn.id for turn in self.turns}
        for place, question in enumerate(self.questions):
            if question.after not in known:
                raise ValueError(f"questions.{place}.after: there is no turn {question.after}")
        for (_, before), (where, day) in pairwise(self._days()):
            if day < before:
                raise ValueError(f"{where}: {day} is before {before}, and no day comes back")
        return self

    def asked_after(self, turn: LifeTurn) -> list[tuple[int, LifeQuestion]]:
        """The questions that follow a turn, with their places in the file."""
        return [each for each in enumerate(self.questions) if each[1].after == turn.id]

    def _days(self) -> list[tuple[str, date]]:
        """Where each day is named, in the order in which they are lived."""
        days = []
        for place, turn in enumerate(self.turns):
            days.append((f"turns.{place}.day", turn.day))
            days += [(f"questions.{at}.day", each.day) for at, each in self.asked_after(turn)]
        return days


def load_conversations(
    folder: Path = CONVERSATIONS_FOLDER, limit: int | None = None
) -> Sequence[LifeConversation]:
    """Those of the folder's JSON files in the order of their names, at most `limit`.

    Raises DatasetUnreadable, naming the file and the field.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise DatasetUnreadable(path=folder, reason="it is no folder with JSON files in it")
    return [_with_name(read_json_file(file, LifeConversation), file.stem) for file in files[:limit]]


def _with_name(conversation: LifeConversation, name: str) -> LifeConversation:
    return conversation.model_copy(update={"name": name})


@dataclass(frozen=True)
class TurnResult:
    """A turn and what came of it; a second reply is that to the confirmation. `missing` are the
    groups of `present` that stand in no memory, `standing` those of `absent` that stand in one,
    each with it; `failed` says that the assistant broke down, `unlearned` that something which was
    said still waits to be learned from."""

    conversation: LifeConversation
    turn: LifeTurn
    reply: tuple[str, ...]
    missing: WordGroups
    standing: tuple[tuple[WordGroup, str], ...]
    added: tuple[str, ...]
    failed: bool = False
    unlearned: bool = False


@dataclass(frozen=True)
class QuestionResult:
    """A question and the first memories that came back. `missing` are the wanted groups that none
    of them holds; `kept`: each wanted group stood in some memory; `stale`: one of `not_first`
    stands in the first."""

    conversation: LifeConversation
    place: int
    question: LifeQuestion
    returned: tuple[str, ...]
    missing: WordGroups
    kept: bool
    stale: bool
    failed: bool = False
    degraded: bool = False


# Both sides of 95%.
NORMAL_QUANTILE = 1.959963984540054

HitCount: TypeAlias = tuple[int, int]
"""Hits, and what they are out of."""

_NOTHING: HitCount = (0, 0)


def _present(each: TurnResult) -> HitCount:
    return len(each.turn.present) - len(each.missing), len(each.turn.present)


def _absent(each: TurnResult) -> HitCount:
    return len(each.turn.absent) - len(each.standing), len(each.turn.absent)


def _whole(each: TurnResult) -> HitCount:
    return int(not each.missing and not each.standing), 1


def _of(kind: str, count: Callable[[TurnResult], HitCount]) -> Callable[[TurnResult], HitCount]:
    return lambda each: count(each) if each.turn.kind == kind else _NOTHING


def _recalled(each: QuestionResult) -> HitCount:
    return _NOTHING if each.question.silent else (int(not each.missing), 1)


def _recalled_of_kept(each: QuestionResult) -> HitCount:
    return _recalled(each) if each.kept else _NOTHING


def _silent(each: QuestionResult) -> HitCount:
    return (int(not each.returned), 1) if each.question.silent else _NOTHING


def _current(each: QuestionResult) -> HitCount:
    """Where nothing comes back, nothing current comes first."""
    right = bool(each.returned) and not each.stale
    return (int(right), 1) if each.question.not_first else _NOTHING


_OF_TURNS: dict[str, Callable[[TurnResult], HitCount]] = {
    "present": _present,
    "absent": _absent,
    "secret_absent": _of("secret", _absent),
    "forget_absent": _of("forget", _absent),
    "neighbours_kept": _of("forget", _present),
    "update_whole": _of("update", _whole),
    "both_live_present": _of("both_live", _present),
}
_OF_QUESTIONS: dict[str, Callable[[QuestionResult], HitCount]] = {
    "recall_at_5": _recalled,
    "recall_where_kept": _recalled_of_kept,
    "silent": _silent,
    "current_first": _current,
}
SHARES = (*_OF_TURNS, *_OF_QUESTIONS)
# What is named after one kind of turn says nothing more of that kind.
_OF_ANY_KIND = ("present", "absent", "update_whole")
_ENDS = ("", "_count", "_of", "_low", "_high")
# How often something broke, so that the shares say less than they seem to.
FAULT_COUNTS = ("failed_turns", "not_learned", "failed_recalls", "degraded_recalls")


def life_metrics(played: Sequence[TurnResult], asked: Sequence[QuestionResult]) -> Metrics:
    """Each share under its name, beside it `_count`, `_of`, `_low` and `_high`."""
    broke = (
        sum(each.failed for each in played),
        sum(each.unlearned for each in played),
        sum(each.failed for each in asked),
        sum(each.degraded for each in asked),
    )
    figures: Metrics = {"turns": len(played), "questions": len(asked)}
    return figures | _shares(played, asked) | dict(zip(FAULT_COUNTS, broke, strict=True))


def by_kind_and_language(
    played: Sequence[TurnResult], asked: Sequence[QuestionResult]
) -> dict[str, Metrics]:
    """For each kind of turn, each kind of question and each language the shares that something of
    it counts for."""
    figures: dict[str, Metrics] = {}
    for kind in sorted({each.turn.kind for each in played}):
        turns = [each for each in played if each.turn.kind == kind]
        figures[f"turn: {kind}"] = _measured(_shares(turns, []), _OF_ANY_KIND)
    for asking in sorted({each.question.kind for each in asked}):
        questions = [each for each in asked if each.question.kind == asking]
        figures[f"question: {asking}"] = _measured(_shares([], questions))
    for language in sorted({each.conversation.language for each in played}):
        turns = [each for each in played if each.conversation.language == language]
        questions = [each for each in asked if each.conversation.language == language]
        figures[f"language: {language}"] = _measured(_shares(turns, questions))
    return figures


def _shares(played: Sequence[TurnResult], asked: Sequence[QuestionResult]) -> Metrics:
    figures: Metrics = {}
    for name, of_turn in _OF_TURNS.items():
        figures |= with_wilson_interval(name, [of_turn(each) for each in played])
    for name, of_question in _OF_QUESTIONS.items():
        figures |= with_wilson_interval(name, [of_question(each) for each in asked])
    return figures


def _measured(figures: Metrics, names: Sequence[str] = SHARES) -> Metrics:
    """Of the shares of these names those that anything counts for, with what is beside them."""
    known = [name for name in names if figures[f"{name}_of"]]
    return {f"{name}{end}": figures[f"{name}{end}"] for name in known for end in _ENDS}


def with_wilson_interval(name: str, counts: Sequence[HitCount]) -> Metrics:
    """The share under its name, and beside it what it was counted from and where it lies."""
    count, of = (sum(each[place] for each in counts) for place in (0, 1))
    low, high = wilson_interval(count, of) or (None, None)
    told = (count / of if of else None, count, of, low, high)
    return {f"{name}{end}": value for end, value in zip(_ENDS, told, strict=True)}


def wilson_interval(count: int, of: int) -> tuple[float, float] | None:
    """Where the share lies with 95% confidence (Wilson 1927); None of nothing."""
    if not of:
        return None
    share, spread = count / of, NORMAL_QUANTILE * NORMAL_QUANTILE / of
    middle = share + spread / 2
    reach = math.sqrt(share * (1 - share) * spread + spread * spread / 4)
    low, high = ((middle + sign * reach) / (1 + spread) for sign in (-1, 1))
    return max(low, 0.0), min(high, 1.0)


def print_life_metrics(console: Console, report: Report) -> None:
    """Overall with intervals; then as counts a line for each kind of turn and of question, and a
    column for each language."""
    console.print(_overall(report.metrics))
    for kind in ("turn", "question"):
        groups = _groups(report, kind)
        names = _named(groups)
        rows = [[_told(each, name) for name in names] for each in groups.values()]
        console.print(_grid(kind, names, list(groups), rows))
    groups = _groups(report, "language")
    rows = [[_told(each, name) for each in groups.values()] for name in _named(groups)]
    console.print(_grid("language", list(groups), _named(groups), rows))


def _groups(report: Report, what: str) -> dict[str, dict[str, Any]]:
    return {
        name.removeprefix(f"{what}: "): figures
        for name, figures in report.by_category.items()
        if name.startswith(f"{what}: ")
    }


def _named(groups: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The shares that any of the groups has."""
    return [name for name in SHARES if any(name in each for each in groups.values())]


def _overall(metrics: Mapping[str, Any]) -> Table:
    table = Table(title="figures of life", title_justify="left")
    table.add_column("figure")
    for column in ("share", "count", "95% interval"):
        table.add_column(column, justify="right")
    for name in SHARES:
        low, high = metrics[f"{name}_low"], metrics[f"{name}_high"]
        interval = "–" if low is None else f"{low:.3f} – {high:.3f}"
        table.add_row(name, format_value(metrics[name]), _count(metrics, name), interval)
    for name in FAULT_COUNTS:
        table.add_row(name, "", format_value(metrics[name]), "")
    return table


def _grid(
    corner: str, columns: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]]
) -> Table:
    table = Table(title=f"by {corner}", title_justify="left")
    table.add_column("")
    for column in columns:
        table.add_column(column.replace("_", " "), justify="right")
    for name, cells in zip(names, rows, strict=True):
        table.add_row(name, *cells)
    return table


def _told(figures: Mapping[str, Any], name: str) -> str:
    return f"{figures[name]:.2f} {_count(figures, name)}" if name in figures else "–"


def _count(figures: Mapping[str, Any], name: str) -> str:
    return f"{figures[f'{name}_count']}/{figures[f'{name}_of']}"


def life_rows(
    played: Sequence[TurnResult], asked: Sequence[QuestionResult]
) -> list[dict[str, Any]]:
    """As JSON can hold them: the turns of everybody, then the questions."""
    return [*map(_row_of_turn, played), *map(_row_of_question, asked)]


def _row_of_turn(each: TurnResult) -> dict[str, Any]:
    return {
        "id": f"{each.conversation.name}/{each.turn.id}",
        "persona": each.conversation.persona,
        "language": each.conversation.language,
        "kind": each.turn.kind,
        "day": each.turn.day.isoformat(),
        "said": each.turn.say,
        "reply": each.reply,
        "missing": each.missing,
        "standing": [{"words": words, "memory": memory} for words, memory in each.standing],
        "added": each.added,
        "failed": each.failed,
        "unlearned": each.unlearned,
    }


def _row_of_question(each: QuestionResult) -> dict[str, Any]:
    asked = each.question
    return {
        "id": f"{each.conversation.name}/q{each.place + 1}",
        "persona": each.conversation.persona,
        "language": each.conversation.language,
        "kind": asked.kind,
        "day": asked.day.isoformat(),
        "asked": asked.ask,
        "returned": each.returned,
        "missing": each.missing,
        "kept": each.kept,
        "silent": asked.silent,
        "stale": each.stale,
        "failed": each.failed,
        "degraded": each.degraded,
    }
