"""What a message corrects of what was told before: “25:14!! cant even read my own watch” of “ran
the 5k in 25:40”. A network reads the message beside each memory, and tells which one it corrects
and which words of it go for which of the message.

Trained by `python -m eval.training corrections`; see docs/decisions/0034-corrections.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from memory.package_files import LoadedOnce, open_network
from memory.understanding.encoded_text import Span, softmax
from memory.understanding.multilingual_encoder import (
    UNKNOWN,
    Array,
    MultilingualEncoder,
    TextTokens,
    load_multilingual_encoder,
    pair_input,
    pooled_pair,
)

CORRECTION_LAYERS_FILE = Path(__file__).with_name("corrections.onnx")
CORRECTION_HEADS_FILE = Path(__file__).with_name("corrections.npz")
# Pieces of each of the two texts; a longer one is not read.
CORRECTION_TOKENS = 70
# So probably a message corrects a memory that this is done at once: it can be taken back, but what
# else the message might have told is not learned.
CORRECTS_FROM = 0.95
_MAX_CHARACTERS = 600
_SENTENCE_END = re.compile(r"[.!?…]\s")
# A time, a date or a sum is one word.
WORD = re.compile(r"\w+(?:['’.,:/-]\w+)*|[^\w\s]")
# Words of a run at most, how probably another run than the likeliest begins and ends so, and how
# probably all of them together do.
_MOST_WORDS, _ANOTHER_FROM, _TOLD_FROM = 12, 0.25, 0.4


@dataclass(frozen=True)
class CorrectionReading:
    """`share` is the probability that this is the memory that a message corrects, `content` what it
    says then, `new` the words of the message that are in it, and `told` how probably these are the
    words; None where there are none."""

    share: float
    content: str | None = None
    new: str | None = None
    told: float = 0.0

    @property
    def is_sure(self) -> bool:
        return self.share >= CORRECTS_FROM and self.told >= _TOLD_FROM


@dataclass(frozen=True)
class CorrectionReader:
    """Blocking calls; some 10 ms for a memory of twenty words."""

    encoder: MultilingualEncoder

    def read(self, said: str, memories: Sequence[str]) -> list[CorrectionReading]:
        """Of each memory, in their order; their shares and that of none of them are 1 together."""
        message = short_tokens(self.encoder, said)
        if message is None:
            return [CorrectionReading(0.0) for _ in memories]
        read = [self._read(said, message, each) for each in memories]
        logits = np.array([0.0, *(each.share for each in read)], np.float32)
        shares = softmax(logits)[1:].tolist()
        return [replace(each, share=share) for each, share in zip(read, shares, strict=True)]

    def _read(self, said: str, message: TextTokens, memory: str) -> CorrectionReading:
        """With the log-odds against its being none in the place of its share."""
        known = short_tokens(self.encoder, memory)
        if known is None:
            return CorrectionReading(-np.inf)
        row = pair_input(known.ids, message.ids)
        (hidden,) = self.encoder.run([row])
        logit = self.encoder.head("corrects", pooled_pair(hidden, row))[0]
        ends = self.encoder.head("ends", hidden)
        begin = len(known.ids) + 3
        goes, went = likeliest_runs(memory, known, ends[1 : len(known.ids) + 1, :2])
        comes, came = likeliest_runs(said, message, ends[begin : begin + len(message.ids), 2:4])
        new = said[slice(*comes[0])] if comes else None
        content = corrected_text(memory, goes, said, comes)
        return CorrectionReading(float(logit), content, new, min(went, came))


def short_tokens(encoder: MultilingualEncoder, text: str) -> TextTokens | None:
    """None where it is too long to be read beside another one, or mostly in letters that are not
    known."""
    if len(text) > _MAX_CHARACTERS:
        return None
    found = encoder.tokens(text)
    known = len(found.ids) - found.ids.count(UNKNOWN)
    return found if 0 < len(found.ids) <= min(CORRECTION_TOKENS, 2 * known) else None


def likeliest_runs(text: str, tokens: TextTokens, ends: Array) -> tuple[list[Span], float]:
    """Where the run of whole words stands that most probably begins and ends so, by the logits
    (pieces, 2) of both, and such others as may well be one too; and how probable all these are."""
    begins, closes = (softmax(each).tolist() for each in ends.T)
    words = list(word_places(text, tokens.offsets))
    runs = [
        (begins[first], closes[last], start, end)
        for at, (start, _, first, _) in enumerate(words)
        for _, end, _, last in words[at : at + _MOST_WORDS]
        if not _SENTENCE_END.search(text[start:end])
    ]
    found: list[Span] = []
    begun, closed = 0.0, 0.0
    for begin, close, start, end in sorted(runs, key=lambda run: (-run[0] * run[1], *run[2:])):
        likely = not found or min(begin, close) >= _ANOTHER_FROM
        if likely and not any(start < b and a < end for a, b in found):
            found.append((start, end))
            begun, closed = begun + begin, closed + close
    return found, begun * closed


def word_places(text: str, offsets: Sequence[Span]) -> Iterator[tuple[int, int, int, int]]:
    """Where each word or mark begins and ends, and its first and its last piece."""
    for word in WORD.finditer(text):
        pieces = [at for at, (a, b) in enumerate(offsets) if a < word.end() and b > word.start()]
        if pieces:
            yield word.start(), word.end(), pieces[0], pieces[-1]


def corrected_text(
    memory: str, goes: Sequence[Span], said: str, comes: Sequence[Span]
) -> str | None:
    """The memory with what comes in the place of what goes, the likeliest first. Where as many runs
    go as come each takes the place of one, in their order; else the likeliest does, wherever the
    same words go."""
    if not goes or not comes:
        return None
    if len(goes) == len(comes):
        exchanged = list(zip(sorted(goes), sorted(comes), strict=True))
    else:
        wrong = [memory[start:end].casefold() for start, end in goes]
        same = [run for run, words in zip(goes, wrong, strict=True) if words == wrong[0]]
        exchanged = [(run, comes[0]) for run in sorted(same)]
    for (start, end), (first, last) in reversed(exchanged):
        memory = memory[:start] + said[first:last] + memory[end:]
    return memory


@LoadedOnce
def load_correction_reader() -> CorrectionReader:
    """Takes a third of a second."""
    with np.load(CORRECTION_HEADS_FILE) as stored:
        parts = {name: stored[name].astype(np.float32) for name in stored.files}
    session = open_network(CORRECTION_LAYERS_FILE.read_bytes())
    whole = load_multilingual_encoder()
    return CorrectionReader(replace(whole, session=session, types=parts.pop("types"), heads=parts))
