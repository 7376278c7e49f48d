"""From what was lived to figures: each a count, what it is out of, and a Wilson interval. Pure
functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from eval.measures.summary import Figures

if TYPE_CHECKING:
    from eval.life.play import Asked, Played

# Both sides of 95%.
Z = 1.959963984540054

Count: TypeAlias = tuple[int, int]
"""Hits, and what they are out of."""

_NOTHING: Count = (0, 0)


def _present(each: Played) -> Count:
    return len(each.turn.present) - len(each.missing), len(each.turn.present)


def _absent(each: Played) -> Count:
    return len(each.turn.absent) - len(each.standing), len(each.turn.absent)


def _whole(each: Played) -> Count:
    return int(not each.missing and not each.standing), 1


def _of(kind: str, count: Callable[[Played], Count]) -> Callable[[Played], Count]:
    return lambda each: count(each) if each.turn.kind == kind else _NOTHING


def _recalled(each: Asked) -> Count:
    return _NOTHING if each.question.silent else (int(not each.missing), 1)


def _recalled_of_kept(each: Asked) -> Count:
    return _recalled(each) if each.kept else _NOTHING


def _silent(each: Asked) -> Count:
    return (int(not each.returned), 1) if each.question.silent else _NOTHING


def _current(each: Asked) -> Count:
    """Where nothing comes back, nothing current comes first."""
    right = bool(each.returned) and not each.stale
    return (int(right), 1) if each.question.not_first else _NOTHING


_OF_TURNS: dict[str, Callable[[Played], Count]] = {
    "present": _present,
    "absent": _absent,
    "secret_absent": _of("secret", _absent),
    "forget_absent": _of("forget", _absent),
    "neighbours_kept": _of("forget", _present),
    "update_whole": _of("update", _whole),
    "both_live_present": _of("both_live", _present),
}
_OF_QUESTIONS: dict[str, Callable[[Asked], Count]] = {
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
SOUNDNESS = ("failed_turns", "not_learned", "failed_recalls", "degraded_recalls")


def life_figures(played: Sequence[Played], asked: Sequence[Asked]) -> Figures:
    """Each share under its name, beside it `_count`, `_of`, `_low` and `_high`."""
    broke = (
        sum(each.failed for each in played),
        sum(each.unlearned for each in played),
        sum(each.failed for each in asked),
        sum(each.degraded for each in asked),
    )
    figures: Figures = {"turns": len(played), "questions": len(asked)}
    return figures | _shares(played, asked) | dict(zip(SOUNDNESS, broke, strict=True))


def by_kind_and_language(played: Sequence[Played], asked: Sequence[Asked]) -> dict[str, Figures]:
    """For each kind of turn, each kind of question and each language the shares that something of
    it counts for."""
    figures: dict[str, Figures] = {}
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


def _shares(played: Sequence[Played], asked: Sequence[Asked]) -> Figures:
    figures: Figures = {}
    for name, of_turn in _OF_TURNS.items():
        figures |= with_wilson(name, [of_turn(each) for each in played])
    for name, of_question in _OF_QUESTIONS.items():
        figures |= with_wilson(name, [of_question(each) for each in asked])
    return figures


def _measured(figures: Figures, names: Sequence[str] = SHARES) -> Figures:
    """Of the shares of these names those that anything counts for, with what is beside them."""
    known = [name for name in names if figures[f"{name}_of"]]
    return {f"{name}{end}": figures[f"{name}{end}"] for name in known for end in _ENDS}


def with_wilson(name: str, counts: Sequence[Count]) -> Figures:
    """The share under its name, and beside it what it was counted from and where it lies."""
    count, of = (sum(each[place] for each in counts) for place in (0, 1))
    low, high = wilson(count, of) or (None, None)
    told = (count / of if of else None, count, of, low, high)
    return {f"{name}{end}": value for end, value in zip(_ENDS, told, strict=True)}


def wilson(count: int, of: int) -> tuple[float, float] | None:
    """Where the share lies with 95% confidence (Wilson 1927); None of nothing."""
    if not of:
        return None
    share, spread = count / of, Z * Z / of
    middle = share + spread / 2
    reach = math.sqrt(share * (1 - share) * spread + spread * spread / 4)
    low, high = ((middle + sign * reach) / (1 + spread) for sign in (-1, 1))
    return max(low, 0.0), min(high, 1.0)
