"""What is tuned on: the golden set without what is held back, and sets that are named by path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eval.calibration.data import load_calibration_pairs, load_dialogues
from eval.corpus import Corpus
from eval.datasets.beam import load_beam
from eval.datasets.golden import GOLDEN_FILE, GOLDEN_FOLDER, GoldenSet, load_golden
from eval.datasets.locomo import ADVERSARIAL, load_locomo
from eval.errors import WrongUsage

_KINDS = {"memory": GOLDEN_FILE, "locomo": "turns.jsonl", "beam": "messages.jsonl"}


@dataclass(frozen=True)
class TuningSources:
    """The golden set, where it lies, and corpora by set and view: those that are kept as memories,
    and those that are kept as the messages of a conversation. `pairs` and `dialogues` are the own
    ones that coefficients are fitted on."""

    golden: GoldenSet
    golden_folder: Path
    memories: Mapping[str, Sequence[Corpus]]
    messages: Mapping[str, Sequence[Corpus]]
    folders: Mapping[str, Path]
    pairs: Sequence[Corpus]
    dialogues: Sequence[Corpus]


def read_sources(folders: Sequence[Path]) -> TuningSources:
    """A folder holds LoCoMo, BEAM, or a golden set that takes the place of the own one. Raises
    WrongUsage for any other, DatasetUnreadable."""
    named = {_kind(folder): folder for folder in folders}
    golden = named.pop("memory", GOLDEN_FOLDER)
    memories: dict[str, list[Corpus]] = {}
    messages: dict[str, list[Corpus]] = {}
    if "locomo" in named:
        views = load_locomo(named["locomo"])
        memories["locomo observations"] = _answerable(views["observations"])
        messages["locomo turns"] = _answerable(views["turns"])
    if "beam" in named:
        messages["beam"] = load_beam(named["beam"])
    return TuningSources(
        golden=load_golden(golden),
        golden_folder=golden,
        memories=memories,
        messages=messages,
        folders=named,
        pairs=load_calibration_pairs(),
        dialogues=load_dialogues(),
    )


def _kind(folder: Path) -> str:
    for kind, file in _KINDS.items():
        if (folder / file).is_file():
            return kind
    reason = f"{folder} holds none of {', '.join(_KINDS.values())}."
    raise WrongUsage(reason=reason)


def _answerable(corpora: Sequence[Corpus]) -> list[Corpus]:
    """Without the questions that ask about the wrong person: they are told apart, since what they
    name as evidence is what a good recall leaves out."""
    return [
        replace(corpus, questions=tuple(q for q in corpus.questions if q.category != ADVERSARIAL))
        for corpus in corpora
    ]
