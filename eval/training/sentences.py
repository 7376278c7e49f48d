"""Labelled sentences, one JSON object a line, one file for each writer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from eval.errors import DatasetUnreadable
from eval.reading import Strict, first_fault

FOLDER = Path(__file__).parent / "do_not_remember"
Label = Literal["do_not_remember", "points_back", "other"]


class Labelled(Strict):
    """`language` is its two letters; `writer` is who wrote it, without a name."""

    text: Annotated[str, Field(min_length=1)]
    label: Label
    language: Annotated[str, Field(min_length=2, max_length=2)]
    writer: Annotated[str, Field(min_length=1)]


def load_sentences(folder: Path = FOLDER) -> list[Labelled]:
    """Of all files, in their order. Raises DatasetUnreadable with the first fault."""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                found.append(Labelled.model_validate_json(line))
            except ValidationError as error:
                raise DatasetUnreadable(path=path, reason=first_fault(error)) from None
    if not found:
        raise DatasetUnreadable(path=folder, reason="it holds no labelled sentence")
    return found
