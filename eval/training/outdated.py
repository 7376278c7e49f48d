"""Trains what chooses the words of an older text that hold no more beside a newer one, on what the
network of corrections sees of both: a choice between all runs of its words."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from rich.progress import track
from torch import Tensor, nn
from torch.nn import functional

from eval.training.examples import Pair
from eval.training.pretrained import WIDTH
from memory.understanding.corrections import WORD
from memory.understanding.encoded_text import Span
from memory.understanding.multilingual_encoder import MultilingualEncoder
from memory.understanding.outdated import (
    OUTDATED_FILE,
    OutdatedReader,
    PairVectors,
    read_pair,
)

_WIDE, _DROPOUT = 96, 0.2
_EPOCHS, _BATCH, _RATE, _DECAY, _LEAST_RATE = 6, 16, 1e-3, 0.05, 0.02
# What is replaced tells several things more often than what was marked does: that all of it goes
# counts so much less, in log odds.
_LESS_WHOLE = 1.0
_OF_PIECES = ("first", "last", "inside", "outside", "before", "after")


@dataclass(frozen=True)
class RunExample:
    """The pieces that each run of words begins and ends with, and which run it is that goes."""

    pieces: Tensor
    both: Tensor
    ends: Tensor
    begins: Tensor
    closes: Tensor
    goes: int


def run_examples(encoder: MultilingualEncoder, pairs: Sequence[Pair]) -> list[RunExample]:
    """Of those of which one run goes, and that the network reads whole."""
    found: list[RunExample] = []
    for each in track(pairs, description="reading"):
        vectors = read_pair(encoder, each.new, each.old)
        if vectors is not None and each.gone and len(each.gone) == 1:
            found += _example(vectors, each.gone[0])
    return found


def _example(vectors: PairVectors, goes: Span) -> Iterator[RunExample]:
    start, end = goes
    inside = [at for at, (a, b, *_) in enumerate(vectors.words) if b > start and a < end]
    firsts, lasts = np.triu_indices(len(vectors.words))
    places = np.array(vectors.words)
    if inside:
        yield RunExample(
            torch.tensor(vectors.pieces),
            torch.tensor(vectors.both),
            torch.log_softmax(torch.tensor(vectors.ends), 0),
            torch.tensor(places[firsts, 2]),
            torch.tensor(places[lasts, 3]),
            int(np.flatnonzero((firsts == inside[0]) & (lasts == inside[-1]))[0]),
        )


class RunScorer(nn.Module):  # type: ignore[misc]
    """What `memory.understanding.outdated` computes."""

    def __init__(self) -> None:
        super().__init__()
        self.of_pieces = nn.ModuleDict({name: _linear() for name in _OF_PIECES})
        self.both = nn.Linear(3 * WIDTH, _WIDE)
        self.score = nn.Linear(_WIDE, 1, bias=False)
        self.ends = nn.Parameter(torch.ones(2))
        self.whole = nn.Parameter(torch.zeros(()))
        self.drop = nn.Dropout(_DROPOUT)

    def forward(self, each: RunExample) -> Tensor:
        """The logits of all runs."""
        pieces, begins, closes = self.drop(each.pieces), each.begins, each.closes
        told = {name: part(pieces) for name, part in self.of_pieces.items()}
        none = torch.zeros(1, _WIDE)
        inside, outside = (
            torch.cat([none, told[name].cumsum(0)]) for name in ("inside", "outside")
        )
        length = (closes - begins + 1).float()[:, None]
        of_run = (inside[closes + 1] - inside[begins]) / length
        left = outside[-1] - (outside[closes + 1] - outside[begins])
        left = left / (len(pieces) - length).clamp(min=1)
        before, after = torch.cat([none, told["before"]]), torch.cat([told["after"], none])
        wide = told["first"][begins] + told["last"][closes] + of_run + left
        wide = wide + before[begins] + after[closes + 1] + self.both(self.drop(each.both))
        logits = self.score(self.drop(torch.relu(wide)))[:, 0]
        logits = logits + self.ends[0] * each.ends[begins, 0] + self.ends[1] * each.ends[closes, 1]
        return logits + self.whole * ((begins == 0) & (closes == len(pieces) - 1))


def _linear() -> nn.Linear:
    return nn.Linear(WIDTH, _WIDE, bias=False)


def fit_outdated(examples: Sequence[RunExample], seed: int = 1) -> RunScorer:
    """Two minutes on one core for six thousand."""
    torch.manual_seed(seed)
    rng, scorer = random.Random(seed), RunScorer()  # noqa: S311 - no secret
    optimiser = torch.optim.AdamW(scorer.parameters(), lr=_RATE, weight_decay=_DECAY)
    batches = [
        drawn[at : at + _BATCH]
        for _ in range(_EPOCHS)
        for drawn in [rng.sample(examples, len(examples))]
        for at in range(0, len(drawn), _BATCH)
    ]
    for step, batch in enumerate(track(batches, description="training")):
        for group in optimiser.param_groups:
            group["lr"] = _RATE * max(_LEAST_RATE, 1 - step / len(batches))
        optimiser.zero_grad()
        costs = [
            functional.cross_entropy(scorer(each)[None], torch.tensor([each.goes]))
            for each in batch
        ]
        torch.stack(costs).mean().backward()
        optimiser.step()
    scorer.eval()
    return scorer


def save_outdated(scorer: RunScorer) -> None:
    """Writes what `memory.understanding.outdated` reads."""
    heads = {name: part.weight.T for name, part in scorer.of_pieces.items()}
    heads |= {"both": scorer.both.weight.T, "bias": scorer.both.bias, "ends": scorer.ends}
    heads |= {"score": scorer.score.weight[0], "whole": scorer.whole - _LESS_WHOLE}
    arrays = {name: each.detach().numpy().astype(np.float16) for name, each in heads.items()}
    np.savez_compressed(OUTDATED_FILE, allow_pickle=False, **arrays)


def figures_of_outdated(reader: OutdatedReader, pairs: Sequence[Pair]) -> dict[str, Any]:
    """How often the words that were marked are chosen, of those of which something stays and of
    those that go as a whole."""
    parts: list[bool] = []
    wholes: list[bool] = []
    for each in pairs:
        if not each.gone or len(each.gone) > 1:
            continue
        marked, found = _words_without(each.old, *each.gone[0]), reader.read(each.new, each.old)
        left = None if found is None else _words_without(each.old, found.start, found.end)
        (parts if marked else wholes).append(left == marked)
    return {
        "a part holds": len(parts),
        "word for word": f"{np.mean(parts):.3f}",
        "nothing holds": len(wholes),
        "goes whole": f"{np.mean(wholes):.3f}",
    }


def _words_without(text: str, start: int, end: int) -> list[str]:
    return [*WORD.findall(text[:start]), *WORD.findall(text[end:])]
