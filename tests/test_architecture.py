"""docs/architecture.md names what is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "architecture.md").read_text()
_FILE = re.compile(r"`([\w/-]+\.(?:py|js|json|yml))`")


def rows() -> list[str]:
    """Of the table “Where to find”."""
    [part] = re.findall(r"^## Where to find\n(.*?)^## ", TEXT + "\n## ", re.DOTALL | re.MULTILINE)
    return [line for line in part.splitlines() if line.startswith("| ")][1:]


def missing(row: str) -> list[str]:
    """What it names that is not there; a name alone is that of a file beside another of the row."""
    names = _FILE.findall(row)
    folders = {Path(name).parent for name in names if "/" in name}
    return [
        name
        for name in names
        if not (ROOT / name).is_file()
        and not any((ROOT / folder / name).is_file() for folder in folders)
    ]


def test_every_file_that_one_is_sent_to_is_there() -> None:
    assert len(rows()) > 25
    assert [(row, gone) for row in rows() if (gone := missing(row))] == []


def test_a_file_that_is_not_there_is_missed() -> None:
    assert missing("| a thing | `app/serve.py`, `nowhere.py`, `app/nowhere.py` |") == [
        "nowhere.py",
        "app/nowhere.py",
    ]


def test_every_room_of_the_program_is_named() -> None:
    """Folders with modules of our own, two deep."""
    found = [
        path.parent.name
        for room in ("app", "agent", "memory")
        for path in (ROOT / room).glob("*/__init__.py")
    ]
    assert len(found) > 20
    assert [name for name in found if f"{name}/" not in TEXT] == []
