"""Trains what reads a message beside each memory that it may correct: which of them it corrects, if
one at all, and which words of the memory go for which of the message; and beside a memory that it
takes the place of, which words of that hold no more."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from eval.training.correction_labels import exchanged_words
from eval.training.data import LabelledCorrection
from eval.training.examples import Pair
from eval.training.export import save_layers
from eval.training.fit import Recipe, run_steps, weights_of
from eval.training.network import ReaderNetwork, mean_of_own, padded
from eval.training.pairs import retyped
from eval.training.pretrained import WIDTH, PretrainedModel
from eval.training.shipped import load_shipped_weights
from memory.understanding.corrections import (
    CORRECTION_HEADS_FILE,
    CORRECTION_LAYERS_FILE,
    CORRECTION_TOKENS,
    CorrectionReader,
)
from memory.understanding.encoded_text import Span
from memory.understanding.multilingual_encoder import (
    PADDING,
    EncoderInput,
    make_unigram_tokenizer,
    pair_input,
)

# Against the choice between the memories and none: what each by itself costs, and an end of a run.
_OF_EACH, _OF_END = 0.5, 0.5
# Columns of the logits of each piece: that what goes begins with it, and ends; what comes; and what
# holds no more.
_GOES, _COMES, _OUTDATED = 0, 2, 4
_SMALL_MESSAGE, _SMALL_MEMORY, _NO_END = 0.2, 0.15, 0.15
_HEADS = ("corrects", "ends")


@dataclass(frozen=True)
class CorrectionExample:
    """A message beside each memory, in pieces, and which of them it corrects. `goes` and `comes`
    are 1 for the pieces of that memory and of the message that do; None where nobody knows."""

    rows: list[EncoderInput]
    message_at: int
    of: int | None
    goes: list[int] | None
    comes: list[int] | None

    @property
    def size(self) -> int:
        return sum(len(each.ids) for each in self.rows)


@dataclass(frozen=True)
class OutdatedExample:
    """What was told before beside what is told now; `gone` is 1 for the pieces of the older text
    that hold no more."""

    row: EncoderInput
    gone: list[int]

    @property
    def rows(self) -> list[EncoderInput]:
        return [self.row]

    @property
    def size(self) -> int:
        return len(self.row.ids)


Example: TypeAlias = CorrectionExample | OutdatedExample


class CorrectionExamples:
    """Makes examples of labelled corrections, and of pairs of which the older text holds no more in
    a part that is known."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def typed(self, given: LabelledCorrection, rng: random.Random) -> CorrectionExample:
        """As somebody might type it."""
        said = given.said.lower() if rng.random() < _SMALL_MESSAGE else given.said
        said = said.rstrip(".!?") if rng.random() < _NO_END else said
        small = rng.random() < _SMALL_MEMORY
        memories = [each.lower() if small else each for each in given.memories]
        return self._example(given, said, memories)

    def outdated(self, pair: Pair) -> OutdatedExample:
        older = self._tokenizer.encode(pair.old, add_special_tokens=False)
        newer = self._tokenizer.encode(pair.new, add_special_tokens=False)
        row = pair_input(older.ids[:CORRECTION_TOKENS], newer.ids[:CORRECTION_TOKENS])
        return OutdatedExample(row, _marked(older.offsets[:CORRECTION_TOKENS], pair.gone) or [])

    def _example(
        self, given: LabelledCorrection, said: str, memories: Sequence[str]
    ) -> CorrectionExample:
        message = self._tokenizer.encode(said, add_special_tokens=False)
        known = [self._tokenizer.encode(each, add_special_tokens=False) for each in memories]
        ids = message.ids[:CORRECTION_TOKENS]
        rows = [pair_input(each.ids[:CORRECTION_TOKENS], ids) for each in known]
        if given.of is None or given.after is None:
            return CorrectionExample(rows, 0, None, None, None)
        goes, comes = exchanged_words(given.memories[given.of], given.said, given.after)
        own = known[given.of].offsets[:CORRECTION_TOKENS]
        return CorrectionExample(
            rows,
            len(own) + 3,
            given.of,
            _marked(own, goes),
            _marked(message.offsets[:CORRECTION_TOKENS], comes),
        )


def _marked(offsets: Sequence[Span], places: Sequence[Span] | None) -> list[int] | None:
    if places is None:
        return None
    return [int(any(end > a and start < b for a, b in places)) for start, end in offsets]


class CorrectionNetwork(nn.Module):  # type: ignore[misc]
    """Begins with the reader, which has learned to compare two texts."""

    def __init__(self, base: PretrainedModel, layers: int) -> None:
        super().__init__()
        self.encoder = ReaderNetwork(base, layers)
        shipped = {name: torch.tensor(each) for name, each in load_shipped_weights().items()}
        self.encoder.load_state_dict(self.encoder.state_dict() | shipped)
        self.corrects, self.ends = nn.Linear(3 * WIDTH, 1), nn.Linear(WIDTH, 6)
        for head in (self.corrects, self.ends):
            nn.init.normal_(head.weight, 0, 0.02)
            nn.init.zeros_(head.bias)

    def forward(self, rows: Sequence[EncoderInput]) -> tuple[Tensor, Tensor]:
        """The log-odds of each row that the memory is corrected, against none, (rows,); and the
        logits of each piece, (rows, pieces, 6), that what goes of the memory begins and ends with
        it, what comes of the message, and what of the memory holds no more."""
        ids, types = padded(rows)
        x = self.encoder(ids, types)
        own = ids != PADDING
        means = [mean_of_own(x, own & (types == which)) for which in (0, 1)]
        pooled = self.encoder.drop(torch.cat([*means, x[:, 0]], dim=-1))
        return self.corrects(pooled)[:, 0], self.ends(self.encoder.drop(x))


