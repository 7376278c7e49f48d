"""Which parts of a message are a command, and which of their words are what it is about, by linear
heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory.understanding.linear_models import (
    Array,
    Buckets,
    LinearHead,
    Token,
    character_ngrams,
    fold_words,
    hash_features,
    load_heads,
    sentence_features,
    tokenize,
)
from memory.understanding.remembered import find_begin, find_end, has_colon, trim
from memory.understanding.sentences import is_question
from memory.understanding.types import ASKING, COMMANDS, CommandMention, CommandName, Segment

BUCKETS = 2**15
TAGS = ("outside", "object", "old", "new")
# What a word inside counts against a beginning and an end, and what one more word is worth: words
# too many are seen, words that are lost are not.
_INSIDE, _ONE_MORE = 0.3, 1.0
# Of longer texts the end is left out.
_MOST_TOKENS = 120
_MARKS = " \t\n.,;:!?…–—-"
_PAIRS = {'"': '"', "“": "”", "„": "“", "«": "»", "‘": "’", "'": "'", "(": ")"}
Logits = npt.NDArray[np.float32]


@dataclass(frozen=True)
class ObjectHeads:
    """Each decides between TAGS: `tag` of a word, `begin` and `end` of the gap before a word."""

    tag: LinearHead
    begin: LinearHead
    end: LinearHead

    def marked(self, text: str, name: CommandName) -> Mapping[str, str]:
        """The words of each tag, but for those that it has none of."""
        tokens = tokenize(text)[:_MOST_TOKENS]
        if not tokens:
            return {}
        words = [tag_features(tokens, at, name) for at in range(len(tokens))]
        gaps = [edge_features(tokens, at, name) for at in range(len(tokens) + 1)]
        inside, begin, end = (
            np.array([head.logits(each) for each in told])
            for head, told in ((self.tag, words), (self.begin, gaps), (self.end, gaps))
        )
        taken = np.zeros(len(tokens), np.bool_)
        found: dict[str, str] = {}
        for tag in ("new", "old") if name == "edit" else ("object",):
            run = _best(inside, begin, end, TAGS.index(tag), taken)
            if run is not None:
                taken[slice(*run)] = True
                found[tag] = _words(text, tokens, run)
        if name == "edit":
            found |= self._corrected(text, found)
        return {tag: words for tag, words in found.items() if words}

    def _corrected(self, text: str, found: Mapping[str, str]) -> dict[str, str]:
        """What an edit is about: what the words beside the new ones would be about as a question
        for it, or where no old ones are named as a wish to pin it."""
        new = found.get("new")
        beside = text.split(new, 1) if new else [text]
        asked: tuple[CommandName, ...] = ("about",) if found.get("old") else ("about", "pin")
        named = (self.marked(each, name).get("object") for name in asked for each in beside)
        return {"object": words} if (words := next(filter(None, named), None)) else {}


def tag_features(tokens: Sequence[Token], at: int, name: str) -> Buckets:
    """Of one word or mark of what was said, given the command that it is."""
    near = _near(tokens, at, 3, 4)
    before = [each.folded for each in tokens[max(0, at - 8) : at]]
    marks = [each.folded for each in tokens[:at] if not each.is_word]
    return hash_features(
        [
            *(f"{step}={word}" for step, word in near.items()),
            *_pairs(near),
            *(f"before={each}" for each in before),
            *(f"after={each.folded}" for each in tokens[at + 1 : at + 9]),
            *(f"{name} before={each}" for each in before),
            *character_ngrams(f" {tokens[at].folded} "),
            f"{name} at={min(at, 12)}",
            f"{name} to={min(len(tokens) - at, 12)}",
            f"{name} mark={marks[-1] if marks else ''}",
            f"{name} shape={tokens[at].shape}",
            f"{name} word={tokens[at].folded}",
            f"{name} marks={min(len(marks), 3)} {near[-1]}",
            name,
        ],
        BUCKETS,
    )


def edge_features(tokens: Sequence[Token], gap: int, name: str) -> Buckets:
    """Of the gap before the token of this number, or behind the last, given the command."""
    near, shapes = _near(tokens, gap, 5, 5), _near(tokens, gap, 4, 4, shape=True)
    kind = name if name == "edit" else "other"
    threes = ((step, near[step], near[step + 1], near[step + 2]) for step in range(-3, 2))
    beside = (("R", tokens[gap : gap + 1]), ("L", tokens[max(0, gap - 1) : gap]))
    sides = [(side, f" {each.folded} ") for side, words in beside for each in words]
    return hash_features(
        [
            *(f"{step}={word}" for step, word in near.items()),
            *(f"s{step}={shape}" for step, shape in shapes.items()),
            *_pairs(near),
            *(f"t{step}={a} {b} {c}" for step, a, b, c in threes),
            *(f"{kind} {step}={near[step]}" for step in (-2, -1, 0, 1)),
            *(f"{name} {step}={near[step]}" for step in (-1, 0)),
            *(f"before={each.folded}" for each in tokens[max(0, gap - 10) : gap]),
            *(f"after={each.folded}" for each in tokens[gap : gap + 10]),
            *(f"{side}{each}" for side, word in sides for each in character_ngrams(word)),
            f"x={shapes[-1]} {shapes[0]}",
            f"y={shapes[-1]} {near[0]}",
            f"z={near[-1]} {shapes[0]}",
            f"{kind} at={min(gap, 10)}",
            f"{kind} to={min(len(tokens) - gap, 10)}",
            f"marks={_has_mark(tokens[:gap])},{_has_mark(tokens[gap:])} {shapes[-1]}",
            name,
        ],
        BUCKETS,
    )


def _near(
    tokens: Sequence[Token], at: int, before: int, after: int, *, shape: bool = False
) -> dict[int, str]:
    """By how far from there each stands; "^" and "$" beyond the ends."""
    told = {}
    for step in range(-before, after):
        inside = 0 <= at + step < len(tokens)
        token = tokens[at + step] if inside else None
        beyond = "^" if step < 0 else "$"
        told[step] = beyond if token is None else token.shape if shape else token.folded
    return told


def _pairs(near: Mapping[int, str]) -> list[str]:
    return [f"{step}&{step + 1}={a} {b}" for (step, a), (_, b) in pairwise(near.items())]


def _has_mark(tokens: Sequence[Token]) -> bool:
    return any(not each.is_word for each in tokens)


def _best(
    inside: Logits, begin: Logits, end: Logits, tag: int, taken: npt.NDArray[np.bool_]
) -> tuple[int, int] | None:
    """The most probable run of tokens of this tag, of none that is taken; None where no word is
    one."""
    gains = inside[:, tag] - np.delete(inside, tag, axis=1).max(axis=1)
    if gains.max() <= 0:
        return None
    gains = np.where(taken, -np.inf, _INSIDE * (gains + _ONE_MORE))
    begins, ends = begin[:, tag] - begin[:, 0], end[:, tag] - end[:, 0]
    best, run = -np.inf, None
    open_at, so_far = 0, -np.inf
    for at, gain in enumerate(gains):
        if begins[at] >= so_far:
            open_at, so_far = at, float(begins[at])
        so_far += gain
        if so_far + ends[at + 1] > best:
            best, run = so_far + ends[at + 1], (open_at, at + 1)
    return run


def _words(text: str, tokens: Sequence[Token], run: tuple[int, int]) -> str:
    """Without the marks and the quotation marks around them."""
    found = text[tokens[run[0]].start : tokens[run[1] - 1].end].strip(_MARKS)
    if len(found) > 1 and _PAIRS.get(found[0]) == found[-1]:
        found = found[1:-1].strip(_MARKS)
    return found


LABELS = ("none", *COMMANDS)
FILE = Path(__file__).parent / "commands.npz"
WIDTH = 768


@dataclass(frozen=True)
class CommandHeads:
    """`vector` (WIDTH, labels) stands on the encoder's vector of the text."""

    command: LinearHead
    vector: Array
    objects: ObjectHeads

    def shares(self, text: str, vector: Array) -> Mapping[str, float]:
        """How probable each command is, and that it is none."""
        logits = self.command.logits(command_features(text)) + vector @ self.vector
        shares = np.exp(logits - logits.max())
        return dict(zip(LABELS, (shares / shares.sum()).tolist(), strict=True))


