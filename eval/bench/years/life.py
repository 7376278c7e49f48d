"""An invented life of two years: what a person says in it, and what is asked at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

import numpy as np

from eval.bench.years.words import CHANGES, DETAILS, LASTING, OWNERS, ROUTINES, VALUES
from memory.models import NewItem
from memory.write.metadata import describe

BEGIN = datetime(2024, 11, 1, 8, tzinfo=UTC)
END = BEGIN + timedelta(days=730)
# Of the memories, what is said of things, what lasts, and what changes; the rest is routine.
_SHARES = {"details": 0.36, "lasting": 0.10, "changes": 0.06}
_VERSIONS = 3
_QUESTIONS = {"details": 180, "lasting": 80, "changes": 40}


@dataclass(frozen=True)
class Said:
    """A memory by its place in the life; `replaces` is the place of what it makes untrue."""

    place: int
    item: NewItem
    replaces: int | None = None


@dataclass(frozen=True)
class Question:
    """What is asked at the end, and the memory that answers it and still holds."""

    text: str
    answer: Said
    kind: str


@dataclass(frozen=True)
class Life:
    """Everything that was said, the oldest first, and the questions."""

    said: tuple[Said, ...]
    questions: tuple[Question, ...]


class Living:
    """The same life for the same seed."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._places = count()
        self._things = self._named_things()

    def life(self, items: int) -> Life:
        counts = {kind: int(items * part) for kind, part in _SHARES.items()}
        most = len(self._things) * len(DETAILS)
        asked = [
            *self._details(min(counts["details"], most)),
            *self._lasting(counts["lasting"]),
        ]
        changes = list(self._changes(counts["changes"] // _VERSIONS))
        said = [question.answer for question in asked]
        said += [each for versions, _ in changes for each in versions]
        said += self._routines(items - len(said))
        asked += [question for _, question in changes]
        in_order = sorted(said, key=_when)
        return Life(tuple(in_order), tuple(self._chosen(asked)))

    def _details(self, wanted: int) -> Iterator[Question]:
        """Of each thing several details, learned over some weeks."""
        for number in range(wanted):
            detail, thing = number % len(DETAILS), number // len(DETAILS)
            if detail == 0:
                began = self._day(0, 700)
            told, asks = DETAILS[detail]
            named = self._values() | {"thing": self._things[thing]}
            day = min(began + timedelta(days=float(self._rng.uniform(0, 30))), END)
            said = self._said(told.format(**named), day)
            yield Question(asks.format(**named), said, "details")

    def _lasting(self, wanted: int) -> Iterator[Question]:
        for number in range(wanted):
            told, asks = LASTING[number % len(LASTING)]
            named = self._values() | {"person": self._person(number // len(LASTING))}
            said = self._said(told.format(**named), self._day(0, 729))
            yield Question(asks.format(**named), said, "lasting")

    def _changes(self, wanted: int) -> Iterator[tuple[list[Said], Question]]:
        """Something that became otherwise twice: the versions, and what is asked of the last."""
        for number in range(wanted):
            told, asks = CHANGES[number % len(CHANGES)]
            person = self._person(number // len(CHANGES))
            days = np.sort(self._rng.uniform(0, 729, size=_VERSIONS))
            versions: list[Said] = []
            for day in days:
                text = told.format(person=person, **self._values())
                before = versions[-1].place if versions else None
                at = BEGIN + timedelta(days=float(day))
                versions.append(self._said(text, at, replaces=before))
            yield versions, Question(asks.format(person=person), versions[-1], "changes")

    def _routines(self, wanted: int) -> Iterator[Said]:
        """What happens again and again, each with its day."""
        for _ in range(wanted):
            pattern = ROUTINES[self._rng.integers(len(ROUTINES))]
            at = self._day(0, 729)
            day = f"{at.day} {at:%B %Y}"
            text = pattern.format(day=day, person=self._pick("person"), **self._values())
            yield self._said(text, at, type="note", occurred_at=at)

    def _said(
        self, text: str, at: datetime, *, replaces: int | None = None, **fields: object
    ) -> Said:
        item = NewItem.model_validate(
            {"content": text, "tags": describe(text).tags, "created_at": at} | fields
        )
        return Said(next(self._places), item, replaces)

    def _chosen(self, asked: Sequence[Question]) -> Iterator[Question]:
        for kind, wanted in _QUESTIONS.items():
            those = [each for each in asked if each.kind == kind]
            picks = self._rng.permutation(len(those))[:wanted]
            yield from (those[pick] for pick in sorted(picks))

    def _day(self, first: int, last: int) -> datetime:
        return BEGIN + timedelta(days=float(self._rng.uniform(first, last)))

    def _named_things(self) -> list[str]:
        named = [f"{owner} {thing}" for thing in VALUES["thing"] for owner in OWNERS]
        return [named[place] for place in self._rng.permutation(len(named))]

    def _person(self, number: int) -> str:
        """A different name for each number."""
        names = VALUES["person"]
        family, first = divmod(number, len(names))
        return names[first] if family == 0 else f"{names[first]} {names[-family]}son"

    def _values(self) -> dict[str, str]:
        return {slot: self._pick(slot) for slot in VALUES if slot != "person"}

    def _pick(self, slot: str) -> str:
        words = VALUES[slot]
        return words[self._rng.integers(len(words))]


def _when(said: Said) -> datetime:
    return said.item.created_at or BEGIN
