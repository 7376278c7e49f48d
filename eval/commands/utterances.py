"""The commands set: what people say to command their memory, and ordinary talk that looks alike."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator

from eval.errors import DatasetUnreadable
from eval.reading import Strict, first_fault, read_set, repeats
from memory.understanding import CommandName

FILE = "utterances.json"
FOLDER = Path(__file__).parent
# Their object is given in the set; of the other commands it is not compared.
WITH_OBJECT: frozenset[CommandName] = frozenset(
    {"remember", "remember_anyway", "forget", "pin", "unpin", "about"}
)

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_WORDS = re.compile(r"[\w']+")
_MEANINGLESS = {"a", "an", "the", "that"}


class Utterance(Strict):
    """`command` is None for a trap. `about` is the object as the speaker put it, None for that,
    this, it and everything."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    text: Annotated[str, Field(min_length=1)]
    command: CommandName | None
    about: str | None
    held_back: bool = False
    language: Annotated[str, Field(min_length=2, max_length=2)] = "en"


class UtteranceSet(Strict):
    note: str = ""
    utterances: Annotated[tuple[Utterance, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if twice := repeats([each.id for each in self.utterances]):
            raise ValueError(f"these ids appear twice: {', '.join(twice)}")
        for each in self.utterances:
            if each.about is not None and each.command not in WITH_OBJECT:
                raise ValueError(f"utterance {each.id}: its command takes no object")
        return self


def load_utterances(folder: Path = FOLDER) -> UtteranceSet:
    """Reads `utterances.json` in the folder, or a file of lines “language | command or none | text
    | object”. Raises DatasetUnreadable with the first fault."""
    return read_set(folder / FILE, UtteranceSet) if folder.is_dir() else _read_lines(folder)


def _read_lines(path: Path) -> UtteranceSet:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return UtteranceSet(utterances=tuple(map(_utterance, range(1, len(lines) + 1), lines)))
    except (OSError, UnicodeError) as error:
        raise DatasetUnreadable(path=path, reason=str(error)) from error
    except ValidationError as error:
        raise DatasetUnreadable(path=path, reason=first_fault(error)) from None


def _utterance(number: int, line: str) -> Utterance:
    """Raises ValidationError."""
    fields = [each.strip() for each in (f"{line} ").split(" | ")]
    language, command, text, about = (*fields, "", "", "", "")[:4]
    return Utterance.model_validate(
        {
            "id": f"line {number}",
            "text": text,
            "command": None if command == "none" else command,
            "about": (about or None) if command in WITH_OBJECT else None,
            "language": language,
        }
    )


def core(spoken: str | None) -> str | None:
    """What two objects are compared by: the words without case, articles, punctuation, “that” and
    a leading “the memory about”; None where there are none left."""
    if spoken is None:
        return None
    plain = spoken.casefold().translate(_APOSTROPHES)
    words = [word.strip("'") for word in _WORDS.findall(plain)]
    kept = [word for word in words if word and word not in _MEANINGLESS]
    if kept[:2] == ["memory", "about"]:
        kept = kept[2:]
    return " ".join(kept) or None