@cache
def load_command_heads(path: Path = FILE) -> CommandHeads:
    """Read once."""
    heads = load_heads(path)
    with np.load(path) as stored:
        vector = stored["vector"].astype(np.float32)
    return CommandHeads(
        heads["command"], vector, ObjectHeads(heads["tag"], heads["begin"], heads["end"])
    )


def most_probable_command(shares: Mapping[str, float]) -> CommandName:
    return max(COMMANDS, key=lambda name: shares[name])


def command_features(text: str) -> Buckets:
    """Of a sentence or a part of one, whatever stands beside it."""
    tokens = fold_words(text)
    features = [
        *sentence_features(text),
        *(f"over {a} {b}" for a, b in zip(tokens, tokens[2:], strict=False)),
    ]
    return hash_features(features, BUCKETS)


# From so probable on it is one: what is hard to take back has to be surest. Found on writers that
# were held out (docs/decisions/0029-commands.md).
SURE_FROM: Mapping[CommandName, float] = {
    **dict.fromkeys(COMMANDS, 0.85),
    **dict.fromkeys(("forget", "erase_me"), 0.93),
    **dict.fromkeys(("list", "audit"), 0.6),
}
# Their object is a part of the words; of the others it is looked for with all of them.
_WITH_OBJECT: frozenset[CommandName] = frozenset(
    {"remember", "remember_anyway", "pin", "unpin", "about", "edit"}
)
# A part counts where the sentence, and the message, is as probably the same; one of several
# commands, where it is as sure by itself.
AS_A_WHOLE, SUREST = 0.3, 0.9
LONGEST_LEAD_IN = 40
# So probable a request ends what is to be remembered: words that are lost are not seen.
SURELY_ASKED = 0.7
# Of what has more characters only the parts are looked at.
LONGEST_LOOKED_AT = 300


