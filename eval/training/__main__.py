"""Fits the models anew, all or those that are named, writes them into the package and shows their
figures: `python -m eval.training [reading|secrets|kinds|relations|commands ...]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from eval.errors import TrainingExtraMissing
from eval.training import commands, reader, secret_values
from eval.training.data import (
    DAYS_FOLDER,
    WISHES_FOLDER,
    load_labelled_commands,
    load_labelled_families,
    load_labelled_messages,
    load_marked_sentences,
)
from memory.errors import KeepsakeError
from memory.understanding import commands as shipped_commands
from memory.understanding import linear_models
from memory.understanding import relations as shipped_relations
from memory.understanding import secret_values as shipped_secret_values
from memory.understanding.reader import KINDS_FILE

_PACKAGES = ("jax", "onnx", "optax")


def _reading() -> None:
    reader.train_reader(load_labelled_messages())
    _say_where(linear_models.FILE)


def _secrets() -> None:
    examples = secret_values.secret_value_examples(
        load_marked_sentences(), load_labelled_messages()
    )
    secret_values.train_secret_values(examples)
    _say_where(shipped_secret_values.FILE)
    _show(secret_values.secret_value_metrics(secret_values.hold_out_secret_values(examples)))


def _kinds() -> None:
    _need_packages()
    from eval.training import kinds  # noqa: PLC0415 - needs them

    folders = [
        load_labelled_messages(),
        load_labelled_messages(WISHES_FOLDER),
        load_labelled_messages(DAYS_FOLDER),
    ]
    segments = kinds.kind_examples([message for folder in folders for message in folder])
    kinds.train_kinds(segments)
    _say_where(KINDS_FILE)
    _show(kinds.hold_out_kinds(segments))


def _relations() -> None:
    _need_packages()
    from eval.training import relations  # noqa: PLC0415 - needs them

    pairs = relations.relation_examples(load_labelled_families())
    relations.train_relations(pairs)
    _say_where(shipped_relations.FILE)
    _show(relations.hold_out_relations(pairs))


def _commands() -> None:
    """After the kinds: it stands on their encoder."""
    told = load_labelled_commands()
    examples = commands.command_examples(told, load_labelled_messages())
    commands.train_commands(examples, told)
    _say_where(shipped_commands.FILE)
    _show(commands.hold_out_commands(examples))


def _need_packages() -> None:
    """Raises TrainingExtraMissing."""
    if not all(map(find_spec, _PACKAGES)):
        raise TrainingExtraMissing(packages=", ".join(_PACKAGES))


def _say_where(path: Path) -> None:
    Console().print(f"kept in {path}", soft_wrap=True)


def _show(rows: Sequence[Mapping[str, Any]]) -> None:
    table = Table(*rows[0], title="writers heard by what learned from the others")
    for row in rows:
        table.add_row(*map(str, row.values()))
    Console().print(table)


MODELS: Mapping[str, Callable[[], None]] = {
    "reading": _reading,
    "secrets": _secrets,
    "kinds": _kinds,
    "relations": _relations,
    "commands": _commands,
}


def main() -> int:
    """0, or 2 where something is missing; what was fitted before is kept."""
    parser = argparse.ArgumentParser(prog="python -m eval.training", description=__doc__)
    parser.add_argument("models", nargs="*", choices=MODELS, help="all where none is named")
    try:
        for name in parser.parse_args().models or MODELS:
            MODELS[name]()
    except KeepsakeError as error:
        Console(stderr=True).print(str(error), markup=False, soft_wrap=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
