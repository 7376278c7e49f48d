"""The columns that hold vectors, as the catalog has them, and what hangs on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import asyncpg

from memory.store.queries import load_queries

# A row has to fit on a page of 8 kB, with some room for what stands beside its vectors.
ROW_BYTES = 7_900
BESIDE_BYTES = 600
OWN_TRIGGER = "drop_next_vector"

_SQL = load_queries("vector_swap", "migrations")


@dataclass(frozen=True)
class VectorTable:
    name: str
    dimensions: int
    within_row: bool
    has_model: bool
    has_next: bool


@dataclass(frozen=True)
class Dependents:
    """What would go with a column: `triggers` by name with their definitions; `rights`, each with
    the role that has it."""

    triggers: Mapping[str, str]
    rights: Sequence[tuple[str, str]]


async def vector_tables(connection: asyncpg.Connection[asyncpg.Record]) -> list[VectorTable]:
    return [VectorTable(**dict(row)) for row in await connection.fetch(_SQL["vector_tables"])]


async def dependents_of(
    connection: asyncpg.Connection[asyncpg.Record], table: VectorTable
) -> Dependents:
    triggers = await connection.fetch(_SQL["triggers"], table.name)
    rights = await connection.fetch(_SQL["rights"], table.name)
    return Dependents(
        {row["name"]: row["definition"] for row in triggers if row["name"] != OWN_TRIGGER},
        [(row["right"], row["role"]) for row in rights],
    )


def storage_of(table: VectorTable, *dimensions: int) -> str:
    """How vectors of these lengths, which share a row, are stored: within it where the old ones
    were and the new ones fit, which is three times as fast to search (decision 0001), else out of
    line. A halfvec takes 2 bytes a dimension and 8 more."""
    fits = sum(2 * each + 8 for each in dimensions) + BESIDE_BYTES <= ROW_BYTES
    return "PLAIN" if table.within_row and fits else "EXTERNAL"