@dataclass(frozen=True)
class SegmentRun:
    """Segments `first` to `last` that are looked at as one, not counting `last`."""

    first: int
    last: int
    text: str

    @property
    def size(self) -> int:
        return self.last - self.first

    def overlaps(self, other: SegmentRun) -> bool:
        return self.first < other.last and other.first < self.last


Shares = Mapping[SegmentRun, Mapping[str, float]]


def sentence_runs(
    text: str, segments: Sequence[Segment], opens: Sequence[bool]
) -> list[SegmentRun]:
    """The segments of each sentence; what is quoted is in none. `opens` says of each segment
    whether a sentence begins with it."""
    runs: list[SegmentRun] = []
    for at, each in enumerate(segments):
        if each.kind == "quotation" and each.kinds == {"quotation": 1.0}:
            continue
        before = runs[-1] if runs and not opens[at] and runs[-1].last == at else None
        first = at if before is None else before.first
        run = SegmentRun(first, at + 1, text[segments[first].start : each.end])
        runs[-1:] = [run] if before is not None else [*runs[-1:], run]
    return runs


def combined_runs(sentences: Sequence[SegmentRun]) -> list[SegmentRun]:
    """The sentences that are more than one of their segments."""
    return [each for each in sentences if each.size > 1 and len(each.text) <= LONGEST_LOOKED_AT]


def lead_in(text: str) -> str | None:
    """What stands before its first colon, with it; None where that is long, or nothing follows."""
    lead, colon, rest = text.partition(":")
    return lead + colon if rest[:1].isspace() and len(lead) <= LONGEST_LEAD_IN else None


def message_run(text: str, segments: Sequence[Segment]) -> SegmentRun | None:
    """The message as one; None where it is too long for that, or one segment."""
    if len(segments) < 2:  # noqa: PLR2004
        return None
    words = text[segments[0].start : segments[-1].end]
    return SegmentRun(0, len(segments), words) if len(words) <= LONGEST_LOOKED_AT else None


def find_sure_runs(shares: Shares) -> list[SegmentRun]:
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


def choose_commands(
    shares: Shares, whole: Mapping[str, float] | None
) -> dict[SegmentRun, CommandName]:
    """What the runs command of which the shares are told, in order; `whole` are the shares of the
    message as one, where they were looked at."""
    taken = _taken({run: shares[run] for run in find_sure_runs(shares)})
    if whole is not None:
        taken = [run for run in taken if _agrees(run, taken, shares, whole)]
    in_order = sorted(taken, key=lambda run: run.first)
    return {run: most_probable_command(shares[run]) for run in in_order}


