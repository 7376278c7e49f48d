"""Which words of what was told before hold no more beside what is told now, or are meant by a wish
to forget: of “gaz picks me up at half 6 by the shell garage” beside “gaz gets me at 6:10” the time.

The network of `corrections.py` reads both; every run of whole words is scored by its ends, by what
stands beside them, and by what is in it and what is left. Trained by `python -m eval.training
outdated`; see docs/decisions/0026-relations.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory.package_files import LoadedOnce
from memory.understanding.corrections import load_correction_reader, short_tokens, word_places
from memory.understanding.encoded_text import softmax
from memory.understanding.multilingual_encoder import (
    Array,
    MultilingualEncoder,
    pair_input,
    pooled_pair,
)

OUTDATED_FILE = Path(__file__).with_name("outdated.npz")
Places = npt.NDArray[np.intp]
WordPlace = tuple[int, int, int, int]


@dataclass(frozen=True)
class OutdatedWords:
    """They stand from `start` to `end` of the older text; `told` is how probably it is these."""

    start: int
    end: int
    told: float


@dataclass(frozen=True)
class PairVectors:
    """An older text beside a newer one: what stands for each piece of the older, (pieces, 384), and
    for both, (1152,); the log-odds (pieces, 2) that what is outdated begins and ends with a piece;
    and of each word or mark where it begins and ends, and its first and its last piece."""

    pieces: Array
    both: Array
    ends: Array
    words: list[WordPlace]


def read_pair(encoder: MultilingualEncoder, new: str, old: str) -> PairVectors | None:
    """None where the two are too long to be read whole, or in letters that are not known."""
    newer, older = short_tokens(encoder, new), short_tokens(encoder, old)
    if newer is None or older is None:
        return None
    row = pair_input(older.ids, newer.ids)
    (hidden,) = encoder.run([row])
    pieces, words = hidden[1 : len(older.ids) + 1], _apart(word_places(old, older.offsets))
    ends = encoder.head("ends", pieces)[:, 4:]
    return PairVectors(pieces, pooled_pair(hidden, row), ends, words) if words else None


def _apart(words: Iterable[WordPlace]) -> list[WordPlace]:
    """Those that share a piece as one, such as “!!!!”."""
    found: list[WordPlace] = []
    for word in words:
        shares = bool(found) and word[2] <= found[-1][3]
        start, _, first, _ = found.pop() if shares else word
        found.append((start, word[1], first, word[3]))
    return found


@dataclass(frozen=True)
class OutdatedReader:
    """Blocking calls; some 10 ms for a pair."""

    encoder: MultilingualEncoder
    heads: Mapping[str, Array]

    def read(self, new: str, old: str) -> OutdatedWords | None:
        """The likeliest run of words of the old text; None where it does not read all of both."""
        pair = read_pair(self.encoder, new, old)
        if pair is None:
            return None
        firsts, lasts = np.triu_indices(len(pair.words))
        begins = np.array([first for _, _, first, _ in pair.words])[firsts]
        ends = np.array([last for _, _, _, last in pair.words])[lasts]
        shares = softmax(self._logits(pair, begins, ends))
        best = int(shares.argmax())
        start, end = pair.words[firsts[best]][0], pair.words[lasts[best]][1]
        return OutdatedWords(start, end, float(shares[best]))

    def _logits(self, pair: PairVectors, begins: Places, ends: Places) -> Array:
        """Of the runs of pieces that begin and end so. Sums are taken from the start, so that each
        mean is a difference."""
        told = {name: pair.pieces @ self.heads[name] for name in ("first", "last", "before")}
        sums = {
            name: _padded(np.cumsum(pair.pieces @ self.heads[name], axis=0))
            for name in ("inside", "outside")
        }
        after = np.concatenate(
            [pair.pieces @ self.heads["after"], np.zeros_like(sums["inside"][:1])]
        )
        length = (ends - begins + 1)[:, None]
        inside = (sums["inside"][ends + 1] - sums["inside"][begins]) / length
        left = sums["outside"][-1] - (sums["outside"][ends + 1] - sums["outside"][begins])
        left = left / np.maximum(len(pair.pieces) - length, 1)
        wide = told["first"][begins] + told["last"][ends] + inside + left
        wide = wide + _padded(told["before"])[begins] + after[ends + 1]
        wide = np.maximum(wide + pair.both @ self.heads["both"] + self.heads["bias"], 0)
        shares = np.log(softmax(pair.ends.T))
        logits = wide @ self.heads["score"] + self.heads["ends"] @ np.array(
            [shares[0][begins], shares[1][ends]]
        )
        whole = (begins == 0) & (ends == len(pair.pieces) - 1)
        return np.asarray(logits + self.heads["whole"] * whole, np.float32)


def _padded(rows: Array) -> Array:
    return np.concatenate([np.zeros_like(rows[:1]), rows])


@LoadedOnce
def load_outdated_reader() -> OutdatedReader:
    """Takes a third of a second where no correction was read yet."""
    with np.load(OUTDATED_FILE) as stored:
        heads = {name: stored[name].astype(np.float32) for name in stored.files}
    return OutdatedReader(load_correction_reader().encoder, heads)
