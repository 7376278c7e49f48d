"""The network that is trained: an encoder with heads on tokens, on segments and on pairs of texts,
and what each example of its labels costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from eval.training.examples import UNKNOWN, PairExample, TextExample
from eval.training.export import ATTENTION_HEADS
from eval.training.pretrained import WIDE, WIDTH, PretrainedModel
from memory.understanding.encoded_text import PLACES, SEGMENT_WIDTH, TOKEN_LABELS
from memory.understanding.multilingual_encoder import PADDING, EncoderInput, pair_input, text_input
from memory.understanding.relations import RELATIONS

_DROPOUT, _SMOOTHING = 0.1, 0.05
# What a wrong answer costs, against one of kind.
_OF_SEGMENT = {
    "kind": 1.0, "category": 0.3, "bank": 0.2, "lifetime": 0.3, "alone": 0.5, "points_back": 0.3,
    "command": 0.7,
}  # fmt: skip
_OF_TOKEN = {"begins": 1.0, "object": 0.7, "old": 0.5, "new": 0.5, "secret": 1.0}
# TextTokens of a usual text: their costs are on the scale of one segment's.
_USUAL_TOKENS = 6
# By their names in the pack_vectors file.
_DENSE = {
    "query": "q", "key": "k", "value": "v", "output": "ao", "wide": "fi", "narrow": "fo",
}  # fmt: skip
_NORMS = {"attended": "aln", "norm": "oln"}


class TransformerLayer(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        for name in ("query", "key", "value", "output"):
            setattr(self, name, nn.Linear(WIDTH, WIDTH))
        self.wide, self.narrow = nn.Linear(WIDTH, WIDE), nn.Linear(WIDE, WIDTH)
        self.attended, self.norm = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.drop = nn.Dropout(_DROPOUT)

    def forward(self, x: Tensor, away: Tensor) -> Tensor:
        texts, tokens, _ = x.shape

        def split(part: Any) -> Tensor:
            return part(x).view(texts, tokens, ATTENTION_HEADS, -1).transpose(1, 2)

        query, key, value = (split(each) for each in (self.query, self.key, self.value))
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=away)
        x = self.attended(x + self.drop(self.output(mixed.transpose(1, 2).flatten(2))))
        return self.norm(x + self.drop(self.narrow(functional.gelu(self.wide(x)))))


class ReaderNetwork(nn.Module):  # type: ignore[misc]
    """The vectors of pieces and positions stay as they are; all else is trained."""

    def __init__(self, base: PretrainedModel, layers: int) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(_given(base.words))
        places = base.tensors["emb.pos"].reshape(-1, WIDTH)
        self.places = nn.Parameter(_given(places), requires_grad=False)
        types = base.tensors["emb.type"].reshape(-1, WIDTH)
        self.types = nn.Parameter(_given(types[[0, 0]]))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(TransformerLayer() for _ in range(layers))
        self.drop = nn.Dropout(_DROPOUT)
        self.token = nn.Linear(WIDTH, len(TOKEN_LABELS))
        self.segment = nn.Linear(3 * WIDTH, SEGMENT_WIDTH)
        self.relation = nn.Linear(3 * WIDTH, len(RELATIONS))
        for head in (self.token, self.segment, self.relation):
            nn.init.normal_(head.weight, 0, 0.02)
            nn.init.zeros_(head.bias)
        self._begin(base)

    def forward(self, ids: Tensor, types: Tensor) -> Tensor:
        x = self.words(ids) + self.places[: ids.shape[1]] + self.types[types]
        x = self.drop(self.norm(x))
        away = torch.zeros(ids.shape, dtype=x.dtype).masked_fill(ids == PADDING, -1e9)
        for layer in self.layers:
            x = layer(x, away[:, None, None, :])
        return x

    def hidden(self, texts: Sequence[TextExample]) -> Tensor:
        """What stands for each token, (texts, tokens, width), the special ones counted."""
        return self(*padded([text_input(each.ids) for each in texts]))

    def of_texts(self, texts: Sequence[TextExample]) -> tuple[Tensor, Tensor]:
        """The logits of each token, (texts, tokens, …), and of the segments of all texts."""
        x = self.hidden(texts)
        return self.token(self.drop(x)), self.segment(self.drop(self.segments(x, texts)))

    def segments(self, x: Tensor, texts: Sequence[TextExample]) -> Tensor:
        """(segments of all texts, 3 · width), as `memory.understanding.encoded_text.pooled`."""
        spans = [(at, *span) for at, each in enumerate(texts) for span in each.spans]
        chosen = torch.zeros(len(spans), x.shape[1])
        for at, (_, start, end) in enumerate(spans):
            chosen[at, start:end] = 1 / (end - start)
        rows = torch.tensor([at for at, _, _ in spans], dtype=torch.long)
        first = x[rows, torch.tensor([start for _, start, _ in spans], dtype=torch.long)]
        mean = torch.einsum("st,stw->sw", chosen.to(x.dtype), x[rows])
        return torch.cat([mean, first, x[rows, 0]], dim=-1)

    def of_pairs(self, pairs: Sequence[PairExample]) -> Tensor:
        """The logits of the relations, (pairs, relations)."""
        ids, types = padded([pair_input(each.older, each.newer) for each in pairs])
        x = self(ids, types)
        own = ids != PADDING
        means = [mean_of_own(x, own & (types == which)) for which in (0, 1)]
        return self.relation(self.drop(torch.cat([*means, x[:, 0]], dim=-1)))

    def cost_of_texts(self, texts: Sequence[TextExample]) -> Tensor:
        tokens, segments = self.of_texts(texts)
        cost = torch.zeros(())
        for name, place in PLACES.items():
            labels = torch.tensor([each.labels[name] for text in texts for each in text.segments])
            if len(labels):
                cost = cost + _OF_SEGMENT[name] * _cost(segments[:, place], labels) / len(labels)
        for at, name in enumerate(TOKEN_LABELS):
            labels = _from_second([each.token_labels[name] for each in texts], tokens.shape[1])
            told = _cost(tokens[..., at].reshape(-1, 1), labels.reshape(-1))
            cost = cost + _OF_TOKEN[name] * told / (len(texts) * _USUAL_TOKENS)
        return cost

    def cost_of_pairs(self, pairs: Sequence[PairExample]) -> Tensor:
        labels = torch.tensor([each.relation for each in pairs])
        return _cost(self.of_pairs(pairs), labels) / len(pairs)

    def _begin(self, base: PretrainedModel) -> None:
        """With the weights of the base; its lowest layers where there are more."""
        with torch.no_grad():
            self.norm.weight.copy_(_given(base.tensors["emb.ln.w"]))
            self.norm.bias.copy_(_given(base.tensors["emb.ln.b"]))
            for n, layer in enumerate(self.layers):
                for name, pack_vectors in (_DENSE | _NORMS).items():
                    part = getattr(layer, name)
                    part.weight.copy_(_given(base.tensors[f"l{n}.{pack_vectors}.w"]))
                    part.bias.copy_(_given(base.tensors[f"l{n}.{pack_vectors}.b"]))


def _given(values: object) -> Tensor:
    return torch.tensor(values)


def padded(rows: Sequence[EncoderInput]) -> tuple[Tensor, Tensor]:
    length = max(len(each.ids) for each in rows)
    ids = torch.full((len(rows), length), PADDING)
    types = torch.zeros_like(ids)
    for at, each in enumerate(rows):
        ids[at, : len(each.ids)] = torch.tensor(each.ids)
        types[at, : len(each.types)] = torch.tensor(each.types)
    return ids, types


def mean_of_own(x: Tensor, own: Tensor) -> Tensor:
    kept = own[..., None].to(x.dtype)
    return (x * kept).sum(1) / kept.sum(1).clamp(min=1)


def _from_second(rows: Sequence[Sequence[int]], length: int) -> Tensor:
    """The labels of tokens; nothing is known of the special ones."""
    labels = torch.full((len(rows), length), UNKNOWN)
    for at, told in enumerate(rows):
        labels[at, 1 : len(told) + 1] = torch.tensor(told)
    return labels


def _cost(logits: Tensor, labels: Tensor) -> Tensor:
    """The sum over what is known: cross entropy, or binary where there is one logit."""
    known = labels != UNKNOWN
    logits, labels = logits[known].float(), labels[known]
    if not len(labels):
        return torch.zeros(())
    if logits.shape[-1] == 1:
        return functional.binary_cross_entropy_with_logits(
            logits[:, 0], labels.float(), reduction="sum"
        )
    return functional.cross_entropy(logits, labels, label_smoothing=_SMOOTHING, reduction="sum")