def fit_corrections(
    base: PretrainedModel,
    corrections: Sequence[LabelledCorrection],
    outdated: Sequence[Pair],
    recipe: Recipe,
) -> CorrectionNetwork:
    """Some 2 s for a step on two cores."""
    torch.manual_seed(recipe.seed)
    rng = random.Random(recipe.seed)  # noqa: S311 - no secret
    network = CorrectionNetwork(base, recipe.layers)
    make = CorrectionExamples(
        make_unigram_tokenizer(base.pieces, base.scores.astype(float).tolist())
    )
    plan = [
        batch
        for _ in range(recipe.epochs)
        for batch in _batches(
            [
                *(make.typed(each, rng) for each in corrections),
                *(make.outdated(retyped(each, rng)) for each in outdated),
            ],
            recipe.budget,
            rng,
        )
    ]
    encoder = network.encoder
    layers = [encoder.types, *encoder.norm.parameters(), *encoder.layers.parameters()]
    heads = [*network.corrects.parameters(), *network.ends.parameters()]
    groups = [
        {"params": layers, "lr": recipe.rate},
        {"params": heads, "lr": recipe.head_rate},
    ]
    run_steps(network, plan, lambda batch: _cost(network, batch), groups, recipe)
    return network


def _batches(
    examples: Sequence[Example], budget: int, rng: random.Random
) -> Iterator[list[Example]]:
    batch: list[Example] = []
    for each in rng.sample(examples, len(examples)):
        if batch and sum(one.size for one in batch) + each.size > budget:
            yield batch
            batch = []
        batch.append(each)
    yield batch


def _cost(network: CorrectionNetwork, batch: Sequence[Example]) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        corrects, ends = network([row for each in batch for row in each.rows])
    total, at = torch.zeros(()), 0
    for each in batch:
        end = at + len(each.rows)
        if isinstance(each, OutdatedExample):
            total = total + _cost_of_ends(ends[at].float(), 1, _OUTDATED, each.gone)
        else:
            total = total + _cost_of(each, corrects[at:end].float(), ends[at:end].float())
        at = end
    return total / len(batch)


def _cost_of(example: CorrectionExample, corrects: Tensor, ends: Tensor) -> Tensor:
    """Of the choice between the memories and none, of each by itself, and of the words."""
    of = len(corrects) if example.of is None else example.of
    against_none = torch.cat([corrects, torch.zeros(1)])[None]
    cost = functional.cross_entropy(against_none, torch.tensor([of]))
    own = torch.tensor([float(at == example.of) for at in range(len(corrects))])
    cost = cost + _OF_EACH * functional.binary_cross_entropy_with_logits(corrects, own)
    if example.of is None:
        return cost
    row, message = ends[example.of], example.message_at
    cost = cost + _cost_of_ends(row, 1, _GOES, example.goes or ())
    return cost + _cost_of_ends(row, message, _COMES, example.comes or ())


def _cost_of_ends(ends: Tensor, begin: int, column: int, marked: Sequence[int]) -> Tensor:
    """Of where the runs that are marked begin and end, among the pieces from `begin` on."""
    cost = torch.zeros(())
    for at, labels in enumerate(_ends(marked)):
        logits = ends[begin : begin + len(labels), column + at]
        cost = cost + _OF_END * functional.cross_entropy(logits[None], labels[None])
    return cost


def _ends(marked: Sequence[int]) -> list[Tensor]:
    """Of each piece how probably a run begins with it, and ends; none where none is marked."""
    if not any(marked):
        return []
    between = [0, *marked, 0]
    begins = [int(a < b) for a, b in pairwise(between[:-1])]
    closes = [int(a > b) for a, b in pairwise(between[1:])]
    return [torch.tensor(each, dtype=torch.float32) / sum(each) for each in (begins, closes)]


def save_corrections(network: CorrectionNetwork) -> None:
    """Writes what `memory.understanding.corrections` reads."""
    weights = weights_of(network.encoder)
    save_layers(weights, len(network.encoder.layers), CORRECTION_LAYERS_FILE)
    heads: dict[str, npt.NDArray[Any]] = {}
    for name in _HEADS:
        head = weights_of(getattr(network, name))
        heads[f"{name}.kernel"] = head["weight"].T.astype(np.float16)
        heads[f"{name}.bias"] = head["bias"]
    types = weights["types"].astype(np.float16)
    np.savez_compressed(CORRECTION_HEADS_FILE, allow_pickle=False, types=types, **heads)


def figures_of_corrections(
    reader: CorrectionReader, corrections: Sequence[LabelledCorrection]
) -> dict[str, Any]:
    """How often the memory that is corrected is surely found, and says what it should; and how
    often nothing is found where nothing is corrected."""
    found, right, left = [], [], []
    for each in corrections:
        read = reader.read(each.said, each.memories)
        at = int(np.argmax([one.share for one in read]))
        sure = read[at].is_sure
        if each.of is None or each.after is None:
            left.append(not sure)
            continue
        found.append(sure and at == each.of)
        now = read[at].content or ""
        right.append(found[-1] and now.casefold() == each.after.casefold())
    return {
        "corrections": len(found),
        "found": f"{np.mean(found):.3f}",
        "word for word": f"{np.mean(right):.3f}",
        "none": len(left),
        "left alone": f"{np.mean(left):.3f}" if left else "-",
    }
