"""Fits what hears commands, and measures it on writers that it has not read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from eval.training.data import LabelledCommand, LabelledMessage
from memory.understanding import CommandName
from memory.understanding.commands import (
    BUCKETS,
    FILE,
    LABELS,
    SURE_FROM,
    TAGS,
    WIDTH,
    CommandHeads,
    ObjectHeads,
    command_features,
    edge_features,
    load_command_heads,
    most_probable_command,
    tag_features,
)
from memory.understanding.linear_models import Array, Buckets, LinearHead, Token, quantise, tokenize
from memory.understanding.reader import load_kind_model

# Ridge penalties are 1; what is scaled up is penalised less.
GRAMS, VECTOR, STEPS = 10.0, 0.5, 80
# Of many nearly alike, and of segments of messages whose kind is known and no more.
ALIKE, TALK, OF_KIND = 0.3, 0.3, 0.05
# The encoder has learned from these: its vector would be trusted too much.
_SEEN = {"f1", *(f"w{number}" for number in range(16))}
_KINDS = ("forget", "do_not_remember", "remember")
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class CommandExample:
    """A sentence; `vector` is None where the encoder has learned from it."""

    text: str
    label: str
    writer: str
    language: str
    weight: float = 1.0
    vector: Floats | None = None


def command_examples(
    commands: Sequence[LabelledCommand], messages: Sequence[LabelledMessage]
) -> list[CommandExample]:
    """The sentences, and the segments of messages but for those that ask for something else to be
    done with memory: which, nobody marked."""
    own = [
        CommandExample(each.text, each.command, each.writer, each.language, _weight(each.writer))
        for each in commands
    ]
    read = [at for at, each in enumerate(own) if each.writer not in _SEEN]
    vectors = load_kind_model().vectors([own[at].text for at in read])
    for at, vector in zip(read, vectors, strict=True):
        own[at] = replace(own[at], vector=vector)
    return [*own, *_segments(messages)]


def _weight(writer: str) -> float:
    return ALIKE if writer == "f1" else 1.0


def _segments(messages: Sequence[LabelledMessage]) -> Iterator[CommandExample]:
    for message in messages:
        for each in message.segments:
            if each.kind != "control":
                label, weight = (each.kind, OF_KIND) if each.kind in _KINDS else ("none", TALK)
                yield CommandExample(each.text, label, message.writer, message.language, weight)


def fit_heads(
    examples: Sequence[CommandExample], commands: Sequence[LabelledCommand]
) -> CommandHeads:
    return CommandHeads(*_fit_commands(examples), fit_objects(commands))


def _fit_commands(examples: Sequence[CommandExample]) -> tuple[LinearHead, Array]:
    answers = np.array([LABELS.index(each.label) for each in examples])
    weights = np.array([each.weight for each in examples], np.float32)
    grams = _matrix([command_features(each.text) for each in examples])
    fitted = _softmax(grams, _vectors(examples), answers, weights, len(LABELS))
    command = quantise(fitted[:BUCKETS].T, fitted[-1])
    vector = fitted[BUCKETS : BUCKETS + WIDTH].astype(np.float16).astype(np.float32)
    return command, vector


def fit_objects(commands: Sequence[LabelledCommand]) -> ObjectHeads:
    told = [each for each in commands if _is_marked(each)]
    return ObjectHeads(*(_fit_tags(told, part) for part in ("tag", "begin", "end")))


def _fit_tags(commands: Sequence[LabelledCommand], part: str) -> LinearHead:
    told = [each for sentence in commands for each in _tagged(sentence, part)]
    answers = np.array([tag for _, tag in told])
    fitted = _softmax(
        _matrix([each for each, _ in told]),
        np.zeros((len(told), 0), np.float32),
        answers,
        np.ones(len(told), np.float32),
        len(TAGS),
    )
    return quantise(fitted[:BUCKETS].T, fitted[-1])


def _is_marked(sentence: LabelledCommand) -> bool:
    """Whether its objects were marked, or are known to be none."""
    if sentence.command == "none":
        return False
    return sentence.writer not in _SEEN or any(getattr(sentence, tag) for tag in TAGS[1:])


def _tagged(sentence: LabelledCommand, part: str) -> list[tuple[Buckets, int]]:
    """Each word and mark with its tag, or each gap with that of what begins or ends there."""
    tokens, name = tokenize(sentence.text), sentence.command
    runs = {run: tag for tag in range(1, len(TAGS)) if (run := _run(sentence, tokens, TAGS[tag]))}
    if part == "tag":
        inside = {at: tag for run, tag in runs.items() for at in range(*run)}
        return [(tag_features(tokens, n, name), inside.get(n, 0)) for n in range(len(tokens))]
    edges = {run[part == "end"]: tag for run, tag in runs.items()}
    return [(edge_features(tokens, n, name), edges.get(n, 0)) for n in range(len(tokens) + 1)]


def _run(sentence: LabelledCommand, tokens: Sequence[Token], tag: str) -> tuple[int, int] | None:
    """The tokens of what was marked so, without a mark that ends it."""
    words = getattr(sentence, tag)
    start = sentence.text.rfind(words)
    inside = [
        at
        for at, each in enumerate(tokens)
        if words and start <= each.start and each.end <= start + len(words)
    ]
    while len(inside) > 1 and not tokens[inside[-1]].is_word:
        inside.pop()
    return (inside[0], inside[-1] + 1) if inside else None


def _vectors(examples: Sequence[CommandExample]) -> Floats:
    """With one more column for those whose vector is not to be looked at."""
    rows = np.zeros((len(examples), WIDTH + 1), np.float32)
    for row, each in zip(rows, examples, strict=True):
        if each.vector is None:
            row[WIDTH] = 3
        else:
            row[:WIDTH] = each.vector
    return rows


def _matrix(buckets: Sequence[Buckets]) -> csr_matrix:
    sizes = [len(each) for each in buckets]
    values = np.repeat([1 / np.sqrt(max(size, 1)) for size in sizes], sizes).astype(np.float32)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return csr_matrix((values, np.concatenate(buckets), ends), shape=(len(buckets), BUCKETS))


def _softmax(
    grams: csr_matrix, vectors: Floats, answers: Any, weights: Floats, labels: int
) -> npt.NDArray[np.float64]:
    """The weights of n-grams, of vectors and the intercepts, (features, labels), by L-BFGS."""
    count, wide = grams.shape[0], vectors.shape[1]
    shape = (BUCKETS + wide + 1, labels)
    scaled, turned = grams * GRAMS, (grams * GRAMS).T.tocsr()
    dense = vectors * np.float32(VECTOR)
    truth = np.zeros((count, labels), np.float32)
    truth[np.arange(count), answers] = 1

    def loss(flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        told = flat.reshape(shape).astype(np.float32)
        logits = scaled @ told[:BUCKETS] + dense @ told[BUCKETS:-1] + told[-1]
        logits -= logits.max(axis=1, keepdims=True)
        total = np.exp(logits).sum(axis=1, keepdims=True)
        wrong = (np.exp(logits) / total - truth) * weights[:, None]
        gradient = np.concatenate([turned @ wrong, dense.T @ wrong, wrong.sum(axis=0)[None]])
        gradient[:-1] += told[:-1]
        right = (logits - np.log(total))[np.arange(count), answers]
        ridge = 0.5 * float((told[:-1] ** 2).sum())
        return float(-(weights * right).sum()) + ridge, gradient.ravel().astype(np.float64)

    start = np.zeros(shape[0] * labels)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    fitted = found.x.reshape(shape)
    fitted[:BUCKETS] *= GRAMS
    fitted[BUCKETS:-1] *= VECTOR
    return np.asarray(fitted)


def hold_out_commands(examples: Sequence[CommandExample]) -> list[dict[str, Any]]:
    """A row for each writer that the encoder has not read, heard by what learned from all others:
    how many commands, how many of them are heard, what is taken for another, and how many traps
    are obeyed."""
    writers = [each.writer for each in examples if each.vector is not None]
    return [_row(writer, examples) for writer in dict.fromkeys(writers)]


def _row(writer: str, examples: Sequence[CommandExample]) -> dict[str, Any]:
    others = [each for each in examples if each.writer != writer]
    heads = CommandHeads(*_fit_commands(others), load_command_heads().objects)
    own = [each for each in examples if each.writer == writer and each.vector is not None]
    heard = [(each.label, _heard(each, heads)) for each in own]
    told = [(label, name) for label, name in heard if label != "none"]
    return {
        "writer": writer,
        "languages": " ".join(sorted({each.language for each in own})),
        "commands": len(told),
        "heard": sum(label == name for label, name in told),
        "taken for another": sum(name not in (None, label) for label, name in told),
        "traps": len(heard) - len(told),
        "obeyed": sum(name is not None for label, name in heard if label == "none"),
    }


def _heard(example: CommandExample, heads: CommandHeads) -> CommandName | None:
    """Of the whole text as one."""
    assert example.vector is not None
    shares = heads.shares(example.text, example.vector)
    name = most_probable_command(shares)
    return name if shares[name] >= SURE_FROM[name] else None


def train_commands(
    examples: Sequence[CommandExample], commands: Sequence[LabelledCommand], path: Path = FILE
) -> CommandHeads:
    """Fits the heads on all of it and writes them."""
    heads = fit_heads(examples, commands)
    parts = {
        f"{name}.{part}": getattr(head, part)
        for name, head in _named(heads).items()
        for part in ("weights", "scale", "intercept")
    }
    vector = heads.vector.astype(np.float16)
    np.savez_compressed(path, allow_pickle=False, vector=vector, **parts)
    return heads


def _named(heads: CommandHeads) -> Mapping[str, LinearHead]:
    objects = heads.objects
    return {
        "command": heads.command,
        "tag": objects.tag,
        "begin": objects.begin,
        "end": objects.end,
    }
