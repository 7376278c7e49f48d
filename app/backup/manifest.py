"""What a backup says of itself."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from memory.models import Frozen


class Table(Frozen):
    """`digest` is of all rows in no order; see migrations/contents.sql."""

    rows: int
    digest: str


class Manifest(Frozen):
    """`schema_version` is the number of the last migration; `roles` are those that own something
    in the database or have rights in it; `files` are the SHA-256 digests of the other members."""

    format: Literal[1] = 1
    made_at: datetime
    keepsake: str
    server: str
    schema_version: int
    owner: str
    roles: tuple[str, ...]
    tables: dict[str, Table]
    files: dict[str, str]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())
