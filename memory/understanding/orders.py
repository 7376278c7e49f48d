"""Which parts of a message command something, and what they are about. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.understanding.commands import most_probable_command
from memory.understanding.objects import ObjectHeads
from memory.understanding.reading import ASKING, COMMANDS, CommandName, Order, Segment

# From so probable on it is one: what is hard to take back has to be surest. Found on writers that
# were held out (docs/decisions/0029-commands.md).
SURE_FROM: Mapping[CommandName, float] = {
    **dict.fromkeys(COMMANDS, 0.85),
    **dict.fromkeys(("forget", "erase_me"), 0.93),
}
# Their object is a part of the words; of the others it is looked for with all of them.
_WITH_OBJECT: frozenset[CommandName] = frozenset(
    {"remember", "remember_anyway", "pin", "unpin", "about", "edit"}
)
# A part counts where the sentence, and the message, is as probably the same; one of several
# commands, where it is as sure by itself.
AS_A_WHOLE, SUREST = 0.3, 0.9
# Of what has more characters only the parts are looked at.
LONGEST_LOOKED_AT = 300


@dataclass(frozen=True)
class Run:
    """Segments `first` to `last` that are looked at as one, not counting `last`."""

    first: int
    last: int
    text: str

    @property
    def size(self) -> int:
        return self.last - self.first

    def overlaps(self, other: Run) -> bool:
        return self.first < other.last and other.first < self.last


Shares = Mapping[Run, Mapping[str, float]]


def sentences_of(text: str, segments: Sequence[Segment], opens: Sequence[bool]) -> list[Run]:
    """The segments of each sentence; what is quoted is in none. `opens` says of each segment
    whether a sentence begins with it."""
    runs: list[Run] = []
    for at, each in enumerate(segments):
        if each.kind == "quotation" and each.kinds == {"quotation": 1.0}:
            continue
        before = runs[-1] if runs and not opens[at] and runs[-1].last == at else None
        first = at if before is None else before.first
        run = Run(first, at + 1, text[segments[first].start : each.end])
        runs[-1:] = [run] if before is not None else [*runs[-1:], run]
    return runs


def wholes_of(sentences: Sequence[Run]) -> list[Run]:
    """The sentences that are more than one of their segments."""
    return [each for each in sentences if each.size > 1 and len(each.text) <= LONGEST_LOOKED_AT]


def whole_of(text: str, segments: Sequence[Segment]) -> Run | None:
    """The message as one; None where it is too long for that, or one segment."""
    if len(segments) < 2:  # noqa: PLR2004
        return None
    words = text[segments[0].start : segments[-1].end]
    return Run(0, len(segments), words) if len(words) <= LONGEST_LOOKED_AT else None


def sure_in(shares: Shares) -> list[Run]:
    """The runs that surely are a command, but for parts of a sentence that does not sound like it
    as a whole."""
    sure = [run for run, each in shares.items() if _is_sure(each)]
    return [
        run
        for run in sure
        if all(
            shares[other][most_probable_command(shares[run])] >= AS_A_WHOLE
            for other in shares
            if other.size > run.size and other.overlaps(run)
        )
    ]


def commands_of(shares: Shares, whole: Mapping[str, float] | None) -> dict[Run, CommandName]:
    """What the runs command of which the shares are told, in order; `whole` are the shares of the
    message as one, where they were looked at."""
    taken = _taken({run: shares[run] for run in sure_in(shares)})
    if whole is not None:
        taken = [run for run in taken if _agrees(run, taken, shares, whole)]
    in_order = sorted(taken, key=lambda run: run.first)
    return {run: most_probable_command(shares[run]) for run in in_order}


def orders_of(
    text: str,
    segments: Sequence[Segment],
    sentences: Sequence[Run],
    commands: Mapping[Run, CommandName],
    heads: ObjectHeads,
) -> list[Order]:
    """The same with the words that each is about."""
    orders = []
    for run, name in commands.items():
        wide = _widened(run, list(commands), segments, sentences) if name in _WITH_OBJECT else run
        start, end = segments[wide.first].start, segments[wide.last - 1].end
        words = text[start:end]
        marked = heads.marked(words, name) if name in _WITH_OBJECT else {}
        orders.append(Order(name, start, end, words, **marked))
    return orders


def _is_sure(shares: Mapping[str, float]) -> bool:
    name = most_probable_command(shares)
    return shares[name] >= SURE_FROM[name]


def _agrees(run: Run, taken: Sequence[Run], shares: Shares, whole: Mapping[str, float]) -> bool:
    """Whether the message as a whole sounds like it. One of several commands need not, where it is
    surest itself."""
    name = most_probable_command(shares[run])
    others = {most_probable_command(shares[each]) for each in taken} - {name}
    return whole[name] >= AS_A_WHOLE or (bool(others) and shares[run][name] >= SUREST)


def _taken(sure: Shares) -> list[Run]:
    """The surest, and of those that share segments the sentence only where one part of it commands
    something."""
    singles = [run for run in sure if run.size == 1]
    taken: list[Run] = []
    for run in sorted(sure, key=lambda each: max(sure[each][name] for name in COMMANDS))[::-1]:
        parts = sum(run.overlaps(each) for each in singles)
        if (run.size == 1 or parts < 2) and not any(map(run.overlaps, taken)):  # noqa: PLR2004
            taken.append(run)
    return taken


def _widened(
    run: Run, taken: Sequence[Run], segments: Sequence[Segment], sentences: Sequence[Run]
) -> Run:
    """With what its sentence says beside it, as far as the next command or question."""
    sentence = next(each for each in sentences if each.first <= run.first < each.last)
    others = [each for each in taken if each is not run]

    def free(at: int) -> bool:
        beside = Run(at, at + 1, "")
        return not any(map(beside.overlaps, others)) and segments[at].kind not in ASKING

    first, last = run.first, run.last
    while first > sentence.first and free(first - 1):
        first -= 1
    while last < sentence.last and free(last):
        last += 1
    return Run(first, last, "")
