"""Named queries: the statements of a module stand in the .sql file beside it.

A query begins with a line `-- name: the_name`; the comment lines after it say
what it decides. Its name is the name of the method that runs it.
"""

from __future__ import annotations

import re
from importlib.resources import files

_NAME = re.compile(r"^-- name: (?P<name>[a-z_]+)\s*$", re.MULTILINE)


def load_queries(noun: str, package: str = "memory.store") -> dict[str, str]:
    """The statements of `{noun}.sql` in the package by name; the noun may be in a room of it."""
    text = files(package).joinpath(f"{noun}.sql").read_text(encoding="utf-8")
    parts = _NAME.split(text)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}