def find_command_mentions(
    text: str,
    segments: Sequence[Segment],
    sentences: Sequence[SegmentRun],
    commands: Mapping[SegmentRun, CommandName],
    heads: ObjectHeads,
) -> list[CommandMention]:
    """The same with the words that each is about; none in what another wants remembered."""
    orders: list[CommandMention] = []
    for run, name in commands.items():
        if orders and segments[run.first].start < orders[-1].end:
            continue
        wide = _widened(run, list(commands), segments, sentences) if name in _WITH_OBJECT else run
        start, end = segments[wide.first].start, segments[wide.last - 1].end
        words = text[start:end]
        marked = heads.marked(words, name) if name in _WITH_OBJECT else {}
        order = CommandMention(name, start, end, words, **marked)
        if name == "remember":
            order = _with_all_words(order, text, segments, run, list(commands))
        orders.append(order)
    return orders


def _with_all_words(
    order: CommandMention,
    text: str,
    segments: Sequence[Segment],
    run: SegmentRun,
    taken: Sequence[SegmentRun],
) -> CommandMention:
    """What is to be remembered as far as it goes, which the heads know only in part."""
    start, end = segments[run.first].start, segments[run.last - 1].end
    begin = find_begin(text, start, end, order.object, first=run.first == 0)
    if begin is None or (order.object is not None and not _leads(text[order.start : begin])):
        return order
    known = begin if order.object is None else begin + len(order.object)
    others = {each.first for each in taken if each is not run}
    stops = [
        each.start
        for at, each in enumerate(segments)
        if (each.start > begin and (at in others or _is_asked(each, leads=has_colon(order.text))))
        or (each.start > known and each.commands.get("remember", 0.0) >= SURE_FROM["remember"])
    ]
    end = find_end(text, start, begin, known, stops)
    kept = trim(text[begin:end], keeps_question=has_colon(text[start:begin]))
    if not kept:
        return order
    first = min(order.start, begin)
    last = max(order.end, end)
    return replace(order, start=first, end=last, text=text[first:last], object=kept)


def _leads(words: str) -> bool:
    """Whether a command is said before what is to be remembered."""
    return any(each.isalpha() for each in words)


def _is_asked(segment: Segment, *, leads: bool) -> bool:
    """What a colon `leads` to may well be steps, which sound like requests."""
    requested = not leads and segment.kinds.get("request", 0.0) >= SURELY_ASKED
    return requested or is_question(segment.text)


def _is_sure(shares: Mapping[str, float]) -> bool:
    name = most_probable_command(shares)
    return shares[name] >= SURE_FROM[name]


def _agrees(
    run: SegmentRun, taken: Sequence[SegmentRun], shares: Shares, whole: Mapping[str, float]
) -> bool:
    """Whether the message as a whole sounds like it. One of several commands need not, where it is
    surest itself, nor what is to be remembered beside talk."""
    name = most_probable_command(shares[run])
    others = {most_probable_command(shares[each]) for each in taken} - {name}
    beside = bool(others) or name == "remember"
    return whole[name] >= AS_A_WHOLE or (beside and shares[run][name] >= SUREST)


def _taken(sure: Shares) -> list[SegmentRun]:
    """The surest, and of those that share segments the sentence only where one part of it commands
    something."""
    singles = [run for run in sure if run.size == 1]
    taken: list[SegmentRun] = []
    for run in sorted(sure, key=lambda each: max(sure[each][name] for name in COMMANDS))[::-1]:
        parts = sum(run.overlaps(each) for each in singles)
        if (run.size == 1 or parts < 2) and not any(map(run.overlaps, taken)):  # noqa: PLR2004
            taken.append(run)
    return taken


def _widened(
    run: SegmentRun,
    taken: Sequence[SegmentRun],
    segments: Sequence[Segment],
    sentences: Sequence[SegmentRun],
) -> SegmentRun:
    """With what its sentence says beside it, as far as the next command or question."""
    sentence = next(each for each in sentences if each.first <= run.first < each.last)
    others = [each for each in taken if each is not run]

    def free(at: int) -> bool:
        beside = SegmentRun(at, at + 1, "")
        return not any(map(beside.overlaps, others)) and segments[at].kind not in ASKING

    first, last = run.first, run.last
    while first > sentence.first and free(first - 1):
        first -= 1
    while last < sentence.last and free(last):
        last += 1
    return SegmentRun(first, last, "")
