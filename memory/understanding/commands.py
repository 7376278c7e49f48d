"""What somebody tells Keepsake to do with memory: which command, and the words that it is about.

A linear head over hashed n-grams and the vector of the fine-tuned encoder says which; another over
what surrounds each word says which words are its object (docs/decisions/0029-commands.md).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Literal, cast, get_args

import numpy as np
import numpy.typing as npt

from memory.understanding.features import Buckets, Token, tokens_of
from memory.understanding.ngrams import character_ngrams, ngrams, words
from memory.understanding.weights import Array, Head, load_heads

CommandName = Literal[
    "remember",
    "remember_anyway",
    "forget",
    "do_not_remember",
    "undo",
    "pin",
    "unpin",
    "list",
    "about",
    "edit",
    "memory_off",
    "memory_on",
    "memory_read_only",
    "incognito_on",
    "incognito_read_only",
    "incognito_off",
    "export",
    "import",
    "erase_me",
    "why",
    "audit",
]
COMMANDS: tuple[CommandName, ...] = get_args(CommandName)
LABELS = ("none", *COMMANDS)
TAGS = ("outside", "object", "old", "new")
FILE = Path(__file__).parent / "commands.npz"
BUCKETS = 2**15
WIDTH = 768
# From so probable on it is one: what is hard to take back has to be surest. Found on writers that
# were held out.
SURE_FROM: Mapping[CommandName, float] = {
    **dict.fromkeys(COMMANDS, 0.8),
    **dict.fromkeys(("list", "about", "why", "audit", "export", "import", "undo"), 0.7),
    **dict.fromkeys(("erase_me", "edit"), 0.9),
}
# Their object is a part of the words; of the others it is looked for with all of them.
WITH_OBJECT: frozenset[CommandName] = frozenset(
    {"remember", "remember_anyway", "pin", "unpin", "about", "edit"}
)
_FIRST_WORDS, _LONGEST, _NEAR, _BEFORE = 4, 20, 3, 8
_MARKS = " \t\n.,;:!?…–—-"
_PAIRS = {'"': '"', "“": "”", "„": "“", "«": "»", "‘": "’", "'": "'", "(": ")"}


@dataclass(frozen=True)
class Order:
    """A command, as it was said at `start` to `end` of the readable text. `object` are the words
    that it is about or that are to be kept, of an edit the old ones; None where it names none.
    `new` are the words that an edit writes."""

    name: CommandName
    start: int
    end: int
    text: str
    object: str | None = None
    new: str | None = None


@dataclass(frozen=True)
class CommandHeads:
    """`vector` (WIDTH, labels) stands on the encoder's vector of the text."""

    command: Head
    vector: Array
    tag: Head

    def shares(self, text: str, vector: Array) -> Mapping[str, float]:
        """How probable each command is, and that it is none."""
        logits = self.command.logits(command_features(text)) + vector @ self.vector
        shares = np.exp(logits - logits.max())
        return dict(zip(LABELS, (shares / shares.sum()).tolist(), strict=True))

    def objects(self, text: str, name: CommandName) -> tuple[str | None, str | None]:
        """The words it is about, and of an edit the new ones."""
        tokens = tokens_of(text)
        logits = np.array(
            [self.tag.logits(tag_features(tokens, at, name)) for at in range(len(tokens))]
        ).reshape(len(tokens), len(TAGS))
        if name != "edit":
            return _words(text, tokens, _best(logits, "object")), None
        new = _best(logits, "new")
        for at in range(*new):
            logits[at, TAGS.index("outside")] = math.inf
        return _words(text, tokens, _best(logits, "old")), _words(text, tokens, new)


@cache
def load_command_heads(path: Path = FILE) -> CommandHeads:
    """Read once."""
    heads = load_heads(path)
    with np.load(path) as stored:
        return CommandHeads(heads["command"], stored["vector"].astype(np.float32), heads["tag"])


def most_probable_command(shares: Mapping[str, float]) -> CommandName:
    return cast(CommandName, max(COMMANDS, key=lambda name: shares[name]))


def command_features(text: str) -> Buckets:
    """Of a sentence or a part of one, whatever stands beside it."""
    tokens = words(text)
    features = [
        *ngrams(text),
        *(f"p{at}={each}" for at, each in enumerate(_filled(tokens, _FIRST_WORDS))),
        f"p01={' '.join(tokens[:2])}",
        f"p012={' '.join(tokens[:3])}",
        f"last={tokens[-1] if tokens else ''}",
        f"length={min(len(tokens), _LONGEST) // 2}",
        f"asks={'?' in text}",
        *(f"over {a} {b}" for a, b in zip(tokens, tokens[2:], strict=False)),
    ]
    return _hashed(features)


def tag_features(tokens: Sequence[Token], at: int, name: str) -> Buckets:
    """Of one word or mark of what was said, given the command that it is."""
    folded = ["^", "^", "^", *(each.folded for each in tokens), "$", "$", "$"]
    near = {step: folded[at + _NEAR + step] for step in range(-_NEAR, _NEAR + 1)}
    before = [each.folded for each in tokens[max(0, at - _BEFORE) : at]]
    marks = [each.folded for each in tokens[:at] if not each.is_word]
    features = [
        *(f"{step}={word}" for step, word in near.items()),
        *(f"{step}&{step + 1}={a} {b}" for (step, a), (_, b) in pairwise(near.items())),
        *(f"before={each}" for each in before),
        *(f"after={each.folded}" for each in tokens[at + 1 : at + 1 + _BEFORE]),
        *(f"{name} before={each}" for each in before),
        *character_ngrams(f" {tokens[at].folded} "),
        f"{name} at={min(at, 12)}",
        f"{name} to={min(len(tokens) - at, 12)}",
        f"{name} mark={marks[-1] if marks else ''}",
        f"{name} shape={tokens[at].shape}",
        f"{name} word={tokens[at].folded}",
        f"{name} marks={min(len(marks), 3)} {near[-1]}",
        name,
    ]
    return _hashed(features)


def _best(logits: npt.NDArray[np.float32], tag: str) -> tuple[int, int]:
    """The run of tokens that is most probably all of this tag; an empty one where none is."""
    gains = logits[:, TAGS.index(tag)] - logits[:, [n != TAGS.index(tag) for n in range(4)]].max(1)
    sums = [0.0, *accumulate(gains.tolist())]
    best, run, lowest = 0.0, (0, 0), 0
    for end, total in enumerate(sums):
        if total - sums[lowest] > best:
            best, run = total - sums[lowest], (lowest, end)
        if total < sums[lowest]:
            lowest = end
    return run


def _words(text: str, tokens: Sequence[Token], run: tuple[int, int]) -> str | None:
    """Without the marks and the quotation marks around them."""
    start, end = run
    if start == end:
        return None
    found = text[tokens[start].start : tokens[end - 1].end].strip(_MARKS)
    if len(found) > 1 and _PAIRS.get(found[0]) == found[-1]:
        found = found[1:-1].strip(_MARKS)
    return found or None


def _filled(tokens: Sequence[str], size: int) -> Iterator[str]:
    return (tokens[at] if at < len(tokens) else "$" for at in range(size))


def _hashed(features: Sequence[str]) -> Buckets:
    encoded = {each.encode("utf-8", "surrogatepass") for each in features}
    return np.array(sorted({zlib.crc32(each) % BUCKETS for each in encoded}), np.intp)
